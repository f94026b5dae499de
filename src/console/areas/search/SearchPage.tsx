import { useNavigate } from "@tanstack/react-router";
import type { SearchKind } from "../../../contract/search.ts";
import { useCan } from "../../lib/api.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { joinNames } from "../../lib/join-names.ts";
import { stepFocus, useFocusKeys } from "../../lib/list/useFocusKeys.ts";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { narrowedTitle } from "../../lib/page/narrowed-title.ts";
import { Page } from "../../lib/page/Page.tsx";
import { ClockTime } from "../../lib/time/ClockTime.tsx";
import { useNow } from "../../lib/time/clock.tsx";
import { parseTime } from "../../lib/time/format.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { moveKeys, openKey } from "../../ui/Kbd.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { Spinner } from "../../ui/Spinner.tsx";
import { useAgentNames } from "../directory/index.ts";
import { type Found, useFound } from "./found.ts";
import { groupsOf, ResultGroup } from "./Results.tsx";
import { kindNames, SearchTools } from "./SearchTools.tsx";
import { canSearch, type EverywhereSearch, kindsOf, least, readEverywhereSearch, textOf } from "./search.ts";
import { useListSearch } from "./useListSearch.ts";

/** Indexed later than this, in ms, it is said. */
const late = 120_000;

/** Search across runs, conversations, artifacts, agents and flows; each result leads to the very place. */
export function SearchPage({ search }: { search: EverywhereSearch }) {
  const navigate = useNavigate({ from: "/search" });
  const text = textOf(search);
  const isService = useCan("search");
  const isShort = isService && !canSearch(text);
  const isAsked = text !== "" && !isShort;
  const kinds = kindsOf(search);
  const wants = (kind: SearchKind) => isAsked && isService && kinds.includes(kind);
  const ofService = [
    useFound("run", text, wants("run")),
    useFound("conversation", text, wants("conversation")),
    useFound("artifact", text, wants("artifact")),
    useFound("agent", text, wants("agent")),
    useFound("flow", text, wants("flow")),
  ].filter((one) => one !== null);
  const simple = useListSearch(text, kinds, isAsked && !isService);
  const found = isService ? ofService : byWeight(simple.found);

  const change = (part: EverywhereSearch) =>
    void navigate({ search: (old) => readEverywhereSearch({ ...old, ...part }), replace: true });
  const agents = useAgentNames();
  useFocusKeys("result");

  const isOver = found.every(({ isPending }) => !isPending);
  const places = found.flatMap(({ hits }) => hits).reduce((sum, hit) => sum + (hit.place_count ?? 1), 0);
  const hasMore = found.some(({ more }) => more !== null);
  const isUnread = found.some(({ error }) => error !== null);
  const isFailed = found.length > 0 && found.every(({ error, hits }) => error !== null && hits.length === 0);
  return (
    <Page
      title={narrowedTitle(
        "Search",
        text,
        search.in !== undefined && joinNames(kinds.map((kind) => kindNames[kind])),
      )}
      heading="Search"
    >
      <SearchTools search={search} onChange={change} onLeave={() => stepFocus(1)} />
      {!isAsked && <NoQuery isShort={isShort && text !== ""} />}
      {isAsked && isFailed && <NothingRead found={found} />}
      {isAsked && !isFailed && (
        <>
          <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 py-1.5 pr-edge-right pl-edge-left text-muted text-secondary">
            {!isOver && <Spinner />}
            <p className="min-w-0 tabular-nums max-sm:flex-1">
              <span className="font-medium text-default">{countOf(places, hasMore)}</span>
              {isOver ? isUnread && " in what could be searched" : " so far"}
              {!isService &&
                isOver &&
                ` · searched ${joinNames(simple.reach) || "nothing"}, not inside logs or answers`}
            </p>
            <Lag found={found} />
          </div>
          <span role="status" className="sr-only">
            {isOver && `Search finished: ${countOf(places, hasMore)}.`}
          </span>
          <div className="border-t">
            {found.map((one) => (
              <KindResults key={one.kind} found={one} text={text} agents={agents} />
            ))}
          </div>
          {isOver && places === 0 && !hasMore && !isUnread && <Nothing text={text} />}
          <PageFoot keys={[moveKeys, openKey]}>
            {isUnread
              ? "Some items could not be loaded"
              : hasMore
                ? "Newest first"
                : isOver && reachOf(isService)}
          </PageFoot>
        </>
      )}
    </Page>
  );
}

const countOf = (places: number, hasMore: boolean) =>
  hasMore ? `${places}+ matches` : counted(places, "match", "matches");

const reachOf = (isService: boolean) =>
  isService ? "Everything was searched" : "Names and inputs on the newest page of each list were searched";

const order: readonly SearchKind[] = ["run", "conversation", "artifact", "agent", "flow"];
const byWeight = (found: readonly Found[]) =>
  [...found].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));

/** Nothing could be looked through: said once, not for each kind. */
function NothingRead({ found }: { found: readonly Found[] }) {
  return (
    <Failure
      error={found[0]?.error}
      what="Search results"
      onRetry={() => {
        for (const { retry } of found) retry();
      }}
      isRetrying={found.some(({ isRetrying }) => isRetrying)}
    />
  );
}

/** The groups of one kind, with what could not be had of it and the way further back. */
function KindResults({
  found,
  text,
  agents,
}: {
  found: Found;
  text: string;
  agents: ReadonlyMap<string, string>;
}) {
  const { kind, hits, error, more, searchedTo } = found;
  const name = kindNames[kind];
  if (hits.length === 0 && error === null && more === null) return null;
  return (
    <section aria-label={name}>
      {groupsOf(hits).map((group) => (
        <ResultGroup
          key={group.key}
          group={group}
          text={text}
          agent={group.hit.kind === "agent" ? undefined : agents.get(group.hit.agent_id ?? "")}
        />
      ))}
      {error !== null && (
        <Failure error={error} what={name} onRetry={found.retry} isRetrying={found.isRetrying} />
      )}
      {error === null && more !== null && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b py-2 pr-edge-right pl-edge-left text-muted">
          {searchedTo !== null && (
            <span>
              {name}: searched back to <ClockTime at={searchedTo} />
            </span>
          )}
          <Button size="small" loading={found.isReadingMore} onClick={more}>
            {searchedTo === null ? `More ${name.toLowerCase()}` : "Search further back"}
          </Button>
        </p>
      )}
    </section>
  );
}

/** What has ended lately may not be found yet. */
function Lag({ found }: { found: readonly Found[] }) {
  const until = found.find(({ indexedUntil }) => indexedUntil !== null)?.indexedUntil ?? null;
  const at = parseTime(until);
  const now = useNow(true, 60_000);
  if (at === null || now - at < late) return null;
  return (
    <span className="ml-auto">
      Indexed up to <ClockTime at={until} />
    </span>
  );
}

function NoQuery({ isShort }: { isShort: boolean }) {
  return (
    <EmptyState title={isShort ? `Enter at least ${least} characters` : "Search everywhere"}>
      Search run inputs, outputs and logs, conversation messages and tool calls, and the names of artifacts,
      agents and flows. Results open the exact line or message.
    </EmptyState>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <EmptyState
      title={<>No matches for “{text.slice(0, 80)}”</>}
      actions={<LinkButton to="/runs">All runs</LinkButton>}
    >
      Runs and messages can be found once they have ended.
    </EmptyState>
  );
}
