import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk of its own. */
export interface SmallDisk {
  readonly path: string;
  unmount(): void;
}

/** @returns null where nothing may be mounted here */
export function smallDisk(bytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), "wheelhouse-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", path], { stdio: "ignore" });
  } catch {
    rmdirSync(path);
    return null;
  }
  return {
    path,
    unmount() {
      execFileSync("umount", [path]);
      rmdirSync(path);
    },
  };
}
