import "@testing-library/jest-dom/vitest";
import { render } from "@testing-library/react";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hostToShow, isPlain, safeUrl } from "./links.ts";
import { MarkdownTree } from "./MarkdownTree.tsx";
import { noFind } from "./Marked.tsx";
import type { MarkdownNode } from "./worker/markdown-parse.ts";
import { parseMarkdown } from "./worker/markdown-parse.ts";

/** Elements that may stand on the page for somebody else's words; `button`, `svg` and `path` are the copy button of code. */
const allowed = new Set(
  [
    ..."p br strong em del code pre blockquote hr ul ol li h3 h4 h5 h6 table thead tbody tr th td".split(" "),
    ..."a span div figure button svg path rect line circle polyline".split(" "),
  ].map((name) => name.toUpperCase()),
);

function check(nodes: readonly MarkdownNode[]) {
  const { container, unmount } = render(<MarkdownTree nodes={nodes} find={noFind} />);
  for (const element of container.querySelectorAll("*")) {
    expect(allowed).toContain(element.tagName.toUpperCase());
    expect(element.hasAttribute("id") || element.hasAttribute("style") || element.hasAttribute("src")).toBe(
      false,
    );
    for (const name of element.getAttributeNames()) expect(name).not.toMatch(/^on/i);
  }
  for (const link of container.querySelectorAll("a")) {
    expect(link.protocol).toMatch(/^https?:$/);
    expect(link.rel).toBe("noopener noreferrer");
    expect(link.title).toContain(link.host);
  }
  unmount();
}

const piece = fc.constantFrom(
  ...[
    "<script>alert(1)</script>",
    "<img src=x onerror=a>",
    "<form>",
    "<input>",
    "<svg onload=a>",
    "<style>a{}",
  ],
  ...[
    "[a](javascript:a)",
    "![a](https://e.test/p.png)",
    "[a](https://e.test)",
    "https://e.test/x",
    "[x](//e.test)",
  ],
  ...[
    "# ",
    "**",
    "```\n",
    "> ",
    "- ",
    "- [ ] ",
    "| a |\n|---|\n| b |\n",
    "\n\n",
    "[^1]",
    "[^1]: b",
    "<a id=x>",
    "&#60;b>",
  ],
);

test("hostile markdown makes no element outside of the list, whatever it is mixed with (C-04)", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 15 }), (pieces) =>
      check(parseMarkdown(pieces.join(""))),
    ),
    { numRuns: 60 },
  );
});

/** What a person can see of a text. */
const visible = (text: string): string => text.replaceAll(/\s+/g, "");

function drawn(text: string): string {
  const { container, unmount } = render(<MarkdownTree nodes={parseMarkdown(text)} find={noFind} />);
  const seen = container.textContent ?? "";
  unmount();
  return seen;
}

const word = fc.stringMatching(/^[a-z]{1,6}$/);
/** What looks like a tag, a comment or an address in brackets, and is meant as text. */
const tagLike = fc.oneof(
  ...[word.map((name) => `Promise<${name}>`), word.map((name) => `<your ${name}>`)],
  ...[word.map((name) => `a<${name} and b>c`), word.map((name) => `</${name}>`)],
  ...[
    word.map((name) => `<${name} a="1" b='<2>'>\n  <${name}/>\n</${name}>`),
    word.map((name) => `<soap:${name}>`),
  ],
  ...[word.map((name) => `<!-- ${name}\n\n  of two parts -->`), word.map((name) => `Ada <${name}@b.test>`)],
  ...[word.map((name) => `<?xml ${name}?>`), word.map((name) => `<!DOCTYPE ${name}>`)],
  ...[word.map((name) => `<![CDATA[${name}]]>`), word.map((name) => `<script>${name}()</script>`)],
  ...[word.map((name) => `<style>${name}{}</style>`), word.map((name) => `<img src=x onerror=${name}>`)],
  ...[word.map((name) => `Map<std:${name}, List<${name}>>`), word],
);
const between = fc.constantFrom(" ", "\n", "\n\n", " and ");
const frame = fc.constantFrom(
  ...["", "- ", "1. ", "> ", "# ", "- [ ] ", "**x** ", "| a |\n|---|\n| b |\n\n"],
);

test("every visible character of what looks like a tag is on the page, wherever it stands", () => {
  fc.assert(
    fc.property(
      frame,
      fc.array(fc.tuple(tagLike, between), { minLength: 1, maxLength: 8 }),
      (before, pieces) => {
        const written = pieces.flat().join("");
        // What was drawn for the frame stands before it.
        expect(visible(drawn(before + written)).endsWith(visible(written))).toBe(true);
      },
    ),
    { numRuns: 200 },
  );
});

test.each([
  ["a log line that could define a link", "[error]: timeout", "[error]: timeout"],
  ["a footnote to which nothing refers", "[^1]: of 2026", "[^1]: of 2026"],
  ["a cell beyond the head of its table", "| a |\n|---|\n| b | <c> |", "ab<c>"],
  ["a tag in bold", "**`<a>` <b>**", "<a> <b>"],
  ["XML with its indentation", "<a>\n  <b>1</b>\n</a>", "<a>\n  <b>1</b>\n</a>"],
])("%s is shown: %s", (_what, text, shown) => {
  expect(drawn(text)).toBe(shown);
});

test("what looks like a tag is found by a search as one", () => {
  const { container } = render(
    <MarkdownTree
      nodes={parseMarkdown("It is a Promise<string> now")}
      find={{ text: "promise<string>", isCurrent: false }}
    />,
  );
  expect(container.querySelector("mark")).toHaveTextContent("Promise<string>");
});

test("a tree that no parser of ours would make is drawn without what is foreign in it", () => {
  check([
    { tag: "script" as never, children: ["alert(1)"] },
    { tag: "constructor" as never, children: ["x"] },
    { tag: "a", href: "javascript:alert(1)", children: ["x"] },
    { tag: "img", href: "data:image/svg+xml,x", alt: "y", children: [] },
  ]);
});

test.each([
  ["https://a.test/x", "https://a.test/x"],
  ["HTTP://a.test", "http://a.test/"],
  ["//a.test", undefined],
  ["\\\\a.test", undefined],
  ["javascript:alert(1)", undefined],
  [" \tjava\nscript:alert(1)", undefined],
  ["data:text/html,x", undefined],
  ["blob:https://a.test/x", undefined],
  ["https://", undefined],
  ["", undefined],
])("%s opens %s (C-05)", (address, opened) => {
  expect(safeUrl(address)?.href).toBe(opened);
});

test.each([
  ["bank.com", "https://evil.test/", "evil.test"],
  ["https://bank.com/login", "https://evil.test/", "evil.test"],
  ["evil.test", "https://evil.test/x", null],
  ["www.evil.test/x", "https://www.evil.test/x", null],
  ["click here", "https://evil.test/", null],
  ["аррӏе.com", "https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com"],
])("a link that says %s and goes to %s shows %s beside it (C-08)", (words, address, shown) => {
  expect(hostToShow(words, new URL(address))).toBe(shown);
});

test("only a text without any markdown is shown without being read", () => {
  for (const text of [
    "Done.",
    "Two lines\nof words.\n\nAnd a paragraph, 5 m.",
    "It costs € 4,212.60 (at most).",
  ])
    expect(isPlain(text)).toBe(true);
  for (const text of ["- a", "1. a", "a **b**", "see https://a.test", "a\n===", "    code", "| a |", "<b>"])
    expect(isPlain(text)).toBe(false);
});
