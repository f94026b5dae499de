import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { capabilities } from "../contract/console.ts";
import type { Endpoint } from "../contract/define.ts";
import { endpoints } from "../contract/endpoints.ts";
import { errorCatalogue } from "../contract/errors.ts";
import {
  faultRows,
  headingsOf,
  leadsNowhere,
  readTargets,
  referringTexts,
  type Targets,
  wrongTests,
} from "./references.ts";
import { listFiles, root } from "./source-files.ts";

/** Here and in `references.ts` stand samples and patterns. */
const itself = /^src\/testing\/references(?:\.test)?\.ts$/;
const texts = referringTexts().filter(({ path }) => !itself.test(path));
const targets = readTargets();
const read = (path: string) => readFileSync(join(root, path), "utf8");
const table: Endpoint[] = Object.values(endpoints);

describe("a reference", () => {
  it("leads to a heading of docs/interface.md, a row of docs/faults.md or a document", () => {
    const found = texts.flatMap((text) => leadsNowhere(text, targets).map((name) => `${text.path}: ${name}`));
    expect(found).toEqual([]);
  });

  it("is seen where it leads nowhere, and not in what only looks like one", () => {
    const known: Targets = {
      sections: new Set(["4.2", "Errors"]),
      codes: new Set(["S-12"]),
      documents: new Set(["docs/interface.md"]),
    };
    const of = (text: string) => leadsNowhere({ path: "src/x.ts", text }, known);
    expect(of('// §4.2, S-12 (docs/interface.md), as docs/interface.md, "Errors" says')).toEqual([]);
    expect(of('it("§4.3: is S-13 to C-99, as I-8 says", …)')).toEqual(["S-13", "C-99", "I-8", "§4.3"]);
    expect(of('/** As the decisions say (§ "Errors", nothing.md). */')).toEqual(["§", "nothing.md"]);
    expect(of('/** As docs/interface.md, "Errors" and\n * "Nothing" say. */')).toEqual(['"Nothing"']);
    expect(of("// RFC 9110 §15.4.5, C-3PO, S-1, UTF-16, AES-256, NL-0, UC-12, S-1234, `notes.md`")).toEqual(
      [],
    );
    expect(of('<path d="M0 0 C-12 4 S-10 2 0 0" />')).toEqual([]);
  });
});

describe("docs/faults.md", () => {
  const rows = faultRows(read("docs/faults.md"));

  it("has each code once", () => {
    const codes = rows.map(({ code }) => code);
    expect(codes.length).toBeGreaterThan(90);
    expect(codes.filter((code, at) => codes.indexOf(code) !== at)).toEqual([]);
  });

  it("names tests that are there, for each row, or says that there is none", () => {
    expect(rows.flatMap((row) => wrongTests(row, texts))).toEqual([]);
  });

  it("is seen to name a test that is not there", () => {
    const there = [{ path: "src/some/where/a.test.ts", text: 'it("S-01: holds", () => {})' }];
    const wrong = (shownBy: string) => wrongTests({ code: "S-01", shownBy }, there);
    expect(wrong("`a.test.ts › S-01: holds`")).toEqual([]);
    expect(wrong("no test")).toEqual([]);
    expect(wrong("`b.test.ts › S-01: holds`")).toEqual(["S-01: there is no b.test.ts"]);
    expect(wrong("`a.test.ts › S-01: hol`")).toEqual(["S-01: a.test.ts has no test “S-01: hol”"]);
    expect(wrong("")).toEqual(["S-01 names no test, and does not say so"]);
  });
});

describe("docs/interface.md", () => {
  const document = read("docs/interface.md");
  const headings = headingsOf(document);

  it("has every endpoint, every extension and every code of an error, as the contract has them", () => {
    const wanted = [
      ...table.map(({ method, path }) => `${method} ${path}`),
      ...capabilities.map((name) => `\`${name}\``),
      ...Object.keys(errorCatalogue).map((code) => `\`${code}\``),
    ];
    const lacking = wanted.filter((name) => !document.includes(name));
    expect(lacking, "what docs/interface.md does not say").toEqual([]);
  });

  it("has every code of an error in the row of its status", () => {
    const rows = new Map(
      [...document.matchAll(/^\| (\d{3}) +\| (`[a-z_]+`.*)$/gm)].map((row) => [row[1], row[2]]),
    );
    const lacking = Object.entries(errorCatalogue).filter(
      ([code, { status }]) => !rows.get(String(status))?.includes(`\`${code}\``),
    );
    expect(lacking.map(([code]) => code)).toEqual([]);
  });

  it("has the section that each endpoint says it implements", () => {
    const named = table.map(({ section }) => section.replace("§", ""));
    const lacking = named.filter((section) => !headings.has(section));
    expect(lacking, "headings that docs/interface.md does not have").toEqual([]);
  });

  it("has the sections that the examples of the contract come from", () => {
    const example = z.array(z.object({ from: z.string() }));
    const elsewhere = /^(?:docs\/|the official|public client|content blocks)/i;
    const named = listFiles("src/contract/golden", [".json"])
      .flatMap((path) => example.parse(JSON.parse(read(path))))
      .flatMap(({ from }) => from.replaceAll(/\([^)]*\)/g, "").split(/; |, (?=§)/))
      .map((name) => name.trim())
      .filter((name) => name !== "" && !elsewhere.test(name));
    const missing = named.filter((name) => !headings.has(/^§([\d.]+)/.exec(name)?.[1] ?? name));
    expect(missing).toEqual([]);
  });
});
