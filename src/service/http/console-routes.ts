import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod/mini";

/** `console-routes.json` of a built console (`scripts/build/console-routes.ts`). */
const listSchema = z.array(
  z.object({ route: z.string(), scripts: z.array(z.string()), reads: z.array(z.string()) }),
);

/** What comes first at an address. */
export interface First {
  /** The scripts that it needs beyond those of every page, from the root. */
  readonly scripts: readonly string[];
  /** What it reads first, below `/api/v1`, with `{user}` left open: whose id that is the page knows. */
  readonly reads: readonly string[];
}

/** What comes first at an address, by its path. */
export type FirstAt = (path: string) => First;

const nothing: First = { scripts: [], reads: [] };

/**
 * Reads what each route of the built console needs first, so that the page can name it and it comes along with its first
 * scripts. A build without that list is one whose pages name nothing.
 * @param directory `dist/console`
 */
export async function readConsoleRoutes(directory: string): Promise<FirstAt> {
  const text = await readFile(join(directory, "console-routes.json"), "utf8").catch(() => "[]");
  const routes = listSchema.parse(JSON.parse(text)).map((one) => ({ ...one, parts: partsOf(one.route) }));
  return (path) => {
    const asked = partsOf(path);
    const fitting = routes.filter(
      ({ parts }) => parts.length === asked.length && parts.every((part, at) => fits(part, asked[at])),
    );
    // `/runs/new` rather than `/runs/$runId`.
    const [best] = fitting.sort((a, b) => wildcards(a.parts) - wildcards(b.parts));
    if (best === undefined) return nothing;
    const { scripts, reads, parts } = best;
    return { scripts, reads: filled(reads, parts, asked) };
  };
}

/** The addresses with the parameters of this path; none where one of them is no plain id, and would have to be encoded. */
function filled(
  reads: readonly string[],
  parts: readonly string[],
  asked: readonly string[],
): readonly string[] {
  const values = new Map(
    parts.flatMap((part, at) => (part.startsWith("$") ? [[part.slice(1), asked[at] ?? ""] as const] : [])),
  );
  if ([...values.values()].some((value) => !/^[\w-]+$/.test(value))) return [];
  return reads.map((read) => read.replaceAll(/\{(\w+)\}/g, (open, name: string) => values.get(name) ?? open));
}

const partsOf = (path: string): string[] => path.split("/").filter((part) => part !== "");
const fits = (part: string, asked: string | undefined): boolean => part.startsWith("$") || part === asked;
const wildcards = (parts: readonly string[]): number => parts.filter((part) => part.startsWith("$")).length;
