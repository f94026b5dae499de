import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { TableList } from "../../../lib/list/ListView.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { shownName } from "../../../lib/shownName.ts";
import { ClockTime } from "../../../lib/time/ClockTime.tsx";
import { Ago } from "../../../lib/time/Time.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { AdminFrame } from "../AdminFrame.tsx";
import { ConfirmAction } from "../ConfirmAction.tsx";
import { OwnerPicker, useOwnerPicker } from "../keys/OwnerPicker.tsx";
import { newestCounted } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { type ConnectedRow, connectedPages } from "../queries.ts";
import { actionsColumn, RowAction, RowActions } from "../RowActions.tsx";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { scopeWords } from "./words.ts";

type Props = { roles: OwnRoles; search: AdminSearch };

/** The programs that somebody has let in, with what each may do; each can be ended. */
export function ConnectedView({ roles, search }: Props) {
  const of = search.user === undefined ? {} : { user: search.user };
  const { rows, ...list } = usePages(connectedPages(useApi(), of));
  const whose = useOwnerPicker(roles, of);
  const [ending, setEnding] = useState<ConnectedRow | null>(null);
  const isMine = whose.kind === "me";
  return (
    <AdminFrame
      roles={roles}
      tab="connected"
      title={isMine ? "Connected programs" : `Connected programs of ${whose.name}`}
      live={list.query.queryKey}
    >
      <OwnerPicker whose={whose} tab="connected" mine="My programs" />
      <TableList
        list={list}
        what="The connected programs"
        table={{ label: "Connected programs", columns: columns(setEnding), rows, idOf: ({ id }) => id }}
        phone={(row) => <PhoneRow row={row} onEnd={setEnding} />}
        empty={
          <EmptyState title={isMine ? "No connected programs" : `${whose.name} has no connected programs`}>
            A program that asks to act for you opens a page here. It says what the program will be able to do,
            and you allow it or not. What you allowed appears here until you end it.
          </EmptyState>
        }
        foot={newestCounted(rows.length, list.more, "program")}
      />
      {ending && <End row={ending} isMine={isMine} onClose={() => setEnding(null)} />}
    </AdminFrame>
  );
}

const nameOf = ({ program, id }: ConnectedRow): string => shownName(program?.name || program?.id || id);

/** Where it comes from: an admin here, or only its own word. */
function Origin({ row: { program } }: { row: ConnectedRow }) {
  if (program?.kind === "registered") return <>registered here</>;
  return <bdi>{program?.host || "unknown origin"}</bdi>;
}

const columns = (onEnd: (row: ConnectedRow) => void): Columns<ConnectedRow> => ({
  name: {
    head: "Program",
    title: nameOf,
    cell: (row) => (
      <>
        <bdi className="font-medium">{nameOf(row)}</bdi>
        <span className="ml-2.5 text-muted text-secondary">
          <Origin row={row} />
        </span>
      </>
    ),
  },
  scopes: { head: "May", width: 150, cell: ({ scopes }) => scopeWords(scopes) },
  used: {
    head: "Last used",
    width: 110,
    cell: ({ last_used_at: at }) => (at ? <Ago at={at} /> : <span className="text-faint">not yet</span>),
  },
  made: {
    head: "Allowed",
    width: 110,
    kind: "muted",
    className: "@max-[700px]:hidden",
    cell: ({ created_at: at }) => <Ago at={at} />,
  },
  ends: {
    head: "Ends if unused",
    width: 150,
    kind: "muted",
    className: "@max-[860px]:hidden",
    cell: ({ expires_at: at }) => <ClockTime at={at} />,
  },
  end: { ...actionsColumn, cell: (row) => <Actions row={row} onEnd={onEnd} /> },
});

type Ends = { row: ConnectedRow; onEnd: (row: ConnectedRow) => void };

function Actions({ row, onEnd }: Ends) {
  const name = nameOf(row);
  return (
    <RowActions kind="program" id={row.id} name={name}>
      <RowAction label={`End access of ${name}`} onClick={() => onEnd(row)}>
        End
      </RowAction>
    </RowActions>
  );
}

function PhoneRow({ row, onEnd }: Ends) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2.5">
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{nameOf(row)}</bdi>
        <span className="block truncate text-muted text-secondary">
          <Origin row={row} />
        </span>
        <span className="block truncate text-secondary">{scopeWords(row.scopes)}</span>
        <span className="block truncate text-muted text-secondary">
          {row.last_used_at ? (
            <>
              Used <Ago at={row.last_used_at} />
            </>
          ) : (
            "Not used yet"
          )}
          , allowed <Ago at={row.created_at} />
        </span>
      </span>
      <Actions row={row} onEnd={onEnd} />
    </div>
  );
}

type EndProps = { row: ConnectedRow; isMine: boolean; onClose: () => void };

function End({ row, isMine, onClose }: EndProps) {
  return (
    <ConfirmAction
      onClose={onClose}
      title={
        <>
          End access of <bdi>{nameOf(row)}</bdi>?
        </>
      }
      consequence={`Its next request is refused. To come back it has to ask ${isMine ? "you" : "them"} again.`}
      action="End access"
      mutation={adminMutations.endProgram(useApi())}
      variables={{ params: { connection_id: row.id } }}
      doneTitle={() => `Access of ${nameOf(row)} ended`}
      failedTitle="The access was not ended"
    />
  );
}
