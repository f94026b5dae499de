import ImageOff from "lucide-react/icons/image-off";
import Square from "lucide-react/icons/square";
import SquareCheck from "lucide-react/icons/square-check";
import type { ReactNode } from "react";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { cx } from "../../ui/cx.ts";
import { linkClass } from "../../ui/textClass.ts";
import { hostToShow, safeUrl } from "./links.ts";
import { ExternalLink, type Find, Marked } from "./Marked.tsx";
import type { MarkdownNode } from "./worker/markdown-parse.ts";

/**
 * Draws a tree of markdown. The second of two walls: whatever the worker sends, only the elements named here come out,
 * without any attribute of the text's own but a checked address. Headings begin below those of the page.
 */
export function MarkdownTree({ nodes, find }: { nodes: readonly MarkdownNode[]; find: Find }) {
  return nodes.map((node, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a tree never changes; another text is another tree
    <Node key={at} node={node} find={find} />
  ));
}

type Element = Exclude<MarkdownNode, string>;
type Draw = (node: Element, inner: ReactNode, find: Find) => ReactNode;

const heading = "mt-3 mb-1 font-semibold first:mt-0";

const draw: Readonly<Record<Element["tag"], Draw>> = {
  p: (_node, inner) => <p className="my-1.5 whitespace-pre-wrap first:mt-0 last:mb-0">{inner}</p>,
  br: () => <br />,
  hr: () => <hr className="my-3" />,
  strong: (_node, inner) => <strong className="font-semibold">{inner}</strong>,
  em: (_node, inner) => <em>{inner}</em>,
  del: (_node, inner) => <del>{inner}</del>,
  code: (_node, inner) => (
    <code className="rounded-tag border bg-surface-sunken px-1 text-[12px] in-[pre]:border-0 in-[pre]:bg-transparent in-[pre]:p-0">
      {inner}
    </code>
  ),
  pre: (node, inner) => <CodeBlock text={textOf(node)}>{inner}</CodeBlock>,
  blockquote: (_node, inner) => (
    <blockquote className="my-1.5 border-l-2 pl-3 text-muted">{inner}</blockquote>
  ),
  ul: (_node, inner) => <ul className="my-1.5 list-['-__'] pl-3.5">{inner}</ul>,
  ol: (node, inner) => (
    <ol className="my-1.5 list-decimal pl-6" {...(node.start !== undefined && { start: node.start })}>
      {inner}
    </ol>
  ),
  li: (_node, inner) => (
    // A box to tick stands in the place of the mark.
    <li className="whitespace-pre-wrap marker:text-muted has-[>svg]:list-none has-[>p>svg:first-child]:list-none">
      {inner}
    </li>
  ),
  h1: (_node, inner) => <h3 className={cx(heading, "text-heading")}>{inner}</h3>,
  h2: (_node, inner) => <h4 className={cx(heading, "text-heading")}>{inner}</h4>,
  h3: (_node, inner) => <h5 className={heading}>{inner}</h5>,
  h4: (_node, inner) => <h6 className={heading}>{inner}</h6>,
  h5: (_node, inner) => <h6 className={heading}>{inner}</h6>,
  h6: (_node, inner) => <h6 className={heading}>{inner}</h6>,
  table: (_node, inner) => (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <figure aria-label="Table" tabIndex={0} className="my-2.5 max-w-full overflow-x-auto">
      <table className="border-separate border-spacing-0 tabular-nums">{inner}</table>
    </figure>
  ),
  thead: (_node, inner) => <thead>{inner}</thead>,
  tbody: (_node, inner) => <tbody>{inner}</tbody>,
  tr: (_node, inner) => <tr>{inner}</tr>,
  th: (node, inner) => (
    <th
      scope="col"
      className={cx(
        "border-b bg-surface-sunken px-3 py-[5px] font-medium text-muted",
        aligned[node.align ?? "left"],
      )}
    >
      {inner}
    </th>
  ),
  td: (node, inner) => (
    <td
      className={cx(
        "border-b px-3 py-1.5 align-top in-[tr:last-child]:border-b-0",
        // Where there is little room the table scrolls: columns of single words would make rows of many lines.
        textOf(node).length > shortCell ? "min-w-44" : "whitespace-nowrap",
        aligned[node.align ?? "left"],
      )}
    >
      {inner}
    </td>
  ),
  a: (node, inner) => <Link node={node}>{inner}</Link>,
  img: (node, _inner, find) => <Image node={node} find={find} />,
  input: (node) =>
    node.isChecked ? (
      <SquareCheck aria-label="done" className="mr-1.5 inline size-3.5 align-[-2px]" />
    ) : (
      <Square aria-label="not done" className="mr-1.5 inline size-3.5 align-[-2px] text-muted" />
    ),
};

/** So many characters stand in one line. */
const shortCell = 24;
const aligned = { left: "text-left", right: "text-right", center: "text-center" };

function Node({ node, find }: { node: MarkdownNode; find: Find }): ReactNode {
  if (typeof node === "string") return <Marked text={node} find={find} />;
  const inner = <MarkdownTree nodes={node.children} find={find} />;
  return Object.hasOwn(draw, node.tag) ? draw[node.tag](node, inner, find) : inner;
}

function Link({ node, children }: { node: Element; children: ReactNode }) {
  const url = safeUrl(node.href);
  if (!url) return children;
  const host = hostToShow(textOf(node), url);
  return (
    <>
      <ExternalLink href={node.href} className={cx(linkClass, "underline underline-offset-2")}>
        {children}
      </ExternalLink>
      {host !== null && <span className="text-muted text-secondary"> (links to {host})</span>}
    </>
  );
}

/** A picture from elsewhere would tell its host that this was read: it is named, not loaded (C-06). */
function Image({ node, find }: { node: Element; find: Find }) {
  const url = safeUrl(node.href);
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-tag border border-dashed px-1.5 text-muted text-secondary">
      <ImageOff className="size-3.5" />
      <span className="truncate">
        {url ? <>Image from {url.host}, not loaded</> : "Image, not loaded"}
        {node.alt ? (
          <>
            : <Marked text={node.alt} find={find} />
          </>
        ) : (
          ""
        )}
      </span>
      {url && (
        <ExternalLink href={node.href} className={linkClass}>
          Open
        </ExternalLink>
      )}
    </span>
  );
}

function CodeBlock({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="group/code relative my-2 rounded-tag bg-surface-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className="max-h-[480px] overflow-auto py-2 pr-9 pl-3 text-mono-json">
        {children}
      </pre>
      <span className="absolute top-1 right-1">
        <CopyButton text={text} what="code" />
      </span>
    </div>
  );
}

function textOf(node: MarkdownNode): string {
  return typeof node === "string" ? node : node.children.map(textOf).join("");
}
