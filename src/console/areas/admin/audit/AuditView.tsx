import { Link } from "@tanstack/react-router";
import { useApi } from "../../../lib/api.tsx";
import { NoMatches } from "../../../lib/list/NoMatches.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { useChangeSearch } from "../AdminFrame.tsx";
import { AdminList } from "../AdminList.tsx";
import { nameOf, newestCounted } from "../labels.ts";
import { type AuditRow, auditFilters, auditPages } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { AuditPanel } from "./AuditPanel.tsx";
import { AuditTools, usePersonFilter } from "./AuditTools.tsx";
import { ExportButton } from "./ExportButton.tsx";
import { actionNames, actorWords, objectNames, objectWords } from "./words.ts";

type Props = { roles: OwnRoles; search: AdminSearch };

/** No filter: what `change` takes to show everything. */
const cleared = {
  ...{ user: undefined, object: undefined, object_id: undefined },
  ...{ action: undefined, from: undefined, to: undefined },
};

/** Who changed what: for admins everything, for everyone what they did themselves. */
export function AuditView({ roles, search }: Props) {
  const list = usePages(auditPages(useApi(), search));
  const change = useChangeSearch();
  const isFiltered = Object.keys(auditFilters(search)).length > 0;
  const { user, object, action, from, to } = search;
  const by = usePersonFilter(user, roles).options.find(([id]) => id === user);
  const chosen = [
    action && nameOf(actionNames, action),
    object && nameOf(objectNames, object),
    by?.[1],
    from && `from ${from}`,
    to && `to ${to}`,
  ];
  return (
    <AdminList
      tab="audit"
      title="Audit log"
      chosen={chosen}
      noun="entry"
      roles={roles}
      search={search}
      list={list}
      actions={<ExportButton search={search} />}
      tools={<AuditTools roles={roles} search={search} rows={list.rows} />}
      columns={columns(search)}
      phone={(row) => <PhoneRow row={row} search={search} />}
      empty={
        isFiltered ? (
          <NoMatches what="entries" more={list.more} onClear={() => change(cleared)}>
            Try another person, action or time.
          </NoMatches>
        ) : (
          <EmptyState title="No entries yet">
            {roles.isAdmin
              ? "Changes of people, agents, runs and everything else appear here about a second after they are made."
              : "What you change appears here about a second later. Admins see what everyone changes."}
          </EmptyState>
        )
      }
      foot={newestCounted(list.rows.length, list.more, "entry", "entries")}
      moreLabel="Show older"
      panel={({ key, ...of }) => <AuditPanel key={key} search={search} {...of} />}
    />
  );
}

const columns = (search: AdminSearch): Columns<AuditRow> => ({
  what: {
    head: "Action",
    width: 210,
    cell: (row) => (
      <span className="flex items-baseline gap-2">
        <Link
          to="/admin"
          search={{ ...search, id: row.id }}
          replace
          aria-current={row.id === search.id ? "true" : undefined}
          className="truncate font-medium"
        >
          {nameOf(actionNames, row.action)}
        </Link>
        {(row.count ?? 1) > 1 && <span className="text-muted text-secondary tabular-nums">×{row.count}</span>}
      </span>
    ),
  },
  object: {
    head: "Object",
    title: objectWords,
    cell: (row) => (
      <span className="flex items-baseline gap-2.5">
        <bdi className="truncate">{objectWords(row) || <span className="text-faint">none</span>}</bdi>
        <span className="shrink-0 text-muted text-secondary @max-[760px]:hidden">
          {nameOf(objectNames, row.object?.kind)}
        </span>
      </span>
    ),
  },
  who: { head: "By", width: 180, title: actorWords, cell: (row) => <bdi>{actorWords(row)}</bdi> },
  fields: {
    head: "Fields",
    width: 84,
    kind: "figure",
    className: "@max-[1000px]:hidden",
    cell: ({ changes }) => (changes ?? []).length || <span className="text-faint">none</span>,
  },
  from: {
    head: "Address",
    width: 140,
    kind: "support",
    className: "@max-[900px]:hidden",
    cell: ({ from }) => <bdi>{from?.address ?? <span className="text-faint">none</span>}</bdi>,
  },
  at: {
    head: "When",
    width: 104,
    kind: "muted",
    className: "@max-[480px]:hidden",
    cell: ({ at }) => <Ago at={at} />,
  },
});

function PhoneRow({ row, search }: { row: AuditRow; search: AdminSearch }) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2">
      <span className="min-w-0 flex-1">
        <Link
          to="/admin"
          search={{ ...search, id: row.id }}
          className="focus-inset block truncate font-medium after:absolute after:inset-0"
        >
          {nameOf(actionNames, row.action)}
          {(row.count ?? 1) > 1 && ` ×${row.count}`}
        </Link>
        <bdi className="block truncate text-muted text-secondary">
          {objectWords(row) || nameOf(objectNames, row.object?.kind)}
        </bdi>
      </span>
      <span className="max-w-[45%] shrink-0 text-right text-secondary leading-5">
        <bdi className="block truncate">{actorWords(row)}</bdi>
        <span className="block text-muted">
          <Ago at={row.at} />
        </span>
      </span>
    </div>
  );
}
