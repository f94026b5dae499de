import { useEffect, useEffectEvent, useRef } from "react";
import { startAgent } from "../../../../contract/interactions.ts";
import { ownerOf } from "../../../api/connection.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { curlOfCall } from "../../../lib/curl.ts";
import { isRead, ListView, shapeOf } from "../../../lib/list/ListView.tsx";
import { NoMatches } from "../../../lib/list/NoMatches.tsx";
import { useRowSelection } from "../../../lib/list/RowSelection.ts";
import { rowOf, useListKeys } from "../../../lib/list/useListKeys.ts";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import type { More } from "../../../lib/paging/usePages.ts";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { PhoneRows } from "../../../ui/PhoneRows.tsx";
import { useAgentNames, useHasNoAgent } from "../../directory/index.ts";
import { zipHindrance } from "../download-zip.ts";
import { useConversationNames } from "../names.tsx";
import type { ArtifactScope } from "../queries.ts";
import type { ArtifactsSearch } from "../search.ts";
import { ArtifactGrid, PhoneRow } from "./ArtifactGrid.tsx";
import { ArtifactTable, artifactColumns } from "./ArtifactTable.tsx";
import { ArtifactTools, appliesWords, type ChangeSearch, footWords } from "./ArtifactTools.tsx";
import { SelectionBar } from "./SelectionBar.tsx";
import { isNarrowed, type ListedArtifacts } from "./useArtifactList.ts";

type Props = {
  scope: ArtifactScope;
  search: ArtifactsSearch;
  list: ListedArtifacts;
  /** The list is of several agents, and can be narrowed to one. */
  hasAgents: boolean;
  onChange: ChangeSearch;
  onClear: () => void;
  onOpen: (artifactId: string) => void;
};

/** A list of artifacts as its address says: tools, rows or pictures, what is selected, and what was read. */
export function ArtifactList({ scope, search, list, hasAgents, onChange, onClear, onOpen }: Props) {
  const { files } = list;
  const isPhone = useMedia(phone);
  const selection = useRowSelection(
    files.flatMap(({ newest }) => (zipHindrance(newest) === null ? [newest.id] : [])),
    isRead(list),
  );
  const agents = useAgentNames();
  const conversations = useConversationNames(files.map((file) => file.newest));
  const more = useReadMore(list);
  useListKeys({
    noun: "artifact",
    ids: files.map(({ newest }) => newest.id),
    current: search.artifact,
    selection,
    onMove: (artifact) => onChange({ artifact }),
    onOpen,
  });
  const isThere = files.length > 0;
  const at = search.artifact;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list comes: later steps scroll by themselves
  useEffect(() => {
    if (isThere && at !== undefined) rowOf(at)?.scrollIntoView({ block: "center" });
  }, [isThere]);

  const shown = {
    ...{ selection, agents, conversations, hasAgents, sort: search.sort ?? "newest" },
    onSort: (sort: string) => onChange({ sort }),
  };
  const columns = artifactColumns(shown);
  return (
    <>
      <ArtifactTools
        search={search}
        files={list.allFiles}
        agents={agents}
        conversations={conversations}
        hasAgentFilter={hasAgents || search.agent !== undefined}
        onChange={onChange}
      />
      <ListView
        list={list}
        what="The artifacts"
        shape={shapeOf(columns)}
        isEmpty={!isThere}
        empty={
          <NoArtifacts scope={scope} isNarrowed={isNarrowed(search)} more={list.more} onClear={onClear} />
        }
        foot={footWords(list, search, scope.kind)}
        aside={appliesWords(scope.kind)}
        below={<div ref={more} className="h-px" />}
        over={<SelectionBar files={files} selection={selection} />}
        moreLabel="Load 100 more"
      >
        {search.view === "grid" ? (
          <ArtifactGrid {...shown} files={files} current={at} />
        ) : isPhone ? (
          <PhoneRows label="Artifacts" rows={files} idOf={({ newest }) => newest.id}>
            {(file) => <PhoneRow {...shown} file={file} current={at} />}
          </PhoneRows>
        ) : (
          <ArtifactTable files={files} columns={columns} current={at} hasAgents={hasAgents} />
        )}
      </ListView>
    </>
  );
}

/** Fewer rows than these are seen at once: then the person decides whether more is read. */
const fewRows = 25;

/**
 * Reads the next page when the end of the list comes into view. Not while filters leave few rows: looking for them would
 * read everything there is, without anybody having asked.
 * @returns the ref of what stands at the end
 */
function useReadMore({ more, files: { length } }: ListedArtifacts) {
  const end = useRef<HTMLDivElement>(null);
  const read = useEffectEvent(() => more?.read());
  const isWanted = more !== null && !more.isReading && more.error === null && length >= fewRows;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another length means that the end lies elsewhere
  useEffect(() => {
    if (!isWanted || !end.current || !("IntersectionObserver" in globalThis)) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) read();
      },
      { root: document.getElementById("content"), rootMargin: "400px" },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWanted, length]);
  return end;
}

type NoArtifactsProps = {
  scope: ArtifactScope;
  isNarrowed: boolean;
  more: More | null;
  onClear: () => void;
};

/** Why there are no artifacts, and the next step. */
function NoArtifacts({ scope, isNarrowed, more, onClear }: NoArtifactsProps) {
  if (isNarrowed) {
    return (
      <NoMatches what="artifacts" more={more} onClear={onClear}>
        Try other filters.
      </NoMatches>
    );
  }
  return scope.kind === "agent" ? <NoneOfAgent agentId={scope.agentId} /> : <NoneOfAll {...scope} />;
}

function NoneOfAgent({ agentId }: { agentId: string }) {
  return (
    <EmptyState
      title="No artifacts yet"
      actions={
        <LinkButton to="/agents/$agentId/conversations/new" params={{ agentId }}>
          New conversation
        </LinkButton>
      }
      curl={useReportCurl(agentId)}
    >
      Files that this agent writes appear here, with every version. Ask it for a file in a conversation.
    </EmptyState>
  );
}

function NoneOfAll({ agentId = "AGENT_ID" }: { agentId?: string | undefined }) {
  const reportCurl = useReportCurl(agentId);
  const hasNoAgent = useHasNoAgent();
  const canMake = useCan("agent_create");
  const appear = "Files that agents write appear here, with every version.";
  if (hasNoAgent) {
    return (
      <EmptyState
        title="No artifacts yet"
        actions={canMake && <LinkButton to="/agents/new">New agent</LinkButton>}
      >
        {appear} You have no agent to ask for one yet.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No artifacts yet"
      actions={
        <LinkButton to="/agents" search={{ conversation: true }}>
          Talk to an agent
        </LinkButton>
      }
      curl={reportCurl}
    >
      {appear} Ask one for a file in a conversation.
    </EmptyState>
  );
}

const useReportCurl = (agentId: string) => {
  const api = useApi();
  const message = "Write a short report to report.md";
  return curlOfCall(api, startAgent, { body: { gummie_id: agentId, message, ...ownerOf(api) } });
};
