import fc from "fast-check";
import { expect, test } from "vitest";
import { testClock } from "../../../../testing/test-clock.ts";
import { workerEnds } from "../../../../testing/test-wheelhouse.ts";
import type { WorkerEnd } from "../../workers/calls.ts";
import { createMarkdownReader, longestMarkdown } from "./markdown-client.ts";
import { type MarkdownNode, parseMarkdown } from "./markdown-parse.ts";

const tagsOf = (nodes: readonly MarkdownNode[]): string[] =>
  nodes.flatMap((node) => (typeof node === "string" ? [] : [node.tag, ...tagsOf(node.children)]));
const textOf = (nodes: readonly MarkdownNode[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : textOf(node.children))).join("");
const addressesOf = (nodes: readonly MarkdownNode[]): string[] =>
  nodes.flatMap((node) =>
    typeof node === "string"
      ? []
      : [...(node.href === undefined ? [] : [node.href]), ...addressesOf(node.children)],
  );

test("emphasis, lists, tables, code and links of a reply are read", () => {
  const nodes = parseMarkdown(
    "We owe **much**.\n\n| Item | Sum |\n|---|---:|\n| a | 1 |\n\n- one\n- [x] two\n\n```js\nlet a\n```\n\n[Rates](https://rates.example/x)",
  );
  expect(tagsOf(nodes)).toEqual(
    expect.arrayContaining(["p", "strong", "table", "th", "td", "ul", "input", "pre", "a"]),
  );
  expect(addressesOf(nodes)).toEqual(["https://rates.example/x"]);
});

test("HTML in a reply stays text (C-04)", () => {
  const nodes = parseMarkdown(
    'before <b onclick="x()">bold</b>\n\n<script>alert(1)</script>\n\n<form><input name=q></form>',
  );
  expect(tagsOf(nodes)).toEqual(["p", "p", "p"]);
  expect(textOf(nodes)).toBe(
    'before <b onclick="x()">bold</b>\n<script>alert(1)</script>\n<form><input name=q></form>',
  );
});

test.each([
  "[a](javascript:alert(1))",
  "[a](JaVaScRiPt:alert(1))",
  "[a](data:text/html,x)",
  "[a](//evil.test)",
  "![a](//evil.test/p.png)",
  "[a](vbscript:x)",
  "![a](data:image/svg+xml,x)",
  "<javascript:alert(1)>",
  "[a]: javascript:x\n\n[a]",
])("%s leads nowhere (C-05)", (text) => {
  expect(addressesOf(parseMarkdown(text))).toEqual([]);
});

const hostile = fc.constantFrom(
  ...[
    "<script>",
    "</p>",
    "<img src=x onerror=y>",
    "<style>*{}",
    "<svg/onload=x>",
    "<math>",
    "<iframe src=//e>",
  ],
  ...[
    "[a](javascript:x)",
    "[a](//evil.test)",
    "![i](https://evil.test/p.png)",
    "<https://e.test>",
    "&lt;b&gt;",
  ],
  ...[
    "**",
    "_",
    "`",
    "```\n",
    "> ",
    "- ",
    "1. ",
    "| a | b |\n|---|---|\n",
    "#### ",
    "[^1]",
    "[^1]: x",
    "~~",
    "\n\n",
  ],
  ...[
    "- [ ] ",
    "www.evil.test",
    "me@evil.test",
    "<a href='data:x'>",
    "[a]: javascript:x",
    "[a]",
    "\u202e",
    "\u0000",
  ],
);
const allowed = new Set(
  "p br strong em del code pre blockquote hr ul ol li h1 h2 h3 h4 h5 h6 table thead tbody tr th td a img input".split(
    " ",
  ),
);

test("no words make an element outside of the list, or an address that is not http (C-04, C-05)", () => {
  const text = fc
    .array(fc.oneof(hostile, fc.string({ maxLength: 12 })), { maxLength: 25 })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(text, (written) => {
      const nodes = parseMarkdown(written);
      for (const tag of tagsOf(nodes)) expect(allowed).toContain(tag);
      for (const address of addressesOf(nodes)) expect(address).toMatch(/^https?:/i);
    }),
    { numRuns: 300 },
  );
});

test("a text that takes too long is shown as it was written, and the next one is read again (C-09)", async () => {
  const clock = testClock();
  let started = 0;
  const stuck: WorkerEnd = {
    postMessage: () => {},
    listen: (onMessage) => queueMicrotask(() => onMessage({ ready: true })),
    terminate: () => {},
  };
  const reader = createMarkdownReader(() => (started++ === 0 ? stuck : workerEnds.markdown()), clock);
  const slow = reader.read("[".repeat(100));
  await clock.pass(1_500);
  expect(await slow).toEqual({ kind: "plain", why: "intricate" });
  expect(await reader.read("*yes*")).toMatchObject({ kind: "tree" });
  expect(started).toBe(2);
  reader.close();
});

test("a text that breaks the parser is shown as it was written", async () => {
  const reader = createMarkdownReader(() => workerEnds.markdown(), testClock());
  expect(await reader.read(">".repeat(20_000))).toEqual({ kind: "plain", why: "intricate" });
  reader.close();
});

test("a text of too many parts is shown as it was written, not in part", async () => {
  const reader = createMarkdownReader(() => workerEnds.markdown(), testClock());
  expect(await reader.read("*a* ".repeat(7_000))).toEqual({ kind: "plain", why: "intricate" });
  reader.close();
});

test("a worker that never stands is asked for once, and nothing waits for it", async () => {
  const clock = testClock();
  let started = 0;
  const dead: WorkerEnd = { postMessage: () => {}, listen: () => {}, terminate: () => {} };
  const reader = createMarkdownReader(() => {
    started += 1;
    return dead;
  }, clock);
  const first = reader.read("*a*");
  const second = reader.read("*b*");
  await clock.pass(20_000);
  expect(await first).toMatchObject({ why: "no reader" });
  expect(await second).toMatchObject({ why: "no reader" });
  expect(started).toBe(1);
});

test("a very long text is not read at all", () => {
  const reader = createMarkdownReader(() => workerEnds.markdown(), testClock());
  expect(reader.peek("a".repeat(longestMarkdown + 1))).toEqual({ kind: "plain", why: "long" });
});
