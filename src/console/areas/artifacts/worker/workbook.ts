import readWorkbook from "read-excel-file/universal";
import { type Sheet, sheetOf } from "./tables.ts";
import { type PackedFile, readZip, unpackedBytes, writeZip, ZipError } from "./zip.ts";

/** A small file can unpack to anything: more than this is not read, in bytes. */
const mostUnpacked = 300_000_000;

/** The sheets of an XLSX file, with values as they are in it. @throws ZipError, or whatever the reader throws */
export async function readSheets(bytes: ArrayBuffer): Promise<readonly Sheet[]> {
  if (isEncrypted(bytes)) throw new ZipError("protected", "Protected by a password");
  const sheets = await readWorkbook(await unpacked(new Blob([bytes])), {
    // As it is written: a number of 17 digits stays one.
    parseNumber: (text: string) => text,
  });
  return sheets.map(({ sheet, data }) =>
    sheetOf(
      sheet,
      data.map((row) => row.map(cellText)),
    ),
  );
}

/** How a compound file begins ([MS-CFB]): a workbook with a password is a stream in one, and no archive. */
const compound = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

function isEncrypted(bytes: ArrayBuffer): boolean {
  const head = new Uint8Array(bytes, 0, Math.min(compound.length, bytes.byteLength));
  if (!compound.every((byte, at) => head[at] === byte)) return false;
  return new TextDecoder("utf-16le").decode(bytes).includes("EncryptedPackage");
}

/**
 * The same archive with its files unpacked and stored: this reader would start further workers for packed ones, which
 * our policy does not let it, and would unpack without a limit.
 */
async function unpacked(archive: Blob): Promise<Blob> {
  const files: PackedFile[] = [];
  let left = mostUnpacked;
  for (const entry of await readZip(archive)) {
    if (!/\.(xml|rels)$/i.test(entry.name)) continue;
    const plain = await unpackedBytes(archive, entry, left);
    left -= plain.size;
    const packed = entry.name.startsWith("xl/worksheets/") ? await withErrors(plain) : plain;
    files.push({ ...entry, method: 0, packed, packedSize: packed.size, size: packed.size });
  }
  if (files.length === 0) throw new ZipError("broken", "No workbook");
  return writeZip(files);
}

/** A sheet whose errors (`#REF!`) are the texts as which they are stored: this reader gives nothing for them. */
async function withErrors(sheet: Blob): Promise<Blob> {
  const xml = await sheet.text();
  if (!/\st=["']e["']/.test(xml)) return sheet;
  return new Blob([xml.replaceAll(/(<(?:\w+:)?c\s[^<>]*?\bt=)["']e["']/g, '$1"str"')]);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) return "";
    const text = value.toISOString();
    return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 19).replace("T", " ");
  }
  return typeof value === "boolean" ? (value ? "TRUE" : "FALSE") : String(value);
}
