import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./source-files.ts";

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`);
  return stdout.trim();
}

/**
 * The commit of the newest release: WHEELHOUSE_RELEASE_BEFORE, else the last tag, else (a checkout may have no tags) the
 * commit that set the version.
 */
export function releaseBefore(): string {
  const given = process.env.WHEELHOUSE_RELEASE_BEFORE;
  if (given !== undefined) return given;
  const tag = spawnSync("git", ["describe", "--tags", "--abbrev=0"], { cwd: root, encoding: "utf8" });
  if (tag.status === 0) return tag.stdout.trim();
  return run("git", ["log", "-1", "--format=%H", "-G", '^  "version": ', "--", "package.json"], root);
}

/** Builds the service of that commit in a new folder, with all of its packages. @returns its program */
export function buildRelease(commit: string, place: string): string {
  run("git", ["worktree", "add", "--detach", place, commit], root);
  try {
    const isSame =
      readFileSync(join(place, "package-lock.json"), "utf8") ===
      readFileSync(join(root, "package-lock.json"), "utf8");
    if (isSame) run("ln", ["-s", join(root, "node_modules"), "node_modules"], place);
    else run("npm", ["ci", "--ignore-scripts"], place);
    run(join(place, "node_modules/.bin/tsc"), ["-b", "tsconfig.build.json"], place);
  } finally {
    // The files stay until the folder goes.
    run("git", ["worktree", "prune"], root);
  }
  return join(place, "dist/service/main.js");
}
