import { Blob as WholeBlob } from "node:buffer";
import { crc32 } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { decode, readLines, readTable } from "./tables.ts";
import { readSheets } from "./workbook.ts";
import { writeZip } from "./zip.ts";

// The one of jsdom can neither be read nor streamed.
vi.stubGlobal("Blob", WholeBlob);

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

describe("tables", () => {
  it("have their first row as head, and know which columns are figures", () => {
    const { facts, rows } = readTable('lane,eur,note\nNL-DE,"1,708.21",x\nNL-PL,−3.1,"a\nb"\n');
    expect(facts).toMatchObject({ rows: 2, header: ["lane", "eur", "note"], isFigure: [false, true, false] });
    expect(rows[1]).toEqual(["NL-PL", "−3.1", "a\nb"]);
  });

  it("find their separator, and keep rows of any length", () => {
    expect(readTable("a\tb\n1\t2\t3\n").facts.header).toEqual(["a", "b", ""]);
    expect(readTable("a;b\n1;2\n").facts.header).toEqual(["a", "b"]);
  });

  it("are split at tabs where each row has as many, whatever other separators its cells have", () => {
    expect(readTable("DE, Berlin\t3\nNL, Delft\t4\n").rows).toEqual([["NL, Delft", "4"]]);
    expect(readTable('a,b\n"x\ty",1\n').rows).toEqual([["x\ty", "1"]]);
  });

  it("are empty where there is nothing", () => {
    expect(readTable("").facts.rows).toBe(0);
    expect(readLines("").facts.rows).toBe(0);
  });

  it("C-09: are read at once with any number of empty rows in them", { timeout: 2_000 }, () => {
    const { facts, rows } = readTable(`a,b\n${"\n".repeat(100_000)}1,2\n\n`);
    expect([facts.rows, rows.at(-1)]).toEqual([100_001, ["1", "2"]]);
  });

  it("keep values as they are in the file", () => {
    const { rows } = readTable("id,date\n9007199254740993,2026-11-20\n007,=1+1\n");
    expect(rows).toEqual([
      ["9007199254740993", "2026-11-20"],
      ["007", "=1+1"],
    ]);
  });

  it("read bytes by their mark", () => {
    expect(decode(new Uint8Array([0xff, 0xfe, 0x61, 0]).buffer)).toBe("a");
    expect(decode(bytesOf("\uFEFFa"))).toBe("a");
  });

  it("are read as Excel writes them in the West, where nothing in them is UTF-8; damaged UTF-8 stays what it is", () => {
    const western = new Uint8Array([...new TextEncoder().encode("Stra"), 0xdf, 0x65]);
    expect(decode(western)).toBe("Straße");
    const damaged = new Uint8Array([...new TextEncoder().encode("Straße "), 0xdf]);
    expect(decode(damaged)).toBe("Straße \uFFFD");
  });
});

/** A workbook of one sheet, packed by hand. */
function workbook(sheet: string): ArrayBuffer | Promise<ArrayBuffer> {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006/relationships";
  const files: Record<string, string> = {
    "xl/workbook.xml": `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="Rates" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}"><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return writeZip(
    Object.entries(files).map(([name, text]) => {
      const bytes = new TextEncoder().encode(text);
      const facts = { name, method: 0, crc: crc32(bytes), packedSize: bytes.length, size: bytes.length };
      return { ...facts, time: 0, date: 0x21, packed: new Blob([bytes]) };
    }),
  ).arrayBuffer();
}

describe("workbooks", () => {
  it("are read sheet by sheet, with numbers as they are written", async () => {
    const cell = (at: string, value: string) => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
    const sheets = await readSheets(
      await workbook(
        `<row r="1">${cell("A1", "lane")}${cell("B1", "eur")}</row><row r="2">${cell("A2", "NL-DE")}<c r="B2"><v>90071992547409931</v></c></row>`,
      ),
    );
    expect(sheets[0]?.facts).toMatchObject({ name: "Rates", rows: 1, header: ["lane", "eur"] });
    expect(sheets[0]?.rows[0]).toEqual(["NL-DE", "90071992547409931"]);
  });

  it("show an error of a formula as it is stored", async () => {
    const cells = '<c r="A1" t="str"><v>sum</v></c><c r="B1"><v>7</v></c>';
    const errors = '<c r="A2" s="0" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="B2" t="e"><v>#REF!</v></c>';
    const sheets = await readSheets(await workbook(`<row r="1">${cells}</row><row r="2">${errors}</row>`));
    expect(sheets[0]?.rows).toEqual([["#DIV/0!", "#REF!"]]);
  });

  it("C-10: are told from damaged ones where a password protects them", async () => {
    // Excel puts an encrypted workbook into a container of another form.
    const container = new Uint8Array(1_024);
    container.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    await expect(readSheets(container.slice().buffer)).rejects.toMatchObject({ kind: "broken" });
    container.set(
      [..."EncryptedPackage"].flatMap((one) => [one.charCodeAt(0), 0]),
      512,
    );
    await expect(readSheets(container.buffer)).rejects.toMatchObject({ kind: "protected" });
  });

  it("C-10: are an error where they are none", async () => {
    await expect(readSheets(bytesOf("not a workbook at all"))).rejects.toMatchObject({ kind: "broken" });
  });
});
