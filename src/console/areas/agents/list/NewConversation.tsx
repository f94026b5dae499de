import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import { type KeyboardEvent, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { PageSearch } from "../../../lib/paging/PageSearch.tsx";
import { hasFailed } from "../../../lib/paging/useRead.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { useStore } from "../../../lib/useStore.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { agentName } from "../labels.ts";
import { useAgentList } from "./useAgentList.ts";

type Props = {
  /** There is no agent at all. */
  isEmpty: boolean;
  selected: string | undefined;
  /** It is asked with which agent. */
  isAsked: boolean;
  onAsk: (isAsked: boolean) => void;
  onPick: (agentId: string) => void;
};

/** Begins a conversation: with the selected agent, else it asks with which. */
export function NewConversation({ isEmpty, selected, isAsked, onAsk, onPick }: Props) {
  const begin = () => (selected === undefined ? onAsk(true) : onPick(selected));
  useShortcuts(isEmpty ? [] : [{ keys: "n", does: "New conversation", run: begin }]);
  return (
    <>
      <Button
        variant="primary"
        icon={<MessageSquarePlus />}
        disabledReason={isEmpty ? "There are no agents yet" : undefined}
        reasonAs="title"
        onClick={begin}
      >
        New conversation
      </Button>
      {isAsked && <PickAgent onPick={onPick} onClose={() => onAsk(false)} />}
    </>
  );
}

type PickAgentProps = { onPick: (agentId: string) => void; onClose: () => void };

/** With which agent a conversation begins: the ones that were talked to last come first. Where there is one alone, with it. */
function PickAgent({ onPick, onClose }: PickAgentProps) {
  const [q, setQ] = useState<string | undefined>(undefined);
  const { agents, query, more } = useAgentList(q === undefined ? {} : { q });
  const lastUsed = useLastUsed();
  const rows = useMemo(
    () => agents.toSorted((a, b) => (lastUsed.get(b.id) ?? "").localeCompare(lastUsed.get(a.id) ?? "")),
    [agents, lastUsed],
  );
  const box = useRef<HTMLFormElement>(null);
  const only =
    q === undefined && more === null && !query.isPrevious && rows.length === 1 ? rows[0]?.id : undefined;
  const pickOnly = useEffectEvent(onPick);
  useEffect(() => {
    if (only !== undefined) pickOnly(only);
  }, [only]);

  const onKey = (event: KeyboardEvent) => {
    const fields = [...(box.current?.querySelectorAll<HTMLElement>("input, [data-choice]") ?? [])];
    const at = fields.findIndex((field) => field.matches(":focus"));
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    fields[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  };
  if (only !== undefined) return null;
  return (
    <Dialog isNarrow onClose={onClose} title="New conversation" description="Choose an agent">
      <form
        ref={box}
        onKeyDown={onKey}
        onSubmit={(event) => {
          event.preventDefault();
          if (rows[0] && !query.isPrevious) onPick(rows[0].id);
        }}
        className="flex min-h-0 flex-col gap-2"
      >
        <PageSearch label="Find an agent" placeholder="Find an agent" q={q} onSearch={setQ} className="" />
        {query.isPending ? (
          <SkeletonRows label="Loading agents" rows={4} columns={["2fr", "1fr"]} />
        ) : hasFailed(query) ? (
          <ReadFailure query={query} what="The agents" />
        ) : rows.length === 0 ? (
          q === undefined ? (
            <NoAgentYet />
          ) : (
            <p className="py-2 text-muted">No matching agents.</p>
          )
        ) : (
          <ul className="-mx-2 max-h-[50vh] overflow-y-auto" aria-label="Agents">
            {rows.map((agent) => (
              <li key={agent.id}>
                <button
                  type="button"
                  data-choice=""
                  onClick={() => onPick(agent.id)}
                  className="focus-inset flex min-h-9 w-full items-baseline gap-3 rounded-control px-2 py-1.5 text-left hover:bg-surface-hover"
                >
                  <bdi className="shrink-0 truncate font-medium max-sm:max-w-[50%]">{agentName(agent)}</bdi>
                  <span className="min-w-0 flex-1 truncate text-muted text-secondary">
                    {agent.description}
                  </span>
                  {lastUsed.has(agent.id) && (
                    <span className="shrink-0 text-faint text-secondary tabular-nums">
                      <Ago at={lastUsed.get(agent.id)} />
                    </span>
                  )}
                </button>
              </li>
            ))}
          </ul>
        )}
        {more && (
          <Button size="small" variant="quiet" loading={more.isReading} onClick={more.read}>
            Show more
          </Button>
        )}
      </form>
    </Dialog>
  );
}

/** Nobody to talk to: the next step is to make somebody, for whom may. */
function NoAgentYet() {
  const canCreate = useCan("agent_create");
  return (
    <div className="flex flex-col items-start gap-3 py-2">
      <p className="text-muted">There are no agents yet.</p>
      {canCreate && <LinkButton to="/agents/new">New agent</LinkButton>}
    </div>
  );
}

/** When this browser last saw each agent asked something, ISO 8601. */
function useLastUsed(): ReadonlyMap<string, string> {
  const { conversations } = useApi();
  const known = useStore(conversations.list);
  return useMemo(() => {
    const times = new Map<string, string>();
    for (const { agentId, asked, knownAt } of known) {
      const at = new Date(asked?.at ?? knownAt).toISOString();
      if (agentId !== null && at > (times.get(agentId) ?? "")) times.set(agentId, at);
    }
    return times;
  }, [known]);
}
