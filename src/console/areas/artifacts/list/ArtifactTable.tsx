import { Link, useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import { Ago } from "../../../lib/time/Time.tsx";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { cx } from "../../../ui/cx.ts";
import { middleCut } from "../../../ui/Id.tsx";
import { Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import { type ArtifactFile, artifactName, creatorName, sizeOf, sizeWords, typeOf } from "../artifact-row.ts";
import { zipHindrance } from "../download-zip.ts";
import { ArtifactLink } from "../names.tsx";
import type { ArtifactOrder } from "../search.ts";
import type { Selection } from "../useSelection.ts";
import { VersionRows } from "../versions/VersionList.tsx";
import { Sign } from "./Sign.tsx";

export type ListProps = {
  files: readonly ArtifactFile[];
  selection: Selection;
  /** The row that one was at. */
  current: string | undefined;
  agents: ReadonlyMap<string, string>;
  conversations: ReadonlyMap<string, string>;
  /** Artifacts of several agents. */
  hasAgents: boolean;
};

type Props = ListProps & { sort: ArtifactOrder; onSort: (sort: ArtifactOrder) => void };

/** Artifacts in rows, with the versions of one folded under it. */
export function ArtifactTable({ files, selection, sort, onSort, ...rest }: Props) {
  const { shown, before, after, measure } = useWindow(files.length);
  return (
    <Table label="Artifacts" aria-rowcount={files.length + 1}>
      <thead>
        <tr>
          <Th className="w-[42px]">
            <Checkbox
              aria-label="Select all"
              checked={selection.isAll}
              isPartial={selection.selected.size > 0 && !selection.isAll}
              onChange={selection.toggleAll}
            />
          </Th>
          <Th className="w-[52px]">
            <span className="sr-only">Sign</span>
          </Th>
          <Th
            sort={sort === "name_asc" ? "ascending" : sort === "name_desc" ? "descending" : undefined}
            onSort={() => onSort(sort === "name_asc" ? "name_desc" : "name_asc")}
          >
            Name
          </Th>
          <Th className="w-[74px]">Versions</Th>
          <Th className="w-[84px] @max-[720px]:hidden">Type</Th>
          <Th isFigure className="w-[88px]">
            Size
          </Th>
          {rest.hasAgents && <Th className="w-[112px] @max-[860px]:hidden">Agent</Th>}
          <Th className="w-[15%] @max-[1040px]:hidden">From conversation</Th>
          <Th className="w-[104px] @max-[1200px]:hidden">Creator</Th>
          <Th
            isFigure
            className="w-[112px]"
            sort={sort === "newest" ? "descending" : sort === "oldest" ? "ascending" : undefined}
            onSort={() => onSort(sort === "newest" ? "oldest" : "newest")}
          >
            Created
          </Th>
        </tr>
      </thead>
      {before > 0 && <Gap height={before} />}
      {files.slice(shown.from, shown.to).map((file, at) => (
        <FileRows
          key={file.newest.id}
          {...rest}
          file={file}
          index={shown.from + at}
          measure={measure}
          selection={selection}
        />
      ))}
      {after > 0 && <Gap height={after} />}
    </Table>
  );
}

/** Stands for rows that are out of view. */
function Gap({ height }: { height: number }) {
  return (
    <tbody aria-hidden="true">
      <tr>
        <td style={{ height: `${height}px` }} />
      </tr>
    </tbody>
  );
}

type RowProps = Omit<ListProps, "files"> & {
  file: ArtifactFile;
  index: number;
  measure: (element: Element | null) => void;
};

function FileRows({ file, index, measure, selection, current, agents, conversations, hasAgents }: RowProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const row = file.newest;
  const size = sizeOf(row);
  const name = artifactName(row);
  const open = () =>
    void navigate({
      to: "/artifacts/$artifactId",
      params: { artifactId: row.id },
      search: row.agent_id ? { agent: row.agent_id } : {},
    });
  const hindrance = zipHindrance(row);
  return (
    <tbody ref={measure} data-index={index}>
      <Tr
        data-artifact={row.id}
        aria-rowindex={index + 2}
        isSelected={row.id === current}
        onClick={open}
        className="cursor-default [--row:40px]"
      >
        <Td onClick={(event) => event.stopPropagation()} title={hindrance ?? undefined}>
          <Checkbox
            aria-label={`Select ${name}`}
            checked={selection.selected.has(row.id)}
            disabled={hindrance !== null}
            onChange={() => selection.toggle(row.id)}
          />
        </Td>
        <Td className="py-0! align-middle! [overflow:visible]!">
          <Sign type={typeOf(row)} />
        </Td>
        <Td kind="name" title={name}>
          <ArtifactLink row={row}>
            <bdi>{name}</bdi>
          </ArtifactLink>
        </Td>
        <Td kind="muted">
          {file.count > 1 ? (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-label={`${file.count} versions of ${name}`}
              onClick={(event) => {
                event.stopPropagation();
                setOpen(!isOpen);
              }}
              className="inline-flex items-center gap-2 rounded-tag tabular-nums hover:text-default"
            >
              {file.count}
              <ChevronRight className={cx("transition-transform", isOpen && "rotate-90")} />
            </button>
          ) : (
            <span className="tabular-nums">1</span>
          )}
        </Td>
        <Td kind={typeOf(row) === "not given" ? "faint" : "support"} className="@max-[720px]:hidden">
          {typeOf(row)}
        </Td>
        <Td kind="figure" className={size === null ? "text-faint text-secondary" : "text-muted"}>
          {sizeWords(size)}
        </Td>
        {hasAgents && (
          <Td className="@max-[860px]:hidden">
            <AgentName id={row.agent_id} names={agents} />
          </Td>
        )}
        <Td kind="support" className="@max-[1040px]:hidden">
          <ConversationName row={row} names={conversations} />
        </Td>
        <Td kind="support" className="@max-[1200px]:hidden">
          <bdi>{creatorName(row) ?? "not given"}</bdi>
        </Td>
        <Td kind="figure" className="text-muted">
          <Ago at={row.created_at} />
        </Td>
      </Tr>
      {isOpen && <VersionRows file={file} hasAgents={hasAgents} />}
    </tbody>
  );
}

export function AgentName({
  id,
  names,
}: {
  id: string | null | undefined;
  names: ReadonlyMap<string, string>;
}) {
  if (!id) return <span className="text-faint text-secondary">not given</span>;
  return <bdi title={id}>{names.get(id) ?? middleCut(id, 12, 5)}</bdi>;
}

/** The conversation that a file came from, as a link to it. */
export function ConversationName({
  row,
  names,
}: {
  row: ArtifactFile["newest"];
  names: ReadonlyMap<string, string>;
}) {
  const { session_id, agent_id } = row;
  if (!session_id) return <span className="text-faint">not given</span>;
  const words = <bdi>{names.get(session_id) ?? middleCut(session_id, 12, 5)}</bdi>;
  if (!agent_id) return words;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId: agent_id, interactionId: session_id }}
      className="rounded-tag hover:text-default hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      {words}
    </Link>
  );
}

/** Up to so many rows all of them exist, so that the browser's own search finds them. */
const plain = 200;
const rowHeight = 41;

/** Which rows of a table exist as elements: all of a short one, of a long one those in view and some around them. */
function useWindow(count: number) {
  const isLong = count > plain;
  const rows = useVirtualizer({
    count: isLong ? count : 0,
    getScrollElement: () => document.getElementById("content"),
    estimateSize: () => rowHeight,
    overscan: 20,
    initialRect: { width: 1200, height: 800 },
  });
  if (!isLong) return { shown: { from: 0, to: count }, before: 0, after: 0, measure: () => {} };
  const items = rows.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  return {
    shown: { from: first?.index ?? 0, to: (last?.index ?? -1) + 1 },
    before: first?.start ?? 0,
    after: last ? rows.getTotalSize() - last.end : rows.getTotalSize(),
    measure: rows.measureElement as (element: Element | null) => void,
  };
}
