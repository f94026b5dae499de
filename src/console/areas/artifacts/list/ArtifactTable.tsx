import { Link, useNavigate } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import type { RowSelection } from "../../../lib/list/RowSelection.ts";
import { selectColumn } from "../../../lib/list/SelectRows.tsx";
import { Ago } from "../../../lib/time/Time.tsx";
import { cx } from "../../../ui/cx.ts";
import { middleCut } from "../../../ui/Id.tsx";
import { type Columns, TableFrame, TableRow } from "../../../ui/Table.tsx";
import { Person } from "../../directory/index.ts";
import { type ArtifactFile, artifactName, sizeOf, sizeWords, typeOf } from "../artifact-row.ts";
import { zipHindrance } from "../download-zip.ts";
import { ArtifactLink } from "../names.tsx";
import type { ArtifactOrder } from "../search.ts";
import { VersionRows } from "../versions/VersionList.tsx";
import { TypeIcon } from "./TypeIcon.tsx";

export type Shown = {
  selection: RowSelection;
  agents: ReadonlyMap<string, string>;
  conversations: ReadonlyMap<string, string>;
  /** Artifacts of several agents. */
  hasAgents: boolean;
  sort: ArtifactOrder;
  onSort: (sort: ArtifactOrder) => void;
};

/** A file, with its earlier versions folded under it or not. */
type Row = { readonly file: ArtifactFile; readonly isOpen: boolean; readonly onFold: () => void };

/** What a file is, how many versions it has, and where it came from. */
export const artifactColumns = (shown: Shown): Columns<Row> => ({
  select: selectColumn({
    selection: shown.selection,
    all: "Select all",
    idOf: ({ file }) => file.newest.id,
    labelOf: ({ file }) => `Select ${artifactName(file.newest)}`,
    hindranceOf: ({ file }) => zipHindrance(file.newest),
  }),
  sign: {
    head: <span className="sr-only">Sign</span>,
    width: 52,
    cellClass: "py-0! align-middle! [overflow:visible]!",
    cell: ({ file }) => <TypeIcon type={typeOf(file.newest)} />,
  },
  name: {
    head: "Name",
    kind: "name",
    ...sortedBy(shown, "name_asc", "name_desc"),
    title: ({ file }) => artifactName(file.newest),
    cell: ({ file }) => (
      <ArtifactLink row={file.newest}>
        <bdi>{artifactName(file.newest)}</bdi>
      </ArtifactLink>
    ),
  },
  versions: { head: "Versions", width: 74, kind: "muted", cell: (row) => <Versions {...row} /> },
  type: {
    head: "Type",
    width: 84,
    kind: ({ file }) => (typeOf(file.newest) === "unknown" ? "faint" : "support"),
    className: "@max-[720px]:hidden",
    cell: ({ file }) => typeOf(file.newest),
  },
  size: {
    head: "Size",
    width: 88,
    kind: "figure",
    cellClass: ({ file }) => (sizeOf(file.newest) === null ? "text-faint text-secondary" : "text-muted"),
    cell: ({ file }) => sizeWords(sizeOf(file.newest)),
  },
  agent: shown.hasAgents && {
    head: "Agent",
    width: 112,
    className: "@max-[860px]:hidden",
    cell: ({ file }) => <AgentName id={file.newest.agent_id} names={shown.agents} />,
  },
  conversation: {
    head: "From conversation",
    width: "15%",
    kind: "support",
    className: "@max-[1040px]:hidden",
    cell: ({ file }) => <ConversationName row={file.newest} names={shown.conversations} />,
  },
  creator: {
    head: "Creator",
    width: 104,
    kind: "support",
    className: "@max-[1200px]:hidden",
    cell: ({ file: { newest } }) => (newest.creator ? <Person of={newest.creator} /> : "unknown"),
  },
  created: {
    head: "Created",
    width: 112,
    kind: "mutedFigure",
    ...sortedBy(shown, "newest", "oldest"),
    cell: ({ file }) => <Ago at={file.newest.created_at} />,
  },
});

const sortedBy = ({ sort, onSort }: Shown, first: ArtifactOrder, second: ArtifactOrder) => ({
  sort:
    sort !== first && sort !== second
      ? undefined
      : sort === "name_asc" || sort === "oldest"
        ? ("ascending" as const)
        : ("descending" as const),
  onSort: () => onSort(sort === first ? second : first),
});

type Props = {
  files: readonly ArtifactFile[];
  columns: Columns<Row>;
  /** The row that one was at. */
  current: string | undefined;
  hasAgents: boolean;
};

/** Artifacts in rows, with the versions of one folded under it. */
export function ArtifactTable({ files, ...rest }: Props) {
  const { shown, before, after, measure } = useWindow(files.length);
  return (
    <TableFrame label="Artifacts" columns={rest.columns} aria-rowcount={files.length + 1}>
      {before > 0 && <Gap height={before} />}
      {files.slice(shown.from, shown.to).map((file, at) => (
        <FileRows key={file.newest.id} {...rest} file={file} index={shown.from + at} measure={measure} />
      ))}
      {after > 0 && <Gap height={after} />}
    </TableFrame>
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

type RowProps = Omit<Props, "files"> & {
  file: ArtifactFile;
  index: number;
  measure: (element: Element | null) => void;
};

function FileRows({ file, index, measure, columns, current, hasAgents }: RowProps) {
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const { id, agent_id } = file.newest;
  return (
    <tbody ref={measure} data-index={index}>
      <TableRow
        id={id}
        columns={columns}
        row={{ file, isOpen, onFold: () => setOpen(!isOpen) }}
        aria-rowindex={index + 2}
        isSelected={id === current}
        onRow={() =>
          void navigate({
            to: "/artifacts/$artifactId",
            params: { artifactId: id },
            search: agent_id ? { agent: agent_id } : {},
          })
        }
        className="[--row:40px]"
      />
      {isOpen && <VersionRows file={file} hasAgents={hasAgents} />}
    </tbody>
  );
}

function Versions({ file, isOpen, onFold }: Row) {
  if (file.count <= 1) return <span className="tabular-nums">1</span>;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-label={`${file.count} versions of ${artifactName(file.newest)}`}
      onClick={onFold}
      className="inline-flex items-center gap-2 rounded-tag tabular-nums hover:text-default"
    >
      {file.count}
      <ChevronRight className={cx("transition-transform", isOpen && "rotate-90")} />
    </button>
  );
}

/** An agent by its name, else by its shortened id. `names`: those that are known, by id. */
export function AgentName({
  id,
  names,
}: {
  id: string | null | undefined;
  names: ReadonlyMap<string, string>;
}) {
  if (!id) return <span className="text-faint text-secondary">unknown</span>;
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
  if (!session_id) return <span className="text-faint">unknown</span>;
  const words = <bdi>{names.get(session_id) ?? middleCut(session_id, 12, 5)}</bdi>;
  if (!agent_id) return words;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId: agent_id, interactionId: session_id }}
      className="rounded-tag hover:text-default hover:underline"
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
