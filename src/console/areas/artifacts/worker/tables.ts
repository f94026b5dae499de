import Papa from "papaparse";

/** One table of a file; lines are a table of one column without a head. */
export interface SheetFacts {
  readonly name: string;
  /** Rows below the head. */
  readonly rows: number;
  readonly header: readonly string[];
  /** The longest cell of each column among those that were looked at, in characters. */
  readonly widths: readonly number[];
  /** Columns of figures, which stand at the right. */
  readonly isFigure: readonly boolean[];
  /** The file has more rows or columns than are kept. */
  readonly isCut: boolean;
}

/** A table as the worker keeps it. */
export interface Sheet {
  readonly facts: SheetFacts;
  readonly rows: readonly (readonly string[])[];
}

const mostRows = 1_000_000;
const mostColumns = 1_000;
/** Widths and figures are judged by so many rows. */
const looked = 300;
const figure = /^[+\-−]?(?:\d{1,3}(?:[ ,.']\d{3})*|\d*)(?:[.,]\d+)?(?:e[+-]?\d+)?\s?%?$/i;

/**
 * Bytes as text: by their byte order mark, else UTF-8, in which what is none becomes U+FFFD. Where that would become of all
 * that is more than ASCII, it is Windows-1252, in which Excel writes CSV.
 */
export function decode(bytes: ArrayBuffer | Uint8Array): string {
  const [a, b] = ArrayBuffer.isView(bytes) ? bytes : new Uint8Array(bytes);
  const encoding = a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes);
  const isOther = encoding === "utf-8" && text.includes("\uFFFD") && !/[^\0-\x7F\uFFFD]/.test(text);
  return isOther ? new TextDecoder("windows-1252").decode(bytes) : text;
}

/** A text as rows of one column. A last line without an end counts; an empty text has none. */
export function readLines(text: string): Sheet {
  const lines = text === "" ? [] : text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === "") lines.pop();
  const kept = lines.length > mostRows ? lines.slice(0, mostRows) : lines;
  let longest = 0;
  for (const line of kept) longest = Math.max(longest, line.length);
  return {
    rows: kept.map((line) => [line]),
    facts: {
      name: "",
      rows: kept.length,
      header: [],
      widths: [longest],
      isFigure: [false],
      isCut: lines.length > kept.length,
    },
  };
}

/** CSV or TSV with whatever separator it has; its first row is the head. */
export function readTable(text: string): Sheet {
  // An empty last row would count against every separator that it is guessed from.
  const whole = text.replace(/(?<![\r\n])[\r\n]+$/, "");
  const { data } = Papa.parse<string[]>(whole, {
    skipEmptyLines: false,
    ...(isTabbed(whole) && { delimiter: "\t" }),
  });
  while (data.length > 0 && data.at(-1)?.every((cell) => cell === "")) data.pop();
  return sheetOf("", data);
}

/** Lines that are looked at, as many as the parser looks at itself. */
const beginning = 10;

/** Whether each row has as many tabs: then commas are of the cells, which the parser would split where there are more. */
function isTabbed(text: string): boolean {
  const counts = new Set(text.split(/\r\n|\r|\n/, beginning).map((line) => line.split("\t").length));
  return counts.size === 1 && !counts.has(1);
}

/** Rows as a sheet: the first is the head; what is more than can be shown is cut and said so. */
export function sheetOf(name: string, all: readonly (readonly string[])[]): Sheet {
  const [first = [], ...rest] = all;
  let columns = first.length;
  for (const row of rest) columns = Math.max(columns, row.length);
  const kept = Math.min(columns, mostColumns);
  const rows = rest.length > mostRows ? rest.slice(0, mostRows) : rest;
  const header = Array.from({ length: kept }, (_, column) => first[column] ?? "");
  const seen = rows.slice(0, looked);
  const facts: SheetFacts = {
    name,
    rows: rows.length,
    header,
    widths: header.map((word, column) =>
      seen.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), word.length),
    ),
    isFigure: header.map((_, column) => isFigures(seen.map((row) => row[column] ?? ""))),
    isCut: rows.length < rest.length || kept < columns,
  };
  return { facts, rows };
}

function isFigures(cells: readonly string[]): boolean {
  const told = cells.filter((cell) => cell.trim() !== "");
  const figures = told.filter((cell) => /\d/.test(cell) && figure.test(cell.trim()));
  return told.length > 0 && figures.length >= told.length * 0.9;
}
