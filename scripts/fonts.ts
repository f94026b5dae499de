import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

/** A font of the console: the file that pages load, and the package's file that it is made of. */
interface Font {
  readonly file: string;
  readonly source: string;
  /** The layout features that stay, by their OpenType tags. */
  readonly features: readonly string[];
}

/** Accents stand where they belong, and letters as far apart as they should. */
const always = ["ccmp", "locl", "mark", "mkmk", "kern"];

/**
 * Each page waits for its font, so the files hold what the console shows and no more: letters are drawn as they were written
 * (no `->` becomes an arrow), figures can stand below each other, and no weight is thinner than normal or heavier than bold.
 */
const fonts: readonly Font[] = [
  {
    file: "inter-latin-wght.woff2",
    source: "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
    features: [...always, "tnum"],
  },
  {
    file: "jetbrains-mono-latin-wght.woff2",
    source: "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2",
    features: always,
  },
];

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Where the letters of these fonts end: the last one is U+FFFD. */
const letters = String.fromCodePoint(...Array.from({ length: 0xfffe }, (_, code) => code).filter(isLetter));

/** Half a letter of two is none. */
function isLetter(code: number): boolean {
  return code < 0xd800 || code > 0xdfff;
}

/**
 * Makes the console's fonts of their packages' files.
 * @returns each file's path from the root of the repository, and what belongs into it
 */
export async function makeFonts(): Promise<ReadonlyMap<string, Buffer>> {
  const made = new Map<string, Buffer>();
  for (const { file, source, features } of fonts) {
    const font = await readFile(fromRoot(`node_modules/${source}`));
    const options = { targetFormat: "woff2", variationAxes: { wght: { min: 400, max: 700 } } } as const;
    made.set(`public/fonts/${file}`, await subsetFont(font, letters, { ...options, keepFeatures: features }));
  }
  return made;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [path, font] of await makeFonts()) {
    await writeFile(fromRoot(path), font);
    console.log(`${path}: ${font.length} bytes`);
  }
