import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/** The repository's root folder. */
export const root = resolve(import.meta.dirname, "../..");

/** One source file: its path from the root, its text, and what it imports. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  /** Paths from the root for the project's own files, bare names for packages and `node:` modules. */
  readonly imports: readonly string[];
}

const importPattern =
  /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)|\bnew URL\(\s*["'](\.[^"']+)["']\s*,\s*import\.meta\.url/g;

/** Comments blanked out, so that an import that is only talked about is not counted. */
function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, " ").replace(/(^|[^:"'`])\/\/[^\n]*/g, "$1");
}

function importsOf(path: string, text: string): string[] {
  const found: string[] = [];
  for (const match of withoutComments(text).matchAll(importPattern)) {
    const name = (match[1] ?? match[2] ?? match[3] ?? "").replace(/\?.*$/, "");
    if (name.startsWith(".")) found.push(relative(root, resolve(root, dirname(path), name)));
    else found.push(name);
  }
  return found;
}

/**
 * Every file below a folder of the repository whose name ends in one of the endings.
 * @param folder from the root, such as `src`
 */
export function listFiles(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.includes("node_modules"))
    .sort();
}

/** All TypeScript files below a folder, read, with their imports. Generated files are left out. */
export function readSources(folder: string): SourceFile[] {
  return listFiles(folder, [".ts", ".tsx"])
    .filter((path) => !path.endsWith(".gen.ts"))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      return { path, text, imports: importsOf(path, text) };
    });
}
