import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { precompressed } from "../../vite.config.ts";
import { type Served, serveFolder } from "./served.ts";

const root = resolve(import.meta.dirname, "floor");

/** Builds the floor with this repository's packages into a temporary folder. @returns the folder and its end */
export async function buildFloor(): Promise<{ readonly folder: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-bench-floor-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    await build({
      root,
      configFile: false,
      logLevel: "error",
      publicDir: resolve(root, "../../../public"),
      plugins: [react(), tailwindcss(), precompressed()],
      build: {
        outDir: relative(root, folder),
        emptyOutDir: true,
        target: "es2023",
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0,
      },
    });
  } catch (error) {
    remove();
    throw error;
  }
  return { folder, remove };
}

/** @param lateMs how much later than asked for each script comes, for the bench's test of itself */
export const serveFloor = (folder: string, api: string, lateMs = 0): Promise<Served> =>
  serveFolder({ SERVE_FOLDER: folder, SERVE_API: api, SERVE_LATE_MS: String(lateMs) });
