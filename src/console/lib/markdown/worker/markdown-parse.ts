import Markdown from "react-markdown";
import rehypeSanitize, { type Options as Schema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";
import type { MarkdownNode, MarkdownTag } from "./markdown-messages.ts";
import { keepVerbatim, verbatimAsText } from "./markdown-verbatim.ts";

/** Elements that may come out of somebody else's words. No form, no frame, no style, no id. */
const tags: readonly MarkdownTag[] = [
  ...(["p", "br", "strong", "em", "del", "code", "pre", "blockquote", "hr"] as const),
  ...(["ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"] as const),
  ...(["table", "thead", "tbody", "tr", "th", "td", "a", "img", "input"] as const),
];

const schema: Schema = {
  tagNames: [...tags],
  attributes: {
    a: ["href"],
    img: ["src", "alt"],
    input: ["checked"],
    ol: ["start"],
    th: ["align"],
    td: ["align"],
  },
  protocols: { href: ["http", "https"], src: ["http", "https"] },
  strip: ["script", "style"],
};

/** A node of the tree that the pipeline makes (hast), as far as it is looked at. */
interface TreeNode {
  readonly type: string;
  readonly tagName?: string;
  readonly value?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly children?: readonly TreeNode[];
}

const holders: ReadonlySet<string | undefined> = new Set(["table", "thead", "tbody", "tr", "ul", "ol"]);
const deepest = 40;
const mostNodes = 20_000;

/**
 * Markdown (with tables, strikes and task lists) as a tree of allowed elements. HTML in it becomes the text that it is:
 * never markup, and never left out. Sanitized after the markdown was read, so that nothing can hide in its syntax (C-04).
 * @throws whatever a pathological text does to the parser: a RangeError where it nests too deeply or has too many parts
 */
export function parseMarkdown(text: string): readonly MarkdownNode[] {
  let found: readonly TreeNode[] = [];
  // The pipeline ends in React elements, which cannot leave a worker: its last step takes the tree out instead.
  const takeOut = () => (root: TreeNode) => {
    found = root.children ?? [];
    return { type: "root", children: [] };
  };
  Markdown({
    children: text,
    remarkPlugins: [remarkGfm, keepVerbatim],
    rehypePlugins: [verbatimAsText, [rehypeSanitize, schema], takeOut],
  });
  const budget = { nodes: mostNodes };
  return found.flatMap((node) => convert(node, 0, budget));
}

function convert(node: TreeNode, depth: number, budget: { nodes: number }): readonly MarkdownNode[] {
  // Left out without a word it would be lost: the whole text is shown as it was written instead.
  if (budget.nodes <= 0) throw new RangeError(`more than ${mostNodes} parts`);
  budget.nodes -= 1;
  if (node.type === "text") return [node.value ?? ""];
  if (node.type !== "element") return [];
  if (depth > deepest) return [textOf(node)];
  const tag = tags.find((one) => one === node.tagName);
  const inner = (node.children ?? [])
    .flatMap((child) => convert(child, depth + 1, budget))
    // Line ends between rows and items are no text, and may not stand in a table.
    .filter((child) => !holders.has(node.tagName) || typeof child !== "string" || child.trim() !== "")
    // A line end in a text is shown as one; beside an element that ends a line it would be a second one.
    .map((child, at, all) =>
      typeof child === "string" && (isBreak(all[at - 1]) || at === 0) ? child.replace(/^\n/, "") : child,
    );
  if (tag === undefined) return inner;
  return [{ tag, ...attributesOf(node), children: inner }];
}

const isBreak = (node: MarkdownNode | undefined): boolean =>
  typeof node === "object" && ["br", "p", "ul", "ol", "pre", "blockquote", "input"].includes(node.tag);

function attributesOf({ properties }: TreeNode): Omit<MarkdownNode & object, "tag" | "children"> {
  const { href, src, alt, start, align, checked } = properties ?? {};
  return {
    ...addressOf(href ?? src),
    ...(typeof alt === "string" && { alt }),
    ...(typeof start === "number" && { start }),
    ...((align === "right" || align === "center") && { align }),
    ...(checked === true && { isChecked: true }),
  };
}

/** Only what names its scheme itself: an address relative to the page, `//host` too, is of no use here. */
const addressOf = (value: unknown) =>
  typeof value === "string" && /^https?:\/\//i.test(value) ? { href: value } : {};

function textOf(node: TreeNode): string {
  const open: TreeNode[] = [node];
  let text = "";
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.type === "text") text += next.value ?? "";
    open.push(...(next.children ?? []).toReversed());
  }
  return text;
}
