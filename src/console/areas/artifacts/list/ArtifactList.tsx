import { useEffect } from "react";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { useShortcuts } from "../../../lib/page/shortcuts.ts";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import type { ArtifactScope } from "../queries.ts";
import { useAgentNames, useConversationNames } from "../useNames.ts";
import { ArtifactFoot } from "./ArtifactFoot.tsx";
import { ArtifactGrid } from "./ArtifactGrid.tsx";
import { ArtifactRows } from "./ArtifactRows.tsx";
import { ArtifactTable } from "./ArtifactTable.tsx";
import { ArtifactTools, type ChangeSearch } from "./ArtifactTools.tsx";
import { isNarrowed } from "./filters.ts";
import { NoArtifacts } from "./NoArtifacts.tsx";
import { SelectionBar } from "./SelectionBar.tsx";
import type { ArtifactsSearch } from "./search.ts";
import type { ArtifactList as ReadList } from "./useArtifactList.ts";
import { useReadMore } from "./useReadMore.ts";
import { useSelection } from "./useSelection.ts";

type Props = {
  scope: ArtifactScope;
  search: ArtifactsSearch;
  list: ReadList;
  /** The list is of several agents, and can be narrowed to one. */
  hasAgents: boolean;
  onChange: ChangeSearch;
  onClear: () => void;
  onOpen: (artifactId: string) => void;
};

/** A list of artifacts as its address says: tools, rows or pictures, what is picked, and what was read. */
export function ArtifactList({ scope, search, list, hasAgents, onChange, onClear, onOpen }: Props) {
  const { files, query } = list;
  const isPhone = useMedia(phone);
  const selection = useSelection(files);
  const agents = useAgentNames();
  const conversations = useConversationNames(files.map((file) => file.newest));
  const more = useReadMore(list);
  const step = (by: 1 | -1) => {
    const at = files.findIndex(({ newest }) => newest.id === search.artifact);
    const next = files[at === -1 ? (by === 1 ? 0 : files.length - 1) : at + by]?.newest;
    if (!next) return;
    onChange({ artifact: next.id });
    rowOf(next.id)?.scrollIntoView({ block: "nearest" });
  };
  useShortcuts([
    { keys: "j", does: "Next artifact", run: () => step(1) },
    { keys: "k", does: "Previous artifact", run: () => step(-1) },
    { keys: "x", does: "Select it", run: () => search.artifact && selection.toggle(search.artifact) },
    { keys: "Enter", does: "Open it", run: () => search.artifact && onOpen(search.artifact) },
    { keys: "Escape", does: "Clear the selection", run: selection.clear },
  ]);
  const isThere = files.length > 0;
  const at = search.artifact;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list comes: later steps scroll by themselves
  useEffect(() => {
    if (isThere && at !== undefined) rowOf(at)?.scrollIntoView({ block: "center" });
  }, [isThere]);

  const hasFailed = query.isError && query.data === undefined;
  const shared = { files, selection, current: at, agents, conversations, hasAgents };
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
      {!hasFailed && <Stale query={query} />}
      <Damage damage={list.damage} />
      {query.isPending ? (
        <SkeletonRows
          label="Reading artifacts"
          rows={12}
          columns={["14px", "36px", "3fr", "50px", "60px", "1fr", "2fr", "80px"]}
        />
      ) : hasFailed ? (
        <Failure
          error={query.error}
          what="The artifacts"
          onRetry={() => void query.refetch()}
          isRetrying={query.isRetrying}
        />
      ) : !isThere ? (
        <NoArtifacts scope={scope} isNarrowed={isNarrowed(search)} more={list.more} onClear={onClear} />
      ) : search.view === "grid" ? (
        <ArtifactGrid {...shared} />
      ) : isPhone ? (
        <ArtifactRows {...shared} />
      ) : (
        <ArtifactTable {...shared} sort={search.sort ?? "newest"} onSort={(sort) => onChange({ sort })} />
      )}
      <div ref={more} className="h-px" />
      <div className="sticky bottom-0 z-bar mt-auto">
        <SelectionBar files={files} selection={selection} />
        <ArtifactFoot list={list} search={search} kind={scope.kind} />
      </div>
    </>
  );
}

const rowOf = (id: string) => document.querySelector(`[data-artifact="${CSS.escape(id)}"]`);
