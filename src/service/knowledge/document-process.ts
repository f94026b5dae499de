import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
// Without it the library would load it at the first PDF, on that file's account.
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
import type { PDFDocumentProxy, TextItem as PdfItem } from "pdfjs-dist/types/src/display/api.js";
import type { ProcessAnswer, ProcessRequest } from "./document-reader.ts";
import { decodeText } from "./file-kind.ts";
import { htmlText } from "./html-text.ts";
import { watchMemory } from "./memory-watch.ts";
import { joinLines, normalText } from "./normal-text.ts";
import { pageText } from "./page-text.ts";
import { cutPassages, type DocumentPage } from "./passages.ts";
import type { ProcessMessage } from "./reader-processes.ts";

/** The process of the document reader: whatever a file does to its program, it does here. */

type Limits = ProcessRequest["limits"];

/** A file that cannot be read, in a sentence for the person who sent it. */
class Unreadable extends Error {}

/** Where the library has its fonts and tables of letters. */
const folder = dirname(
  dirname(dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")))),
);

type Pages = Extract<ProcessAnswer, { type: "pages" }>;

async function answer({ wanted, ...request }: ProcessRequest): Promise<ProcessAnswer> {
  const read = await readPages(request);
  return wanted === "pages" ? read : { type: "passages", passages: cutPassages(read.pages) };
}

async function readPages({ kind, bytes, limits }: Omit<ProcessRequest, "wanted">): Promise<Pages> {
  if (kind === "pdf") return readPdf(bytes, limits);
  const text = decodeText(bytes);
  if (text.length > limits.characters) throw tooLong(limits);
  const page = { page: null, text: normalText(kind === "html" ? htmlText(text) : text) };
  if (page.text.trim() === "") throw new Unreadable("The file contains no text.");
  return { type: "pages", pages: [page], pageCount: null };
}

async function readPdf(bytes: Uint8Array, limits: Limits): Promise<Pages> {
  const task = getDocument({
    data: new Uint8Array(bytes),
    // Nothing of a file runs, and nothing is drawn: only its text is asked for.
    isEvalSupported: false,
    useWasm: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    cMapUrl: `${join(folder, "cmaps")}/`,
    cMapPacked: true,
    standardFontDataUrl: `${join(folder, "standard_fonts")}/`,
    verbosity: 0,
  });
  try {
    const document = await task.promise.catch((error: unknown) => {
      throw new Unreadable(whyBroken(error));
    });
    if (document.numPages > limits.pages) {
      throw new Unreadable(`The PDF has ${document.numPages} pages; at most ${limits.pages} can be read.`);
    }
    const pages: DocumentPage[] = [];
    let characters = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const text = await readPage(document, number);
      characters += text.length;
      if (characters > limits.characters) throw tooLong(limits);
      pages.push({ page: number, text });
    }
    if (characters === 0) {
      throw new Unreadable("The PDF contains no text: its pages are images, which this service cannot read.");
    }
    return { type: "pages", pages, pageCount: document.numPages };
  } finally {
    await task.destroy();
  }
}

async function readPage(document: PDFDocumentProxy, number: number): Promise<string> {
  try {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    const drawn = items.flatMap((item) => ("str" in item ? [place(item)] : []));
    return joinLines(normalText(pageText(drawn)));
  } catch (error) {
    throw new Unreadable(`Page ${number} of the PDF is damaged: ${sentence(error)}`);
  }
}

function place({ str, transform, width, height }: PdfItem) {
  const [a = 0, b = 0, , , x = 0, y = 0]: number[] = transform;
  return { text: str, x, y, width, size: height || Math.hypot(a, b) || 1 };
}

function whyBroken(error: unknown): string {
  const name = error instanceof Error ? error.name : "";
  if (name === "PasswordException") return "The PDF is encrypted: remove its password and add it again.";
  return `The PDF is damaged: ${sentence(error)}`;
}

function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `${text.split("\n")[0]?.slice(0, 300).replace(/\.$/, "")}.`;
}

function tooLong({ characters }: Limits): Unreadable {
  return new Unreadable(`The file holds more than ${characters / 1_000_000} million characters.`);
}

const memoryMb = Number(process.argv[2]);
const begun = process.memoryUsage.rss();
watchMemory(memoryMb);
// Ctrl-C reaches all processes of a terminal: the service decides when this one ends.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("disconnect", () => process.exit());

const send = (message: ProcessMessage) => process.send?.(message);

process.on("message", async (request: ProcessRequest) => {
  const found = await answer(request).catch((error: unknown): ProcessAnswer => {
    const reason =
      error instanceof Unreadable ? error.message : `The file cannot be read: ${sentence(error)}`;
    return { type: "unreadable", reason };
  });
  // What one file leaves behind must not be what the next one fails of.
  const grown = (process.memoryUsage.rss() - begun) / 1024 / 1024;
  send({ type: "answer", answer: found, isSpent: grown > memoryMb / 2 });
});
send({ type: "ready" });
