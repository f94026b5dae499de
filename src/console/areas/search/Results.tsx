import { Link } from "@tanstack/react-router";
import Bot from "lucide-react/icons/bot";
import Files from "lucide-react/icons/files";
import MessageSquare from "lucide-react/icons/message-square";
import Workflow from "lucide-react/icons/workflow";
import { memo, type ReactNode, useId } from "react";
import { describeState, runStates } from "../../../contract/states.ts";
import { plainText } from "../../lib/ansi.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted, grouped } from "../../lib/words.ts";
import { cx } from "../../ui/cx.ts";
import { StateShape } from "../../ui/State.tsx";
import type { HitIn, PlaceIn } from "./queries.ts";

/** One run, conversation, artifact, agent or flow with everything that was found in it. */
export interface HitGroup {
  readonly key: string;
  readonly hit: HitIn;
  readonly places: readonly PlaceIn[];
  readonly count: number;
}

/** What is no line of a log stays where it was found, before all lines. */
const lineOf = ({ line }: PlaceIn) => line ?? 0;

/** Hits of the same thing together, in the order of the first of each. A long log is found in parts, the last one first. */
export function groupsOf(hits: readonly HitIn[]): readonly HitGroup[] {
  const groups = new Map<string, HitGroup>();
  for (const hit of hits) {
    const key = `${hit.kind} ${hit.id}`;
    const before = groups.get(key);
    const places = (hit.places ?? []).filter((place): place is PlaceIn => place !== null);
    groups.set(key, {
      ...{ key, hit: before?.hit ?? hit },
      places: [...(before?.places ?? []), ...places].sort((a, b) => lineOf(a) - lineOf(b)),
      count: (before?.count ?? 0) + (hit.place_count ?? places.length),
    });
  }
  return [...groups.values()];
}

const icons: Readonly<Record<string, ReactNode>> = {
  agent: <Bot className="text-muted" />,
  flow: <Workflow className="text-muted" />,
  artifact: <Files className="text-muted" />,
  conversation: <MessageSquare className="text-muted" />,
};

/** The places in one thing. */
export const ResultGroup = memo(function ResultGroup({
  group,
  text,
  agent,
}: {
  group: HitGroup;
  text: string;
  /** Whose the conversation or artifact is; undefined where that is not known. */
  agent: string | undefined;
}) {
  const id = useId();
  const { hit, places, count } = group;
  return (
    <article aria-labelledby={id}>
      <div className="flex h-row-group items-center gap-2.5 border-b bg-surface-sunken pr-edge-right pl-edge-left">
        <span className="flex shrink-0">
          {hit.kind === "run" ? (
            <StateShape tone={describeState(runStates, hit.state ?? null).tone} />
          ) : (
            icons[hit.kind ?? ""]
          )}
        </span>
        <h2 id={id} className="min-w-0 truncate font-medium">
          <bdi>{shownName(hit.name || hit.id)}</bdi>
        </h2>
        {agent !== undefined && (
          <span className="min-w-0 truncate text-muted text-secondary">
            <bdi>{agent}</bdi>
          </span>
        )}
        <span className="whitespace-nowrap text-faint text-secondary tabular-nums">
          {counted(count, "match", "matches")}
        </span>
        <span className="ml-auto whitespace-nowrap text-muted text-secondary">
          <Ago at={hit.at} />
        </span>
      </div>
      <ul>
        {places.map((place) => (
          <li key={`${place.in} ${place.name} ${place.line} ${place.message_id} ${place.part_id}`}>
            <PlaceLink hit={hit} place={place} text={text} />
          </li>
        ))}
        {places.length < count && (
          <li className="border-b py-1 pr-edge-right pl-edge-left text-muted text-secondary">
            First {grouped(places.length)} of {counted(count, "match", "matches")}
          </li>
        )}
      </ul>
    </article>
  );
});

const rowClass =
  "focus-inset grid grid-cols-[176px_minmax(0,1fr)] gap-x-4 border-b py-1.5 pr-edge-right pl-edge-left hover:bg-surface-hover active:bg-surface-pressed max-sm:grid-cols-1";

/** One place: its link leads to the very line, part or value. */
function PlaceLink({ hit, place, text }: { hit: HitIn; place: PlaceIn; text: string }) {
  const shared = { "data-stop": "", className: rowClass };
  const isCode = ["log", "input", "output", "arguments", "result"].includes(place.in ?? "");
  const content = (
    <>
      <span className="truncate text-muted text-secondary leading-5 tabular-nums">{wordsOf(place)}</span>
      <bdi className={cx("line-clamp-3 min-w-0 break-words", isCode && "text-mono")}>
        {plainText(place.before ?? "")}
        <mark className="rounded-mark bg-hit-bg text-default">{plainText(place.match ?? "")}</mark>
        {plainText(place.after ?? "")}
      </bdi>
    </>
  );
  switch (hit.kind) {
    case "run":
      return (
        <Link to="/runs/$runId" params={{ runId: hit.id }} search={tabOf(place)} {...shared}>
          {content}
        </Link>
      );
    case "conversation":
      if (!hit.agent_id) break;
      return (
        <Link
          to="/agents/$agentId/conversations/$interactionId"
          params={{ agentId: hit.agent_id, interactionId: hit.id }}
          search={{ ...(place.message_id && { part: partOf(place) }), q: text }}
          {...shared}
        >
          {content}
        </Link>
      );
    case "artifact":
      return (
        <Link
          to="/artifacts/$artifactId"
          params={{ artifactId: hit.id }}
          search={hit.agent_id ? { agent: hit.agent_id } : {}}
          {...shared}
        >
          {content}
        </Link>
      );
    case "agent":
      return (
        <Link to="/agents/$agentId" params={{ agentId: hit.id }} {...shared}>
          {content}
        </Link>
      );
    case "flow":
      return (
        <Link to="/runs/new" search={{ flow: hit.id }} {...shared}>
          {content}
        </Link>
      );
  }
  return <div className={rowClass}>{content}</div>;
}

/** As the page of a conversation names its parts: what a person said is one text. */
const partOf = ({ message_id, part_id }: PlaceIn) => `${message_id}.${part_id || "text"}`;

function tabOf({ in: kind, line }: PlaceIn) {
  if (kind === "log" && line) return { line };
  if (kind === "input") return { tab: "inputs" } as const;
  return kind === "output" || kind === "error" ? ({ tab: "outputs" } as const) : {};
}

const words: Readonly<Record<string, string>> = {
  name: "Name",
  description: "Description",
  instructions: "Instructions",
  input: "Input",
  output: "Output",
  error: "Error",
  file: "File",
  message: "Message",
  reasoning: "Reasoning",
  tool: "Tool",
  arguments: "Arguments",
  result: "Result",
};

function wordsOf({ in: kind, name, line }: PlaceIn): ReactNode {
  const what = kind === "log" ? `Line ${grouped(line ?? 0)}` : (words[kind ?? ""] ?? shownName(kind ?? ""));
  return (
    <>
      {what}
      {name && kind !== "tool" && (
        <span className="text-faint">
          {" "}
          · <bdi>{shownName(name)}</bdi>
        </span>
      )}
    </>
  );
}
