import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { automaticHeaders, privateHeaders, secretHeaders } from "../contract/input-headers.ts";
import { help } from "../service/cli/help.ts";
import { rooms } from "./rooms.ts";
import { listFiles, root } from "./source-files.ts";

const documents = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"],
  ...listFiles("docs", [".md"]),
];
const read = (path: string) => readFileSync(join(root, path), "utf8");
const scripts: Record<string, string> = JSON.parse(read("package.json")).scripts;

/** Paths that a document names: in backticks below a known folder, and the targets of its links. */
function namedPaths(text: string): string[] {
  const inBackticks = /`((?:src|e2e|bench|scripts|docs|workspace|public|\.ci)\/[\w.*/-]*)`/g;
  const links = /\]\((?!https?:|#|mailto:)([^)#\s]+)/g;
  const images = /\bsrc(?:set)?="(?!https?:)([^"]+)"/g;
  return [inBackticks, links, images].flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => (match[1] ?? "").replace(/\/?\*.*$/, "")),
  );
}

/** Links to a heading: the document, empty for the same one, and the heading's anchor. */
const namedHeadings = (text: string) =>
  [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(
    ([, path = "", anchor = ""]) => [path, anchor] as const,
  );

/** The anchors of a document's headings, as hosts of repositories make them. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? "");
  const plain = (heading: string) => heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
  return new Set(headings.map((heading) => plain(heading).replaceAll(" ", "-")));
}

/** The flags that a text names, as `--port`. */
const flags = (text: string) => new Set(text.match(/--[a-z][a-z-]+/g) ?? []);

describe("the documents", () => {
  it.each(documents)("name only files that exist: %s", (document) => {
    const exists = (path: string) =>
      existsSync(join(root, path)) || existsSync(join(root, dirname(document), path));
    expect(namedPaths(read(document)).filter((path) => !exists(path))).toEqual([]);
  });

  it.each(documents)("lead only to headings that exist: %s", (document) => {
    const broken = namedHeadings(read(document)).filter(([path, anchor]) => {
      const target = path === "" ? document : relative(root, resolve(root, dirname(document), path));
      return !existsSync(join(root, target)) || !anchorsOf(read(target)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it.each(documents)("name only scripts that exist: %s", (document) => {
    const named = [...read(document).matchAll(/npm run (?:--\w+ )?([\w:]+)/g)].map((match) => match[1] ?? "");
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it("list every flag of the command in the README's table", () => {
    const table = read("README.md")
      .split("\n")
      .filter((line) => line.startsWith("| `--"))
      .join("\n");
    const ofStart = help.slice(help.indexOf("Flags of start"), help.indexOf("Environment"));
    expect([...flags(table)].sort()).toEqual([...flags(ofStart)].sort());
  });

  it("name every folder that is a room in ARCHITECTURE.md's table, and no other", () => {
    const table = read("ARCHITECTURE.md")
      .split("\n")
      .filter((line) => line.startsWith("| `src/"))
      .map((line) => line.split("|")[1] ?? "");
    const named = table.flatMap((names) => names.match(/src\/[\w./]+/g) ?? []);
    const folders = (names: readonly string[]) => names.filter((name) => !/\.tsx?$/.test(name)).sort();
    expect(folders(named), "the table in ARCHITECTURE.md").toEqual(folders(rooms.map(({ at }) => at)));
  });

  it("lead to every document of docs from the README", () => {
    const readme = read("README.md");
    expect(listFiles("docs", [".md"]).filter((path) => !readme.includes(`](${path}`))).toEqual([]);
  });

  it("lead to how it is built, how to work on it and what changed from the README", () => {
    const readme = read("README.md");
    for (const path of ["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"])
      expect(readme).toContain(`](${path})`);
  });

  it("see a name that leads nowhere", () => {
    expect(
      namedPaths("see `src/nowhere.ts`, [this](docs/nothing.md) and [that](https://example.test)"),
    ).toEqual(["src/nowhere.ts", "docs/nothing.md"]);
    expect(namedHeadings("[a](b.md#c-d), [e](#f) and [g](https://h.test/#i)")).toEqual([
      ["b.md", "c-d"],
      ["", "f"],
    ]);
    expect(anchorsOf("## 5.6 x-auth-key\n\n### 2.1 Conversation (interaction)\n")).toEqual(
      new Set(["56-x-auth-key", "21-conversation-interaction"]),
    );
  });

  it("list every header that is never an input in docs/workspace.md, and no other", () => {
    const [, after = ""] = read("docs/workspace.md").split("### Headers that are never inputs");
    const items = (after.split("\n## ")[0] ?? "").split("\n- ").slice(1).join("\n");
    const named = [...items.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
    const listOf = ({ names, prefixes }: { names: readonly string[]; prefixes: readonly string[] }) => [
      ...names,
      ...prefixes.map((prefix) => `${prefix}*`),
    ];
    const { parts, endings, words, beforeKey } = secretHeaders;
    const bySecret = [
      ...parts.map((part) => `*${part}*`),
      ...endings.map((ending) => `*${ending}`),
      ...words,
      ...beforeKey.map((kind) => `${kind}-key`),
    ];
    expect(named.sort()).toEqual(
      [...listOf(privateHeaders), ...listOf(automaticHeaders), ...bySecret].sort(),
    );
  });
});
