import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { NodeValue } from "../../../../contract/run-nodes.ts";
import { useApi } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { JsonActions, JsonView } from "../../../lib/json/JsonView.tsx";
import { hasFailed, useRead } from "../../../lib/paging/useRead.ts";
import { counted, grouped } from "../../../lib/words.ts";
import { State } from "../../../ui/State.tsx";
import { linkClass, plainLinkClass } from "../../../ui/textClass.ts";
import { AgainLink } from "./AgainLink.tsx";
import { NodeItems } from "./NodeItems.tsx";
import { type NodeIn, type NodeItemIn, nodeQueries } from "./node-queries.ts";
import { isOpen, nodeStateWord, type RowProgress, toneOfNode, waitClause } from "./node-rows.ts";
import { useTimeOf } from "./useRunNodes.ts";

type Props = { runId: string; node: NodeIn; progress: RowProgress };

/** What is known of one node: how far it is, what it waits for, what went in and came out. */
export function NodeDetail({ runId, node, progress }: Props) {
  return (
    <div className="flex flex-col gap-2.5">
      {node.description && <p className="text-muted">{node.description}</p>}
      <ProgressFacts of={node} progress={progress} type={node.type ?? null} />
      <div className="empty:hidden">
        <AgainLink runId={runId} node={node.id} />
      </div>
      <Values runId={runId} nodeId={node.id} moves={isOpen(progress)} />
      {node.items && <NodeItems runId={runId} nodeId={node.id} moves={isOpen(progress)} />}
    </div>
  );
}

/** State, tries, waits and error of a node or of an item. */
export function ProgressFacts({
  of,
  progress,
  type,
}: {
  of: NodeIn | NodeItemIn;
  progress: RowProgress;
  type: string | null;
}) {
  const timeOf = useTimeOf();
  const waits = (of.waits ?? []).flatMap((wait) => (wait ? [wait] : []));
  const tries = (of.most_tries ?? 1) > 1 ? `try ${of.tries ?? 0} of ${of.most_tries}` : null;
  const facts = [type, tries, of.ended_at ? `ended ${timeOf(of.ended_at)}` : null].filter(
    (fact) => fact !== null,
  );
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <State tone={toneOfNode(progress)} word={nodeStateWord(of.state)} />
        <span className="text-muted text-secondary">{facts.join(" · ")}</span>
      </p>
      {waits.length > 0 && (
        <ul className="text-secondary">
          {waits.map((wait, index) => (
            <li key={`${wait.kind} ${wait.item ?? index}`}>
              {typeof wait.item === "number" && `Item ${grouped(wait.item)} `}
              {waitClause(wait, timeOf)}
              <ChildLinks of={wait} />
            </li>
          ))}
          {(of.waits_count ?? 0) > waits.length && (
            <li className="text-muted">{counted((of.waits_count ?? 0) - waits.length, "more wait")}</li>
          )}
        </ul>
      )}
      {waits.length === 0 && (of.run_id || of.interaction_id) && (
        <p className="text-secondary">
          It started
          <ChildLinks of={of} />
        </p>
      )}
      {of.error && <p className="break-words text-mono-narrow text-state-failed-fg">{of.error}</p>}
    </>
  );
}

type Child = { run_id?: string | null; agent_id?: string | null; interaction_id?: string | null };

function ChildLinks({ of: { run_id, agent_id, interaction_id } }: { of: Received<Child> }) {
  if (run_id) {
    return (
      <>
        {" "}
        <Link to="/runs/$runId" params={{ runId: run_id }} className={linkClass}>
          the sub-run
        </Link>
      </>
    );
  }
  if (!interaction_id || !agent_id) return null;
  return (
    <>
      {" "}
      <Link
        to="/agents/$agentId/conversations/$interactionId"
        params={{ agentId: agent_id, interactionId: interaction_id }}
        className={linkClass}
      >
        the conversation
      </Link>
    </>
  );
}

/** Inputs and output of a node, or of one item of an `each`. */
export function Values({
  runId,
  nodeId,
  item,
  moves,
}: {
  runId: string;
  nodeId: string;
  item?: number;
  moves: boolean;
}) {
  const api = useApi();
  const [whole, setWhole] = useState(false);
  const how = { moves, whole, ...(item !== undefined && { item }) };
  const read = useRead(nodeQueries.one(api, runId, nodeId, how));
  if (hasFailed(read)) return <ReadFailure query={read} what="The values of this node" isInset />;
  const values = read.data?.data;
  if (!values) return <p className="appear-late text-muted">Loading…</p>;
  const what = item === undefined ? nodeId : `${nodeId} ${item}`;
  const more = (
    <button type="button" className={plainLinkClass} onClick={() => setWhole(true)}>
      Load all of it
    </button>
  );
  return (
    <>
      <ValueOf title="Inputs" what={what} value={values.inputs} more={more} />
      <ValueOf title="Output" what={what} value={values.output} more={more} />
    </>
  );
}

type ValueProps = {
  title: "Inputs" | "Output";
  what: string;
  value: Received<NodeValue> | null | undefined;
  more: ReactNode;
};

function ValueOf({ title, what, value, more }: ValueProps) {
  const name = `${title.toLowerCase()} of ${what}`;
  const isCut = value?.known === true && typeof value.beginning === "string";
  return (
    <section aria-label={`${title} of ${what}`}>
      <header className="flex h-6 items-center justify-between">
        <h3 className="font-normal text-muted text-secondary">{title}</h3>
        {value?.known && !isCut && (
          <JsonActions
            value={value.value}
            what={name}
            fileName={`${name.replaceAll(/[^\w.-]+/g, "_")}.json`}
          />
        )}
      </header>
      {!value?.known ? (
        <p className="text-faint text-secondary">Not known: {value?.reason || "the service does not say"}.</p>
      ) : isCut ? (
        <>
          <pre className="max-h-40 overflow-auto whitespace-pre-wrap break-all text-mono-json">
            {value.beginning?.slice(0, shownOfCut)}…
          </pre>
          <p className="text-muted text-secondary">
            {grouped(value.size ?? 0)} characters. {more}
          </p>
        </>
      ) : value.value === null ? (
        <p className="text-faint text-secondary">Nothing: it was skipped.</p>
      ) : (
        <div className="max-h-80 overflow-auto">
          <JsonView value={value.value} label={name} />
        </div>
      )}
    </section>
  );
}

const shownOfCut = 2_000;
