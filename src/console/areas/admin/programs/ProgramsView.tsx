import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { TableList } from "../../../lib/list/ListView.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/CopyButton.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { AdminFrame } from "../AdminFrame.tsx";
import { ConfirmAction } from "../ConfirmAction.tsx";
import { newestCounted } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { type ProgramRow, programPages } from "../queries.ts";
import { actionsColumn, RowAction, RowActions } from "../RowActions.tsx";
import type { OwnRoles } from "../roles.ts";
import { NewProgram } from "./NewProgram.tsx";

/** The programs that may ask people here; for admins of the installation. */
export function ProgramsView({ roles }: { roles: OwnRoles }) {
  const { rows, ...list } = usePages(programPages(useApi()));
  const [isMaking, setMaking] = useState(false);
  const [removing, setRemoving] = useState<ProgramRow | null>(null);
  const register = (
    <Button icon={<Plus />} onClick={() => setMaking(true)}>
      Register program
    </Button>
  );
  return (
    <AdminFrame roles={roles} tab="programs" title="Programs" live={list.query.queryKey} actions={register}>
      <TableList
        list={list}
        what="The programs"
        table={{ label: "Programs", columns: columns(setRemoving), rows, idOf: ({ id }) => id }}
        phone={(row) => <PhoneRow row={row} onRemove={setRemoving} />}
        empty={
          <EmptyState title="No programs yet" actions={register}>
            A registered program can ask people to act for them, without seeing their keys. What it may do,
            each person decides. Programs that describe themselves at an address of their own appear here when
            they ask.
          </EmptyState>
        }
        foot={newestCounted(rows.length, list.more, "program")}
      />
      {isMaking && <NewProgram onClose={() => setMaking(false)} />}
      {removing && <Remove row={removing} onClose={() => setRemoving(null)} />}
    </AdminFrame>
  );
}

const nameOf = ({ name, id }: ProgramRow): string => shownName(name || id);

function Kind({ row: { kind, confidential } }: { row: ProgramRow }) {
  const word = kind === "document" ? "Not verified" : confidential ? "Has a secret" : null;
  return (
    word !== null && (
      <span className="shrink-0 whitespace-nowrap">
        <Tag>{word}</Tag>
      </span>
    )
  );
}

const addressesOf = ({ redirect_uris: uris }: ProgramRow): string =>
  (uris ?? []).filter((uri) => uri !== null).join(", ");

function ClientId({ row }: { row: ProgramRow }) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <code className="min-w-0 truncate text-mono-narrow text-muted" title={row.id}>
        {row.id}
      </code>
      <CopyButton text={row.id} what="client id" />
    </span>
  );
}

const columns = (onRemove: (row: ProgramRow) => void): Columns<ProgramRow> => ({
  name: {
    head: "Name",
    title: nameOf,
    cell: (row) => (
      <span className="flex items-baseline gap-2.5">
        <bdi className="truncate font-medium">{nameOf(row)}</bdi>
        <Kind row={row} />
      </span>
    ),
  },
  id: {
    head: "Client id",
    width: 260,
    headClass: "@max-[900px]:w-[180px]",
    cell: (row) => <ClientId row={row} />,
  },
  addresses: {
    head: "Answered at",
    width: 240,
    kind: "muted",
    className: "@max-[980px]:hidden",
    title: addressesOf,
    cell: addressesOf,
  },
  people: {
    head: "Connected",
    width: 96,
    kind: "figure",
    className: "@max-[620px]:hidden",
    cell: ({ connections }) => connections ?? "",
  },
  created: {
    head: "Added",
    width: 100,
    kind: "muted",
    className: "@max-[760px]:hidden",
    cell: ({ created_at: at }) => <Ago at={at} />,
  },
  remove: { ...actionsColumn, width: 136, cell: (row) => <Actions row={row} onRemove={onRemove} /> },
});

type Removes = { row: ProgramRow; onRemove: (row: ProgramRow) => void };

function Actions({ row, onRemove }: Removes) {
  const name = nameOf(row);
  return (
    <RowActions kind="program" id={row.id} name={name}>
      <RowAction label={`Remove ${name}`} onClick={() => onRemove(row)}>
        Remove
      </RowAction>
    </RowActions>
  );
}

function PhoneRow({ row, onRemove }: Removes) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2.5">
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <bdi className="min-w-0 truncate font-medium">{nameOf(row)}</bdi>
          <Kind row={row} />
        </span>
        <ClientId row={row} />
        <span className="block truncate text-muted text-secondary">{addressesOf(row)}</span>
        <span className="block truncate text-muted text-secondary">
          {row.connections ?? 0} connected, added <Ago at={row.created_at} />
        </span>
      </span>
      <Actions row={row} onRemove={onRemove} />
    </div>
  );
}

function Remove({ row, onClose }: { row: ProgramRow; onClose: () => void }) {
  return (
    <ConfirmAction
      onClose={onClose}
      title={
        <>
          Remove <bdi>{nameOf(row)}</bdi>?
        </>
      }
      consequence={`The access of ${counted(row.connections ?? 0, "connection")} ends with the next request. ${
        row.kind === "document" ? "It cannot ask again." : "It would have to be registered anew."
      }`}
      action="Remove program"
      mutation={adminMutations.removeProgram(useApi())}
      variables={{ params: { program_id: row.id } }}
      doneTitle={() => `${nameOf(row)} removed`}
      failedTitle="The program was not removed"
    />
  );
}
