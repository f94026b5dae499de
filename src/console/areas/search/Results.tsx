import { Link } from "@tanstack/react-router";
import Files from "lucide-react/icons/files";
import MessageSquare from "lucide-react/icons/message-square";
import { memo, type ReactNode, useId, useState } from "react";
import { describeState, runStates } from "../../../contract/states.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted, grouped } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/State.tsx";
import { linkClass } from "../../ui/textClass.ts";
import type { ArtifactsFound } from "./find-artifacts.ts";
import type { Looked } from "./search-run.ts";
import type { Target } from "./targets.ts";
import type { Excerpt } from "./worker/excerpt.ts";
import type { Hit } from "./worker/hit.ts";

/** So many places of one object are shown at first. */
const atFirst = 4;

type Props = {
  looked: Looked;
  /** What is searched for; undefined for a pattern. */
  text: string | undefined;
};

/** The places in one run or conversation. */
export const ResultGroup = memo(function ResultGroup({ looked, text }: Props) {
  const { target, hits, found, agentId } = looked;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? hits : hits.slice(0, atFirst);
  return (
    <Group
      icon={
        target.kind === "run" ? (
          <StateShape tone={describeState(runStates, target.state).tone} />
        ) : (
          <MessageSquare className="text-muted" />
        )
      }
      name={
        <TargetLink target={target} agentId={agentId} isPlain>
          <bdi>{shownName(target.name)}</bdi>
        </TargetLink>
      }
      detail={target.detail}
      count={counted(found, "match", "matches")}
      remark={<Ago at={target.at} />}
    >
      {shown.map((hit) => (
        <li key={`${hit.kind} ${hit.at} ${hit.label}`}>
          <HitRow hit={hit} looked={looked} text={text} />
        </li>
      ))}
      {(shown.length < hits.length || (isWhole && hits.length < found)) && (
        <li className="flex items-center border-b py-1 pr-edge-right pl-edge-left text-muted text-secondary">
          {shown.length < hits.length ? (
            <Button variant="quiet" size="small" className="-ml-2" onClick={() => setWhole(true)}>
              Show {counted(hits.length - shown.length, "more", "more")}
            </Button>
          ) : (
            `First ${grouped(hits.length)} of ${counted(found, "match", "matches")}`
          )}
        </li>
      )}
    </Group>
  );
});

/** A head and the rows under it. */
function Group(props: {
  icon: ReactNode;
  name: ReactNode;
  detail?: string;
  count: ReactNode;
  remark?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <article aria-labelledby={id}>
      <div className="flex h-row-group items-center gap-2.5 border-b bg-surface-sunken pr-edge-right pl-edge-left">
        <span className="flex shrink-0">{props.icon}</span>
        <h2 id={id} className="min-w-0 truncate font-medium">
          {props.name}
        </h2>
        {props.detail && (
          <span className="min-w-0 shrink-[3] truncate text-muted text-secondary max-sm:hidden">
            <bdi>{shownName(props.detail)}</bdi>
          </span>
        )}
        <span className="whitespace-nowrap text-faint text-secondary tabular-nums">{props.count}</span>
        <span className="ml-auto whitespace-nowrap text-muted text-secondary">{props.remark}</span>
      </div>
      <ul>{props.children}</ul>
    </article>
  );
}

const hitRowClass =
  "focus-inset grid grid-cols-[176px_minmax(0,1fr)] gap-x-4 border-b py-1.5 pr-edge-right pl-edge-left hover:bg-surface-hover active:bg-surface-pressed max-sm:grid-cols-1";

type HitRowProps = {
  hit: Hit;
  looked: Looked;
  /** What the conversation is searched for once it is open; undefined for a pattern. */
  text: string | undefined;
};

/** One place: its link leads to the very line, part or value. */
function HitRow({ hit, looked, text }: HitRowProps) {
  const { target, agentId } = looked;
  const content = (
    <>
      <span className="truncate text-muted text-secondary leading-5 tabular-nums">{placeOf(hit)}</span>
      <span className={cx("line-clamp-3 min-w-0 break-words", hit.kind !== "messages" && "text-mono")}>
        <MarkedExcerpt excerpt={hit} />
        {hit.lines > 1 && (
          <span className="font-text text-muted text-secondary">
            {" "}
            and {counted(hit.lines - 1, "more line")}
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
        data-stop=""
        className={hitRowClass}
      >
        {content}
      </Link>
    );
  }
  if (agentId === null) return <div className={hitRowClass}>{content}</div>;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId, interactionId: target.id }}
      search={{ ...(hit.at !== "" && { part: hit.at }), ...(text !== undefined && { q: text }) }}
      data-stop=""
      className={hitRowClass}
    >
      {content}
    </Link>
  );
}

function addressIn({ kind, at }: Hit) {
  if (kind === "log") return { line: Number(at) };
  return kind === "inputs" ? ({ tab: "inputs" } as const) : ({ tab: "outputs" } as const);
}

function placeOf({ kind, at, label }: Hit): ReactNode {
  if (kind === "log") {
    return (
      <>
        Line {grouped(Number(at))}
        {label !== "" && <span className="text-faint"> · {shownName(label)}</span>}
      </>
    );
  }
  if (kind === "inputs") return `Input ${shownName(label)}`;
  if (kind === "outputs") return at === "" ? label : `Output ${shownName(label)}`;
  return shownName(label);
}

/** A line with the places marked that were found in it. */
function MarkedExcerpt({ excerpt: { text, marks } }: { excerpt: Excerpt }) {
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

/** Artifacts whose names have it. */
export function ArtifactHits({ found }: { found: ArtifactsFound }) {
  const { rows, isCut } = found;
  return (
    <Group
      icon={<Files className="text-muted" />}
      name="Artifacts"
      count={counted(rows.length, "name")}
      remark={isCut && "more in the artifacts list"}
    >
      {rows.map(({ row, name }) => (
        <li key={row.id}>
          <Link
            to="/artifacts/$artifactId"
            params={{ artifactId: row.id }}
            search={row.agent_id ? { agent: row.agent_id } : {}}
            data-stop=""
            className={hitRowClass}
          >
            <span className="truncate text-muted text-secondary leading-5">
              <Ago at={row.created_at} />
            </span>
            <span className="min-w-0 truncate font-medium">
              <MarkedExcerpt excerpt={name} />
            </span>
          </Link>
        </li>
      ))}
    </Group>
  );
}

type TargetLinkProps = {
  target: Target;
  /** Of a conversation; where it is not known there is no address. */
  agentId: string | null;
  /** Looks like its surroundings. */
  isPlain?: boolean;
  children: ReactNode;
};

/** Leads to a run or a conversation. */
export function TargetLink({ target, agentId, isPlain = false, children }: TargetLinkProps) {
  const className = isPlain ? undefined : linkClass;
  if (target.kind === "run") {
    return (
      <Link to="/runs/$runId" params={{ runId: target.id }} className={className}>
        {children}
      </Link>
    );
  }
  if (agentId === null) return children;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId, interactionId: target.id }}
      className={className}
    >
      {children}
    </Link>
  );
}
