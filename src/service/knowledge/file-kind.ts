import { endingOf, mediaTypeOfText, pdfType } from "../files/media-type.ts";
import { decodeWindows1252 } from "../windows-1252.ts";

/** How a file is read. */
export type FileKind = "text" | "markdown" | "html" | "pdf";

const byEnding: Readonly<Record<string, FileKind>> = {
  pdf: "pdf",
  md: "markdown",
  markdown: "markdown",
  html: "html",
  htm: "html",
  xhtml: "html",
  txt: "text",
  text: "text",
  log: "text",
  rst: "text",
  csv: "text",
  tsv: "text",
  json: "text",
  xml: "text",
  yaml: "text",
  yml: "text",
};

export type DetectedFile =
  | { readonly type: "ok"; readonly kind: FileKind; readonly mediaType: string }
  /** A sentence for the person who sent the file. */
  | { readonly type: "refused"; readonly reason: string };

/**
 * What a file is, by its name and its first bytes: a PDF is one whatever its name says, and nothing else is. Before its mark
 * other bytes may stand; in what is named a text they may be of the text, which speaks of PDFs.
 */
export function detectFileKind(name: string, bytes: Uint8Array): DetectedFile {
  if (bytes.length === 0) return refused("The file is empty.");
  const mark = Buffer.from(bytes.subarray(0, 1_024)).indexOf("%PDF-");
  const ending = endingOf(name) || "txt";
  const known = Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined;
  const isPdf = mark === 0 || (mark > 0 && (known === undefined || known === "pdf"));
  if (isPdf) return { type: "ok", kind: "pdf", mediaType: pdfType };
  if (known === undefined) {
    return refused(
      `Files that end with .${ending.slice(0, 20)} cannot be read: text, Markdown, HTML and PDF can.`,
    );
  }
  if (known === "pdf") return refused("The file is named .pdf, but is not a PDF.");
  if (!hasMarkOfUtf16(bytes) && bytes.includes(0))
    return refused("The file is not text: it contains NUL bytes.");
  return { type: "ok", kind: known, mediaType: mediaTypeOfText(name, "") };
}

/**
 * The text of a file in the encoding that it has: UTF-8, UTF-16 with its mark, else Windows-1252, in which older
 * programs write.
 */
export function decodeText(bytes: Uint8Array): string {
  if (hasMarkOfUtf16(bytes))
    return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return decodeWindows1252(bytes);
  }
}

function hasMarkOfUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

function refused(reason: string): DetectedFile {
  return { type: "refused", reason };
}
