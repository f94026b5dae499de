import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod/mini";

/** `route-scripts.json` of a built console (`scripts/build/route-scripts.ts`). */
const listSchema = z.array(z.object({ route: z.string(), scripts: z.array(z.string()) }));

/** The scripts that an address needs beyond those of every page, from the root. */
export type ScriptsOf = (path: string) => readonly string[];

/**
 * Reads which scripts each route of the built console needs, so that the page can name them and they come along with
 * its first ones. A build without that list is one whose pages name none.
 * @param directory `dist/console`
 */
export async function readRouteScripts(directory: string): Promise<ScriptsOf> {
  const text = await readFile(join(directory, "route-scripts.json"), "utf8").catch(() => "[]");
  const routes = listSchema.parse(JSON.parse(text)).map(({ route, scripts }) => ({
    parts: partsOf(route),
    scripts,
  }));
  return (path) => {
    const asked = partsOf(path);
    const fitting = routes.filter(
      ({ parts }) => parts.length === asked.length && parts.every((part, at) => fits(part, asked[at])),
    );
    // `/runs/new` rather than `/runs/$runId`.
    const [best] = fitting.sort((a, b) => wildcards(a.parts) - wildcards(b.parts));
    return best?.scripts ?? [];
  };
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");
const fits = (part: string, asked: string | undefined): boolean => part.startsWith("$") || part === asked;
const wildcards = (parts: readonly string[]): number => parts.filter((part) => part.startsWith("$")).length;
