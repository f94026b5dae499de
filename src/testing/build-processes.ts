import { readdirSync } from "node:fs";
import { chmod, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { build } from "vite";
import { withoutGuard } from "./guards/plugin.ts";
import { root } from "./source-files.ts";

const entries = [
  "service/main.ts",
  // What the service starts itself.
  "service/nodes/code-thread.ts",
  "service/knowledge/document-process.ts",
  ...readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith("-process.ts"))
    .map((name) => `testing/${name}`),
];

/**
 * Builds what tests start as processes, once for the whole run: a process that compiles the service itself takes three times
 * as long to begin.
 * @returns a new folder with a file for each source, as deep below the repository as src
 */
export async function buildProcesses(): Promise<string> {
  const outDir = await mkdtemp(join(root, ".tested-"));
  // Some of them run as another user than we do.
  await chmod(outDir, 0o755);
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    plugins: withoutGuard(),
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: "es2023",
      rolldownOptions: {
        input: entries.map((entry) => join(root, "src", entry)),
        output: { preserveModules: true, preserveModulesRoot: "src", entryFileNames: "[name].js" },
      },
    },
  });
  return outDir;
}
