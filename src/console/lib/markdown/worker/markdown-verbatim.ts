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
export const keepVerbatim = () => (root: SourceNode, file: unknown) => {
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
export const verbatimAsText = () => asText;

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
