import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { listFiles, root } from "./source-files.ts";

/** A file and its text. */
export interface Text {
  readonly path: string;
  readonly text: string;
}

/** Where references lead: the headings of docs/interface.md, the codes of docs/faults.md, the documents. */
export interface Targets {
  readonly sections: ReadonlySet<string>;
  readonly codes: ReadonlySet<string>;
  /** From the root, such as `docs/interface.md`. */
  readonly documents: ReadonlySet<string>;
}

/** One row of docs/faults.md. */
export interface FaultRow {
  readonly code: string;
  /** The last cell: the tests, or why there is none. */
  readonly shownBy: string;
}

const read = (path: string) => ({ path, text: readFileSync(join(root, path), "utf8") });
const documents = ["README.md", "ARCHITECTURE.md", ...listFiles("docs", [".md"])];

/** Every text in which a reference may stand. */
export function referringTexts(): Text[] {
  const folders = ["src", "e2e", "scripts", "bench"];
  const code = folders.flatMap((folder) => listFiles(folder, [".ts", ".tsx", ".css", ".mjs"]));
  const examples = listFiles("src/contract/golden", [".json"]);
  return [...code, ...examples, ...documents].map(read);
}

/** The headings of a document; of `4.2 State of a run` both the number and the words, and the whole. */
export function headingsOf(document: string): ReadonlySet<string> {
  const headings = [...document.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? "");
  return new Set(
    headings.flatMap((heading) => {
      const [, number, words] = /^(\d+(?:\.\d+)*) (.+)$/.exec(heading) ?? [];
      return number === undefined || words === undefined ? [heading] : [heading, number, words];
    }),
  );
}

/** The rows of the tables of docs/faults.md. */
export function faultRows(document: string): FaultRow[] {
  const rows = document.split("\n").filter((line) => /^\| [A-Z]-\d+ +\|/.test(line));
  return rows.map((row) => {
    const cells = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { code: cells[1] ?? "", shownBy: cells.at(-2) ?? "" };
  });
}

/** Where the references of this repository lead. */
export function readTargets(): Targets {
  return {
    sections: headingsOf(read("docs/interface.md").text),
    codes: new Set(faultRows(read("docs/faults.md").text).map(({ code }) => code)),
    documents: new Set(documents),
  };
}

/** A code: two digits or three, so that sizes, sets of letters and lines of a drawing are none. */
const code = /(?<![\w-])(?:[CS]-\d{2,3}|I-\d)(?![\w-])/g;
const section = /§ ?(\d+(?:\.\d+)*)?/g;
/** Other standards have sections too, and drawings have curves. */
const foreign = /\bRFC \d+ §[\d.]+|\bd="[^"]*"/g;
const comment = /^\s*(?:\/\/|\/?\*).*$|\{\/\*.*\*\/\}/gm;

/** What a text refers to and that is not there. */
export function leadsNowhere({ path, text }: Text, targets: Targets): string[] {
  const own = text.replaceAll(foreign, "");
  const codes = [...own.matchAll(code)].map(([found]) => found).filter((found) => !targets.codes.has(found));
  const sections = [...own.matchAll(section)]
    .filter(([, number]) => number === undefined || !targets.sections.has(number))
    .map(([found]) => found.trim());
  return [...codes, ...sections, ...(path.endsWith(".md") ? [] : ofComments(own, targets))];
}

/** Documents that comments name, and headings of docs/interface.md that they quote; what is quoted is data. */
function ofComments(text: string, targets: Targets): string[] {
  const comments = (text.match(comment) ?? []).join(" ").replaceAll(/\s+\*\s+/g, " ");
  const words = comments.replaceAll(/`[^`]*`/g, "");
  const named = (words.match(/(?<!["\w./-])[\w./-]+\.md\b/g) ?? []).filter(
    (name) => !targets.documents.has(name),
  );
  const quoted = [...words.matchAll(/docs\/interface\.md,((?:(?: and)? "[^"]+")+)/g)]
    .flatMap(([, names = ""]) => [...names.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? ""))
    .filter((heading) => !targets.sections.has(heading));
  return [...named, ...quoted.map((heading) => `"${heading}"`)];
}

const isTest = ({ path }: Text) => /\.(?:test|spec)\.tsx?$/.test(path);

/**
 * What is wrong with the tests that a row names as `file › title`: the file's name and the whole title as its source has
 * it. The folder is left out, so that a file may move.
 */
export function wrongTests({ code, shownBy }: FaultRow, texts: readonly Text[]): string[] {
  if (shownBy.startsWith("no test")) return [];
  const named = [...shownBy.matchAll(/`([^`]+) › ([^`]+)`/g)];
  if (named.length === 0) return [`${code} names no test, and does not say so`];
  return named.flatMap(([, file = "", title = ""]) => {
    const files = texts.filter((one) => isTest(one) && basename(one.path) === file);
    if (files.length === 0) return [`${code}: there is no ${file}`];
    const written = title.replaceAll("\\|", "|");
    const has = ({ text }: Text) => ['"', "'", "`"].some((quote) => text.includes(quote + written + quote));
    return files.some(has) ? [] : [`${code}: ${file} has no test “${written}”`];
  });
}
