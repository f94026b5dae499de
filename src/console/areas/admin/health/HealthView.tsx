import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApi } from "../../../lib/api.tsx";
import { TableList } from "../../../lib/list/ListView.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { State } from "../../../ui/State.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { AdminFrame } from "../AdminFrame.tsx";
import { describeFinding } from "../labels.ts";
import { adminQueries } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import { type FindingRow, findingRows, subjectOf } from "./rows.ts";

/** What is wrong with the installation and what to do, as `wheelhouse doctor` says it: the worst first. */
export function HealthView({ roles }: { roles: OwnRoles }) {
  const query = useRead(adminQueries.diagnostics(useApi()));
  const { data } = query;
  const rows = findingRows(data?.data.findings);
  return (
    <AdminFrame title="Health" roles={roles} tab="health" actions={<LookAgain queryKey={query.queryKey} />}>
      <TableList
        list={{ query, damage: data?.damage ?? [] }}
        what="The look at the installation"
        above={data && <Verdict rows={rows} at={data.data.looked_at} />}
        table={{ label: "Health", columns, rows, idOf: ({ id }) => id }}
        phone={(row) => <PhoneRow row={row} />}
        empty={
          <EmptyState title="Nothing was looked at">
            The service named no check. On its machine, <code>wheelhouse doctor</code> says the same.
          </EmptyState>
        }
        foot={data && footOf(data.data.version)}
      />
    </AdminFrame>
  );
}

function footOf(version: string | null | undefined): string {
  const same = "wheelhouse doctor says the same on the command line";
  return version ? `Wheelhouse ${version}. ${same}` : same;
}

function LookAgain({ queryKey }: { queryKey: readonly unknown[] }) {
  const client = useQueryClient();
  const isLooking = useIsFetching({ queryKey, exact: true }) > 0;
  return (
    <Button loading={isLooking} onClick={() => void client.refetchQueries({ queryKey, exact: true })}>
      Check again
    </Button>
  );
}

function Verdict({ rows, at }: { rows: readonly FindingRow[]; at: string | null | undefined }) {
  const count = (state: string) => rows.filter((row) => row.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  const found = [
    ...(problems > 0 ? [counted(problems, "problem")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
  ];
  return (
    <header className="py-4 pr-edge-right pl-edge-left">
      <h2 className="text-title">{found.length === 0 ? "All is well" : found.join(", ")}</h2>
      <p className="mt-1 max-w-text text-muted">
        Checked <Ago at={at} />: this machine, the database, where files lie, and who is reached from here.
      </p>
    </header>
  );
}

function Words({ row: { found, action } }: { row: FindingRow }): ReactNode {
  return (
    <>
      <span className="block whitespace-normal break-words">{found}</span>
      {action && <span className="block whitespace-normal break-words text-muted">{action}.</span>}
    </>
  );
}

const columns: Columns<FindingRow> = {
  state: { head: "State", width: 130, cell: ({ state }) => <State {...describeFinding(state)} /> },
  subject: {
    head: "Checked",
    width: 210,
    title: ({ check }) => check,
    cell: ({ check }) => <span className="font-medium">{subjectOf(check)}</span>,
  },
  found: { head: "Found, and what to do", cell: (row) => <Words row={row} /> },
};

function PhoneRow({ row }: { row: FindingRow }) {
  return (
    <div className="px-edge-left py-2.5">
      <span className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate font-medium">{subjectOf(row.check)}</span>
        <State {...describeFinding(row.state)} />
      </span>
      <span className="block text-secondary">
        <Words row={row} />
      </span>
    </div>
  );
}
