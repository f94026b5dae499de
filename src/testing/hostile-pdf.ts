import { deflateSync } from "node:zlib";
import { assemblePdf, pdfStream } from "./pdf.ts";

/** What stands where in a PDF of one page; what is left out is as in any small one. */
interface Parts {
  readonly pages?: string;
  readonly page?: string;
  readonly content?: Buffer;
  readonly more?: readonly (string | Buffer)[];
}

function onePage({ pages = "/Count 1", page = "", content, more = [] }: Parts): Buffer {
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [3 0 R] ${pages} >>`,
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R ${page || "/Resources << /Font << /F1 5 0 R >> >>"} >>`,
    content ?? pdfStream("BT /F1 10 Tf 60 60 Td (x) Tj ET", false),
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...more,
  ];
  return assemblePdf(objects.map((object) => Buffer.from(object)));
}

/** A stream that is packed as often as it is named: each time a thousandth of the size. */
function packed(content: Buffer, times = 1): Buffer {
  let bytes = content;
  for (let round = 0; round < times; round++) bytes = deflateSync(bytes);
  const filters = "/FlateDecode ".repeat(times);
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} /Filter [${filters}] >>\nstream\n`),
    bytes,
    Buffer.from("\nendstream"),
  ]);
}

/** PDFs that are small and made to hurt whoever reads them, by name. `mb` is how much of it there is where that can be chosen. */
export const hostilePdfs = {
  /** Operators that a page is drawn with, packed a thousand times smaller. */
  operators: (mb: number) => onePage({ content: packed(Buffer.alloc(mb * 1_000_000, "0 0 m ")) }),
  /** Zeros, packed twice: a million times smaller. */
  packedTwice: (mb: number) => onePage({ content: packed(Buffer.alloc(mb * 1_000_000), 2) }),
  /** One text without end. */
  longString: (mb: number) =>
    onePage({
      content: packed(Buffer.from(`BT /F1 10 Tf 60 60 Td (${"a".repeat(mb * 1_000_000)}) Tj ET`)),
    }),
  /** A page count that nobody can have. */
  pageCount: () => onePage({ pages: "/Count 1000000000" }),
  /** A tree of pages that holds itself. */
  pageCycle: () => onePage({ pages: "/Count 4000 /Parent 2 0 R", page: "/Kids [2 0 R 3 0 R]" }),
  /** Lists in lists, in what a page is drawn with. */
  nesting: (mb: number) => onePage({ content: packed(Buffer.alloc(mb * 1_000_000, "[")) }),
  /** A picture that says that it has ten thousand million points. */
  picture: () =>
    onePage({
      content: pdfStream("q 100 0 0 100 0 0 cm /I Do Q BT /F1 10 Tf 60 60 Td (beside it) Tj ET", false),
      page: "/Resources << /Font << /F1 5 0 R >> /XObject << /I 6 0 R >> >>",
      more: [
        "<< /Type /XObject /Subtype /Image /Width 100000 /Height 100000 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Length 3 >>\nstream\nabc\nendstream",
      ],
    }),
} as const;
