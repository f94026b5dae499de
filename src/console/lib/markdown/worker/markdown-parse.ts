import Markdown from "react-markdown";
import rehypeSanitize, { type Options as Schema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

/** Elements that markdown may become. `input` is the tick of a task list and is drawn, never a control. */
type MarkdownTag =
  | ("p" | "br" | "strong" | "em" | "del" | "code" | "pre" | "blockquote" | "hr")
  | ("ul" | "ol" | "li" | "h1" | "h2" | "h3" | "h4" | "h5" | "h6")
  | ("table" | "thead" | "tbody" | "tr" | "th" | "td" | "a" | "img" | "input");

/** A piece of text, or an element; plain data, so that it can leave the worker. */
export type MarkdownNode =
  | string
  | {
      readonly tag: MarkdownTag;
      readonly children: readonly MarkdownNode[];
      /** Of a link or an image: http or https, else not there. Still to be checked by whoever draws it. */
      readonly href?: string;
      readonly alt?: string;
      readonly start?: number;
      readonly align?: "right" | "center";
      readonly isChecked?: boolean;
    };

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

/** A node of the tree that the parser makes (mdast, then hast), as far as it is looked at. */
interface SourceNode {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly identifier?: string;
  readonly align?: readonly unknown[];
  readonly children?: readonly SourceNode[];
  readonly position?: {
    readonly start: { readonly offset?: number };
    readonly end: { readonly offset?: number };
  };
}

const blockParents: ReadonlySet<string> = new Set(["root", "blockquote", "listItem", "footnoteDefinition"]);
const definitions: ReadonlySet<string> = new Set(["definition", "footnoteDefinition"]);
const references: ReadonlySet<string> = new Set(["linkReference", "imageReference", "footnoteReference"]);

/**
 * Keeps what the parser would let vanish, as it was written: HTML that stands on its own, `<ns:name>` and `<a@b.test>`
 * (addresses that are not followed), definitions to which nothing refers (`[error]: timeout`), and cells beyond a
 * table's head. A remark plugin; what it keeps is drawn as text by `verbatimAsText`.
 */
const keepVerbatim = () => (root: SourceNode, file: unknown) => {
  const source = String(file);
  const referredTo = new Set<string>();
  const note = (node: SourceNode) => {
    if (references.has(node.type)) referredTo.add(nameOf(node));
    node.children?.forEach(note);
  };
  note(root);

  const keep = (node: SourceNode, parent: string): SourceNode => {
    const isUnused = definitions.has(node.type) && !referredTo.has(nameOf(node));
    const written = isUnused || isForeignAddress(node, source) ? sourceOf(node, source) : null;
    const kept: SourceNode = written === null ? node : { type: "html", value: written };
    if (kept.type === "html")
      return blockParents.has(parent) ? { type: "paragraph", children: [kept] } : kept;
    if (!kept.children) return kept;
    const children = kept.children.map((child) => keep(child, kept.type));
    return kept.type === "table" ? { ...kept, children, align: widened(kept) } : { ...kept, children };
  };
  return keep(root, "");
};

/** Makes text of what was kept, in one piece with the text around it so that it can be searched. A rehype plugin. */
const verbatimAsText = () => asText;

function asText(node: SourceNode): SourceNode {
  if (node.type === "raw") return { type: "text", value: node.value ?? "" };
  if (!node.children) return node;
  const children: SourceNode[] = [];
  for (const child of node.children.map(asText)) {
    const last = children.at(-1);
    if (last?.type === "text" && child.type === "text") {
      children[children.length - 1] = { type: "text", value: `${last.value ?? ""}${child.value ?? ""}` };
    } else children.push(child);
  }
  return { ...node, children };
}

/** Of a definition or of what refers to it; a footnote and a link may have the same name. */
const nameOf = ({ type, identifier = "" }: SourceNode): string =>
  type.startsWith("footnote") ? `^${identifier}` : identifier;

const isForeignAddress = (node: SourceNode, source: string): boolean =>
  node.type === "link" &&
  source[node.position?.start.offset ?? -1] === "<" &&
  !/^https?:/i.test(node.url ?? "");

const sourceOf = ({ position }: SourceNode, source: string): string =>
  source.slice(position?.start.offset ?? 0, position?.end.offset ?? 0);

/** One alignment for each column, also of those that only the rows have. */
function widened({ align = [], children = [] }: SourceNode): readonly unknown[] {
  const columns = Math.max(align.length, ...children.map((row) => row.children?.length ?? 0));
  return Array.from({ length: columns }, (_, at) => align[at] ?? null);
}
