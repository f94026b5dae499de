import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parentPort } from "node:worker_threads";
import type { TextItem as PdfItem } from "pdfjs-dist/types/src/display/api.js";
import type { DocumentRequest, ThreadAnswer, ThreadRequest } from "./document-reader.ts";
import { decodeText } from "./file-kind.ts";
import { htmlText } from "./html-text.ts";
import { joinLines, normalText } from "./normal-text.ts";
import { pageText } from "./page-text.ts";
import { cutPassages, type DocumentPage } from "./passages.ts";

/** The thread of the document reader: whatever a file does to its program, it does here. */

const maxPages = 5_000;
const maxCharacters = 20_000_000;

/** A file that cannot be read, in a sentence for the person who sent it. */
class Unreadable extends Error {}

type Pages = Extract<ThreadAnswer, { type: "pages" }>;

async function answer({ wanted, ...request }: ThreadRequest): Promise<ThreadAnswer> {
  const read = await readPages(request);
  return wanted === "pages" ? read : { type: "passages", passages: cutPassages(read.pages) };
}

async function readPages({ kind, bytes }: DocumentRequest): Promise<Pages> {
  if (kind === "pdf") return readPdf(bytes);
  const text = decodeText(bytes);
  if (text.length > maxCharacters) throw tooLong();
  const page = { page: null, text: normalText(kind === "html" ? htmlText(text) : text) };
  if (page.text.trim() === "") throw new Unreadable("The file contains no text.");
  return { type: "pages", pages: [page], pageCount: null };
}

async function readPdf(bytes: Uint8Array): Promise<Pages> {
  const { getDocument } = await import("pdfjs-dist/legacy/build/pdf.mjs");
  const folder = dirname(
    dirname(dirname(fileURLToPath(import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")))),
  );
  const task = getDocument({
    data: bytes,
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
    if (document.numPages > maxPages) {
      throw new Unreadable(`The PDF has ${document.numPages} pages; at most ${maxPages} can be read.`);
    }
    const pages: DocumentPage[] = [];
    let characters = 0;
    for (let number = 1; number <= document.numPages; number++) {
      const text = await readPage(document, number);
      characters += text.length;
      if (characters > maxCharacters) throw tooLong();
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

type Pdf = Awaited<ReturnType<typeof import("pdfjs-dist")["getDocument"]>["promise"]>;

async function readPage(document: Pdf, number: number): Promise<string> {
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

function tooLong(): Unreadable {
  return new Unreadable(`The file holds more than ${maxCharacters / 1_000_000} million characters.`);
}

parentPort?.on("message", (request: ThreadRequest) => {
  answer(request).then(
    (found) => parentPort?.postMessage(found),
    (error: unknown) => {
      const reason =
        error instanceof Unreadable ? error.message : `The file cannot be read: ${sentence(error)}`;
      parentPort?.postMessage({ type: "unreadable", reason } satisfies ThreadAnswer);
    },
  );
});
