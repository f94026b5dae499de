import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { shownName } from "../../lib/shownName.ts";
import { cx } from "../../ui/cx.ts";
import type { Looked } from "./search-run.ts";
import type { Excerpt } from "./worker/excerpt.ts";
import type { Hit } from "./worker/search-messages.ts";

const rowClass =
  "focus-inset grid grid-cols-[176px_minmax(0,1fr)] gap-x-4 border-b py-1.5 pr-edge-right pl-edge-left hover:bg-surface-hover active:bg-surface-pressed max-sm:grid-cols-1";

type Props = {
  hit: Hit;
  looked: Looked;
  /** What the conversation is searched for once it is open; undefined for a pattern. */
  text: string | undefined;
};

/** One place: its link leads to the very line, part or value. */
export function HitRow({ hit, looked, text }: Props) {
  const { target, agentId } = looked;
  const content = (
    <>
      <span className="truncate text-muted text-secondary leading-5 tabular-nums">{placeOf(hit)}</span>
      <span className={cx("line-clamp-3 min-w-0 break-words", hit.kind !== "messages" && "text-mono")}>
        <MarkedExcerpt excerpt={hit} />
        {hit.lines > 1 && (
          <span className="font-text text-muted text-secondary">
            {" "}
            and{" "}
            {hit.lines - 1 === 1 ? "1 more line" : `${(hit.lines - 1).toLocaleString("en-GB")} more lines`}
          </span>
        )}
      </span>
    </>
  );
  if (target.kind === "run") {
    return (
      <Link
        to="/runs/$runId"
        params={{ runId: target.id }}
        search={addressIn(hit)}
        data-hit=""
        className={rowClass}
      >
        {content}
      </Link>
    );
  }
  if (agentId === null) return <div className={rowClass}>{content}</div>;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId, interactionId: target.id }}
      search={{ ...(hit.at !== "" && { part: hit.at }), ...(text !== undefined && { q: text }) }}
      data-hit=""
      className={rowClass}
    >
      {content}
    </Link>
  );
}

/** A row of the same form with another link around it. */
export const hitRowClass = rowClass;

function addressIn({ kind, at }: Hit) {
  if (kind === "log") return { line: Number(at) };
  return kind === "inputs" ? ({ tab: "inputs" } as const) : ({ tab: "outputs" } as const);
}

function placeOf({ kind, at, label }: Hit): ReactNode {
  if (kind === "log") {
    return (
      <>
        Line {Number(at).toLocaleString("en-GB")}
        {label !== "" && <span className="text-faint"> · {shownName(label)}</span>}
      </>
    );
  }
  if (kind === "inputs") return `Input ${shownName(label)}`;
  if (kind === "outputs") return at === "" ? label : `Output ${shownName(label)}`;
  return shownName(label);
}

/** A line with the places marked that were found in it. */
export function MarkedExcerpt({ excerpt: { text, marks } }: { excerpt: Excerpt }) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const [from, to] of marks) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className="rounded-mark bg-hit-bg text-default">
        {text.slice(from, to)}
      </mark>,
    );
    at = to;
  }
  return (
    <bdi>
      {parts}
      {text.slice(at)}
    </bdi>
  );
}
