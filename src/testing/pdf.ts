import { deflateSync } from "node:zlib";

/** One line of text on a page: where it begins, in points from the lower left corner, and its size. */
export interface PdfLine {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
}

/** A page of A4, 595 × 842 points. */
export type PdfPage = readonly PdfLine[];

interface PdfOptions {
  /** Compresses the pages' contents; default false. */
  readonly compress?: boolean;
  /** Pretends to need a password: readers that honour it cannot open the file. */
  readonly encrypted?: boolean;
}

/**
 * Makes a small PDF in Helvetica, for tests. Text must be of Latin letters; each line is drawn in the order given, which
 * need not be the order in which people read.
 */
export function makePdf(
  pages: readonly PdfPage[],
  { compress = false, encrypted = false }: PdfOptions = {},
): Buffer {
  const objects: Buffer[] = [];
  const add = (content: string | Buffer) => objects.push(Buffer.from(content));
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  for (const [index, page] of pages.entries()) {
    const resources = "<< /Font << /F1 3 0 R >> >>";
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources ${resources} /Contents ${5 + index * 2} 0 R >>`,
    );
    add(pdfStream(page.map(drawLine).join("\n"), compress));
  }
  if (encrypted) {
    const hash = "0".repeat(64);
    add(`<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${hash}> /U <${hash}> >>`);
  }
  return assemblePdf(objects, encrypted ? `/Encrypt ${objects.length} 0 R /ID [<00> <00>]` : "");
}

/**
 * Lines of two columns, drawn row by row across both, as some programs write them: only where they stand tells the order.
 * @param columns the lines of the left and of the right column, about 45 characters each
 */
export function twoColumns(
  columns: readonly [readonly string[], readonly string[]],
  heading?: string,
): PdfPage {
  const lines: PdfLine[] = heading === undefined ? [] : [{ x: 60, y: 790, text: heading, size: 14 }];
  const [left, right] = columns;
  for (let row = 0; row < Math.max(left.length, right.length); row++) {
    const y = 750 - row * 13;
    const [first, second] = [left[row], right[row]];
    if (first !== undefined) lines.push({ x: 60, y, text: first });
    if (second !== undefined) lines.push({ x: 310, y, text: second });
  }
  return lines;
}

function drawLine({ x, y, text, size = 10 }: PdfLine): string {
  return `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text.replaceAll(/[\\()]/g, "\\$&")}) Tj ET`;
}

/** An object that holds such a content. */
export function pdfStream(content: string, compress: boolean): Buffer {
  const plain = Buffer.from(content, "latin1");
  const bytes = compress ? deflateSync(plain) : plain;
  const filter = compress ? " /Filter /FlateDecode" : "";
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length}${filter} >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

/**
 * A file of these objects, of which the first is the catalogue.
 * @param trailer further entries of the trailer
 */
export function assemblePdf(objects: readonly Buffer[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let size = parts[0]?.length ?? 0;
  const push = (part: Buffer) => {
    parts.push(part);
    size += part.length;
  };
  for (const [index, object] of objects.entries()) {
    offsets.push(size);
    push(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]));
  }
  const start = size;
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`));
  push(
    Buffer.from(
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
