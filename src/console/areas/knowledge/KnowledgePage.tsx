import { Link, useNavigate } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { type ReactNode, useState } from "react";
import { createSource } from "../../../contract/knowledge.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlOfCall } from "../../lib/curl.ts";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { ListView } from "../../lib/list/ListView.tsx";
import { useListKeys } from "../../lib/list/useListKeys.ts";
import { narrowedTitle } from "../../lib/page/narrowed-title.ts";
import { Page } from "../../lib/page/Page.tsx";
import { noPanel, useMedia } from "../../lib/useMedia.ts";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { useSignedIn } from "../session/index.ts";
import { ApproveById, SelectionBar } from "./approve.tsx";
import { NewSource } from "./NewSource.tsx";
import { Passages } from "./Passages.tsx";
import { SourceList } from "./SourceList.tsx";
import { SourceDetail } from "./SourcePanel.tsx";
import type { KnowledgeSearch, SourceSearch } from "./search.ts";
import { sourceName, useSources } from "./sources.ts";
import { useApprove } from "./useApprove.ts";
import { useStaying } from "./useStaying.ts";

type Props =
  | { sourceId: string; search: SourceSearch; list?: never }
  | { sourceId?: never; search?: never; list: KnowledgeSearch };

const noneSelected: ReadonlySet<string> = new Set();

/** What waits for an approval and what it costs, beside it the chosen source; and what agents find in all of them. */
export function KnowledgePage({ sourceId, search, list = {} }: Props) {
  const navigate = useNavigate();
  const inbox = useSources();
  const { who } = useApi();
  const approve = useApprove();
  const { teams } = useSignedIn();
  // As the service has it: a team's key is nobody whose credits could be spent.
  const isTeamKey = who.kind === "team";
  const newSource = useCan("knowledge_sources") && inbox.canList && (
    <Button
      icon={<Plus />}
      onClick={() => setMaking(true)}
      {...(isTeamKey && { disabledReason: "A new source needs a personal key", reasonAs: "title" })}
    >
      New source
    </Button>
  );
  const canSearch = useCan("knowledge_search");
  const canDelete = useCan("knowledge_deletion");
  const isNarrow = useMedia(noPanel);
  const [selection, setSelection] = useState(noneSelected);
  const [isMaking, setMaking] = useState(false);
  const teamName = (id: string) => teams?.find((team) => team.id === id)?.name ?? id;
  const rows = inbox.groups.flatMap((group) => group.sources);
  const waiting = inbox.groups.find((group) => group.key === "waits")?.sources ?? [];
  // Also those that were approved meanwhile: what became of each is said until the person lets go.
  const open = (id: string) => void navigate({ to: "/knowledge/$sourceId", params: { sourceId: id } });
  const ids = useStaying(
    rows.map(({ id }) => id),
    sourceId,
  );
  useListKeys({ noun: "source", ids, current: sourceId, onMove: open });

  const { query } = inbox;
  const isSearching = list.tab === "search" && canSearch;
  const chosen = rows.find((one) => one.id === sourceId);
  const showsList = sourceId === undefined || !isNarrow;
  const listTitle = narrowedTitle("Knowledge", isSearching ? list.q : undefined, isSearching && "Search");
  return (
    <Page
      title={sourceId === undefined ? listTitle : chosen ? sourceName(chosen) : "A knowledge source"}
      heading="Knowledge"
      live={inbox.canList && query.queryKey}
      actions={newSource}
    >
      {canSearch && inbox.canList && showsList && (
        <TabBar label="Knowledge" className="shrink-0 pr-edge-right pl-edge-left">
          <Tab isActive={!isSearching} count={waiting.length || undefined}>
            <Link to="/knowledge">Sources</Link>
          </Tab>
          <Tab isActive={isSearching}>
            <Link to="/knowledge" search={{ tab: "search" }}>
              Search
            </Link>
          </Tab>
        </TabBar>
      )}
      {!inbox.canList ? (
        <ApproveById key={sourceId} approve={approve} sourceId={sourceId} />
      ) : isSearching ? (
        <Passages
          query={list.q ?? ""}
          onQuery={(q) =>
            void navigate({
              to: "/knowledge",
              search: { tab: "search", ...(q !== "" && { q }) },
              replace: true,
            })
          }
        />
      ) : (
        <div className="flex min-h-0 flex-1">
          {showsList && (
            <div
              className={cx(
                "flex min-h-0 flex-col overflow-y-auto",
                isNarrow || rows.length === 0 ? "w-full" : "w-[432px] shrink-0 border-r",
              )}
            >
              <ListView
                list={inbox}
                what="The knowledge sources"
                shape={["14px", "2fr", "80px"]}
                isEmpty={rows.length === 0}
                empty={<NoSources newSource={newSource} />}
                below={
                  <SelectionBar
                    selection={rows.filter((one) => selection.has(one.id))}
                    approve={approve}
                    canDelete={canDelete}
                    onDone={() => setSelection(noneSelected)}
                  />
                }
                foot={
                  <>
                    {inbox.more
                      ? `The newest ${counted(inbox.sources.length, "source")} your key can see`
                      : "Sources your key can see"}
                    {isTeamKey && "; a new one needs a personal key"}
                  </>
                }
              >
                <SourceList
                  groups={inbox.groups}
                  shown={sourceId}
                  selection={selection}
                  putOff={inbox.putOff}
                  teamName={teamName}
                  canSelect={(group, source) => group === "waits" || (canDelete && inbox.mine(source))}
                  onSelection={setSelection}
                />
              </ListView>
            </div>
          )}
          {sourceId !== undefined ? (
            <section aria-label="The source" className="min-w-0 flex-1 overflow-y-auto">
              <LazyPart>
                <SourceDetail
                  key={sourceId}
                  sourceId={sourceId}
                  search={search}
                  inbox={inbox}
                  approve={approve}
                  teamName={teamName}
                  list="/knowledge"
                />
              </LazyPart>
            </section>
          ) : (
            !isNarrow &&
            rows.length > 0 && (
              <EmptyState title={waiting.length === 0 ? "Nothing to approve" : "Choose a source"}>
                {waiting.length === 0
                  ? "New drafts appear at the top of the list; approved sources stay below with their cost."
                  : "You’ll see the cost before anything is charged."}
              </EmptyState>
            )
          )}
        </div>
      )}
      {isMaking && (
        <NewSource
          onClose={() => setMaking(false)}
          onMade={(id) => {
            setMaking(false);
            if (id !== "") open(id);
          }}
        />
      )}
    </Page>
  );
}

function NoSources({ newSource }: { newSource: ReactNode }) {
  const api = useApi();
  return (
    <EmptyState
      title="No knowledge sources yet"
      actions={newSource}
      curl={curlOfCall(api, createSource, { body: { name: "Handbook", require_approval: true } })}
    >
      Documents your agents can search appear here. Create the first source with{" "}
      {api.who.kind === "team" ? "a personal key" : "the button or this command"}, then add files: you’ll see
      what indexing costs before you approve it.
    </EmptyState>
  );
}
