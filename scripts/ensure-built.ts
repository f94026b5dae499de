import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const inputs = [
  "src",
  "public",
  "index.html",
  "shared.html",
  "vite.config.ts",
  "vite.shared.config.ts",
  "tailwind.config.ts",
  "tsconfig.base.json",
  "package.json",
];
/** Made anew by each build, and last: of the service only what has changed is. */
const outputs = ["dist/console/index.html", "dist/console/shared.html"];

function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return /\.test\.tsx?$/.test(path) ? 0 : stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Builds console and service when `dist` is missing or older than what it is made from. */
export function ensureBuilt(): void {
  const isThere = existsSync(join(root, "dist/service/main.js"));
  const made = isThere ? Math.min(...outputs.map((path) => newest(join(root, path)))) : 0;
  const changed = Math.max(...inputs.map((path) => newest(join(root, path))));
  if (made > changed) return;
  console.log("dist is missing or stale: building");
  const result = spawnSync("npm", ["run", "build"], { stdio: "inherit", cwd: root });
  if (result.status !== 0) throw new Error("The build failed; see above.");
}
