import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import ChevronDown from "lucide-react/icons/chevron-down";
import ChevronUp from "lucide-react/icons/chevron-up";
import type { ReactNode } from "react";
import { useApi } from "../../lib/api.tsx";
import { formatCredits } from "../../lib/format-usage.ts";
import { shownName, startedVia } from "../../lib/shownName.ts";
import { ClockTime } from "../../lib/time/ClockTime.tsx";
import { counted, grouped } from "../../lib/words.ts";
import { IconButton } from "../../ui/Button.tsx";
import { DefinitionList } from "../../ui/DefinitionList.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Id } from "../../ui/Id.tsx";
import { KeyHints } from "../../ui/Kbd.tsx";
import { SearchInput } from "../../ui/SearchInput.tsx";
import { plainLinkClass } from "../../ui/textClass.ts";
import { agentQueries, Person } from "../directory/index.ts";
import type { Conversation } from "./model.ts";
import { TurnIndex } from "./TurnIndex.tsx";
import type { ConversationFacts } from "./useConversation.ts";

type Props = {
  conversation: Conversation;
  /** The turn in view. */
  turn: number;
  search: string;
  onSearch: (text: string) => void;
  /** "3 of 41", or that nothing was found. */
  count: string;
  hasHits: boolean;
  onHit: (by: 1 | -1) => void;
  onShow: (row: number) => void;
  /** About the conversation: agent, model, id, beginning. */
  about: ReactNode;
};

const mostFiles = 8;

/** Beside a conversation: its questions as an index, its files, what it is. */
export function Rail(props: Props) {
  const { conversation, turn, search, onSearch, count, hasHits, onHit, onShow, about } = props;
  const { turns, calls } = conversation;
  const files = newestOfEach(conversation.files);
  return (
    <div className="flex min-h-full flex-col">
      <section className="border-b">
        <header className="flex items-baseline justify-between gap-3 px-4 pt-3.5">
          <h2 className="font-semibold">Turns</h2>
          <span className="text-muted text-secondary tabular-nums">
            {counted(turns.length, "turn")}
            {calls.length > 0 && `, ${counted(calls.length, "tool call")}`}
          </span>
        </header>
        <div className="flex items-center gap-1 px-4 pt-2 pb-3">
          <SearchInput
            label="Find in this conversation"
            placeholder="Find in this conversation"
            data-page-search=""
            className="min-w-0 flex-1"
            value={search}
            onText={onSearch}
            onKeyDown={(event) => {
              if (event.key === "Enter") onHit(event.shiftKey ? -1 : 1);
            }}
            count={count}
          />
          {search !== "" && (
            <span className="flex">
              <IconButton
                size="small"
                label="Previous match"
                onClick={() => onHit(-1)}
                {...offWithout(hasHits)}
              >
                <ChevronUp />
              </IconButton>
              <IconButton size="small" label="Next match" onClick={() => onHit(1)} {...offWithout(hasHits)}>
                <ChevronDown />
              </IconButton>
            </span>
          )}
        </div>
      </section>
      {turns.length > 0 && (
        <div className="border-b">
          <TurnIndex turns={turns} current={turn} onShow={onShow} />
        </div>
      )}
      {files.length > 0 && (
        <section className="border-b px-4 py-3.5">
          <header className="mb-1 flex items-baseline justify-between">
            <h2 className="font-semibold">Files</h2>
            <span className="text-muted text-secondary tabular-nums">{files.length}</span>
          </header>
          <ul>
            {files.slice(0, mostFiles).map((file) => (
              <li key={file.row}>
                <button
                  type="button"
                  onClick={() => onShow(file.row)}
                  className="flex h-[26px] w-full items-center rounded-tag text-left hover:text-accent"
                >
                  <bdi className="min-w-0 flex-1 truncate">{shownName(file.name)}</bdi>
                  {file.times > 1 && (
                    <span className="text-muted text-secondary">written {file.times} times</span>
                  )}
                </button>
              </li>
            ))}
          </ul>
          {files.length > mostFiles && (
            <p className="text-faint text-secondary">and {files.length - mostFiles} earlier</p>
          )}
        </section>
      )}
      <section className="px-4 py-3.5">
        <h2 className="mb-1.5 font-semibold">About</h2>
        {about}
      </section>
      <footer className="sticky bottom-0 mt-auto flex items-center gap-4 border-t bg-surface px-4 py-2.5 text-muted text-secondary max-lg:hidden">
        <KeyHints
          hints={[
            { keys: ["[", "]"], does: "turn" },
            { keys: ["t"], does: "tool call" },
            { keys: ["e"], does: "next error" },
          ]}
        />
      </footer>
    </div>
  );
}

const offWithout = (hasHits: boolean) => (hasHits ? {} : { disabledReason: "No matches" });

/** Each file once, as it was written last; the last one first. */
function newestOfEach(files: Conversation["files"]) {
  const byName = new Map<string, { readonly row: number; readonly name: string; readonly times: number }>();
  for (const file of files) {
    const times = (byName.get(file.name)?.times ?? 0) + 1;
    byName.delete(file.name);
    byName.set(file.name, { ...file, times });
  }
  return [...byName.values()].reverse();
}

type AboutProps = { facts: ConversationFacts; agentId: string; interactionId: string };

/** What a conversation is: with which agent, on which model, since when, for how much. */
export function About({ facts, agentId, interactionId }: AboutProps) {
  const agent = useQuery(agentQueries.one(useApi(), agentId)).data?.data.agent;
  const { creator, usage, createdTs, type } = facts;
  const rows: readonly (readonly [name: string, value: ReactNode])[] = [
    [
      "Agent",
      <Link key="agent" to="/agents/$agentId" params={{ agentId }} className={plainLinkClass}>
        {shownName(agent?.name ?? facts.agentName ?? agentId)}
      </Link>,
    ],
    ["Version", agent?.version != null && `${agent.version} (current)`],
    [
      "Model",
      agent && (
        <code key="model" className="text-mono">
          {agent.model_name ?? "unknown"}
        </code>
      ),
    ],
    ["ID", <Id key="id" id={interactionId} what="conversation ID" cut={[9, 5]} />],
    [
      "Started",
      createdTs !== null && (
        <>
          <ClockTime at={createdTs} />
          {creator && (
            <>
              {" "}
              by <Person of={creator} copies />
            </>
          )}
        </>
      ),
    ],
    ["Started via", type !== null && startedVia(type)],
    [
      "Tokens",
      usage?.input_tokens != null && (
        <span key="tokens" className="tabular-nums">
          {grouped(usage.input_tokens)} in, {grouped(usage.output_tokens ?? 0)} out
        </span>
      ),
    ],
    ["Credits", usage?.credit_cost != null && formatCredits(usage.credit_cost)],
  ];
  const known = rows.filter(([, value]) => value !== false && value != null);
  return <DefinitionList nameWidth={76} rows={known.map(([name, value]) => ({ key: name, name, value }))} />;
}

/** Turns, files and find over the page, where there is no room beside it. */
export function RailSheet({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  return (
    <Dialog isNarrow onClose={onClose} title="In this conversation">
      <div className="-mx-4 sm:-mx-5">{children}</div>
    </Dialog>
  );
}
