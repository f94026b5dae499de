import { useApi, useCan } from "../../lib/api.tsx";
import { formatSize } from "../../lib/files.ts";
import { TableList } from "../../lib/list/ListView.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { CodeLine } from "../../ui/CopyButton.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import type { Columns } from "../../ui/Table.tsx";
import { useSignedIn } from "../session/index.ts";
import { retentionQueries } from "./queries.ts";
import { countWords, daysWords, kindWords, type RetentionRow, retentionRows } from "./rows.ts";

/** How long the service keeps what, and what of it would be deleted now. */
export function RetentionPage() {
  const canRead = useCan("retention");
  return canRead ? <Preview /> : <NotOffered />;
}

function Preview() {
  const query = useRead(retentionQueries.preview(useApi()));
  const { teams } = useSignedIn();
  const rows = query.data ? retentionRows(query.data.data) : [];
  const goes = rows.some(({ found }) => found !== null);
  const whose = ({ kind, teamId }: RetentionRow) => {
    if (teamId === undefined)
      return rows.some((other) => other.kind === kind && other.teamId !== undefined) ? "All others" : "All";
    if (teamId === null) return "No team";
    return teams?.find((team) => team.id === teamId)?.name ?? teamId;
  };
  return (
    <Page title="Retention" heading="Retention" live={query.queryKey}>
      <TableList
        list={{ query, damage: query.data?.damage ?? [] }}
        what="The retention preview"
        above={
          <header className="py-4 pr-edge-right pl-edge-left">
            <h2 className="text-title">{goes ? "Due for deletion" : "Nothing is due for deletion"}</h2>
            <p className="mt-1 max-w-text text-muted">
              {goes && "The service will delete this, and that can’t be undone. "}
              Whatever is marked as kept, still running or part of something that stays is never deleted, nor
              is a conversation with a shared artifact. To keep a run or a conversation, choose Keep in its
              menu.
            </p>
          </header>
        }
        table={{ label: "Retention", columns: columns(whose), rows, idOf: ({ id }) => id }}
        phone={(row) => <PhoneRow row={row} whose={whose(row)} />}
        empty={<NothingDeleted />}
        foot={rows.length > 0 && "What your key can see; sizes are approximate"}
      />
    </Page>
  );
}

const columns = (whose: (row: RetentionRow) => string): Columns<RetentionRow> => ({
  kind: {
    head: "What",
    kind: "name",
    title: ({ kind }) => kindWords(kind).about,
    cell: ({ kind }) => kindWords(kind).name,
  },
  team: { head: "Team", kind: "muted", cell: (row) => <bdi>{whose(row)}</bdi> },
  days: { head: "Kept for", width: 110, kind: "muted", cell: daysWords },
  count: {
    head: "To delete",
    width: 180,
    isFigure: true,
    kind: ({ found }) => (found ? "figure" : "mutedFigure"),
    cell: countWords,
  },
  bytes: {
    head: "Size",
    width: 110,
    kind: "mutedFigure",
    cell: ({ found }) => found?.bytes != null && formatSize(found.bytes),
  },
  oldest: {
    head: "Oldest",
    width: 110,
    kind: "muted",
    cell: ({ found }) => found && <Ago at={found.oldest_ts} />,
  },
});

function PhoneRow({ row, whose }: { row: RetentionRow; whose: string }) {
  const { kind, found } = row;
  return (
    <div className="flex flex-col gap-0.5 px-edge-left py-2.5">
      <span className="flex items-baseline gap-3">
        <span className="min-w-0 flex-1 truncate font-medium">{kindWords(kind).name}</span>
        <span className={found ? "tabular-nums" : "text-muted"}>{countWords(row)}</span>
      </span>
      <span className="flex items-baseline gap-3 text-muted text-secondary">
        <span className="min-w-0 flex-1 truncate">
          <bdi>{whose}</bdi>, kept for {daysWords(row)}
        </span>
        {found && (
          <span className="shrink-0 tabular-nums">
            {found.bytes != null && `${formatSize(found.bytes)}, `}oldest <Ago at={found.oldest_ts} />
          </span>
        )}
      </span>
    </div>
  );
}

function NothingDeleted() {
  return (
    <EmptyState title="Nothing is ever deleted">
      <p>
        This service has no retention rule for what your key can see: runs and conversations stay until a
        person deletes them. To have old ones deleted, add times to the workspace’s{" "}
        <code className="text-mono">wheelhouse.yaml</code> and restart the service:
      </p>
      <CodeLine
        code="retention: { runs: 90d, failed_runs: 1y, conversations: 180d }"
        what="the example"
        className="mt-3 w-0 min-w-full"
      />
    </EmptyState>
  );
}

function NotOffered() {
  return (
    <Page title="Retention" heading="Retention">
      <EmptyState
        title="This service has no retention"
        actions={<LinkButton to="/">Go to overview</LinkButton>}
      >
        It does not say how long it keeps runs and conversations, or what it deletes.
      </EmptyState>
    </Page>
  );
}
