import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { TableList } from "../../../lib/list/ListView.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { usePreferences } from "../../../lib/preferences/preferences.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { parseTime } from "../../../lib/time/format.ts";
import { formatDate } from "../../../lib/time/format-day.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { State } from "../../../ui/State.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { AdminFrame } from "../AdminFrame.tsx";
import { ConfirmAction } from "../ConfirmAction.tsx";
import { describeKey, newestCounted, programWords } from "../labels.ts";
import { adminMutations } from "../mutations.ts";
import { type KeyRow, keyPages } from "../queries.ts";
import { actionsColumn, RowAction, RowActions } from "../RowActions.tsx";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { NewKey } from "./NewKey.tsx";
import { OwnerPicker, useOwnerPicker } from "./OwnerPicker.tsx";

type Props = { roles: OwnRoles; search: AdminSearch };

/** The keys with which programs call the service: one's own, and those of teams and people that one looks after. */
export function KeysView({ roles, search }: Props) {
  const { rows, ...list } = usePages(keyPages(useApi(), search));
  const whose = useOwnerPicker(roles, search);
  const { zone } = usePreferences();
  const [isMaking, setMaking] = useState(false);
  const [revoking, setRevoking] = useState<KeyRow | null>(null);
  const newKey = (
    <Button
      icon={<Plus />}
      onClick={() => setMaking(true)}
      reasonAs="title"
      disabledReason={whose.kind === "user" ? "Only they can create a personal key" : undefined}
    >
      New key
    </Button>
  );
  return (
    <AdminFrame
      roles={roles}
      tab="keys"
      title={whose.kind === "me" ? "API keys" : `API keys of ${whose.name}`}
      live={list.query.queryKey}
      actions={newKey}
    >
      <OwnerPicker whose={whose} tab="keys" mine="My keys" />
      <TableList
        list={list}
        what="The keys"
        table={{
          label: "API keys",
          columns: columns(zone, setRevoking),
          rows,
          idOf: ({ id }) => id,
        }}
        phone={(row) => <PhoneRow row={row} zone={zone} onRevoke={setRevoking} />}
        empty={
          <EmptyState
            title={whose.kind === "me" ? "No API keys yet" : `${whose.name} has no API keys`}
            actions={whose.kind === "user" ? undefined : newKey}
          >
            {whose.kind === "team"
              ? "A team’s key acts for the team, with the rights of an editor, and belongs to no person."
              : "Programs call the service with a key, as the person whose key it is. It is shown once, when it is created."}
          </EmptyState>
        }
        foot={newestCounted(rows.length, list.more, "key")}
      />
      {isMaking && (
        <NewKey
          roles={roles}
          team={whose.kind === "team" ? { id: whose.id, name: whose.name } : null}
          onClose={() => setMaking(false)}
        />
      )}
      {revoking && <Revoke row={revoking} onClose={() => setRevoking(null)} />}
    </AdminFrame>
  );
}

type Zone = Parameters<typeof formatDate>[1]["zone"];

const keyName = ({ name, id }: KeyRow): string => shownName(name || id);

/** "20 Nov 2026", "never". */
function endWords({ expires_at: at }: KeyRow, zone: Zone): string {
  const ms = parseTime(at);
  return ms === null ? "never" : formatDate(ms, { zone });
}

/** When and from where it was used last. */
function LastUse({ row }: { row: KeyRow }) {
  const { last_used_at: at, last_used_from: from } = row;
  if (!at) return <span className="text-faint">never</span>;
  const place = from?.address ? ` from ${from.address}` : "";
  return (
    <span title={from?.user_agent ?? undefined}>
      <Ago at={at} />
      <span className="text-muted text-secondary">
        {place}
        {from?.user_agent && `, ${programWords(from.user_agent)}`}
      </span>
    </span>
  );
}

const columns = (zone: Zone, onRevoke: (row: KeyRow) => void): Columns<KeyRow> => ({
  name: {
    head: "Name",
    title: keyName,
    cell: (row) => (
      <>
        <bdi className="font-medium">{keyName(row)}</bdi>
        {row.prefix && <code className="ml-2.5 text-mono-narrow text-muted">{row.prefix}…</code>}
      </>
    ),
  },
  state: { head: "State", width: 144, cell: ({ state }) => <State {...describeKey(state)} isPlain /> },
  used: {
    head: "Last used",
    width: 260,
    headClass: "@max-[900px]:w-[180px]",
    cell: (row) => <LastUse row={row} />,
  },
  created: {
    head: "Created",
    width: 100,
    kind: "muted",
    className: "@max-[760px]:hidden",
    cell: ({ created_at: at }) => <Ago at={at} />,
  },
  ends: {
    head: "Expires",
    width: 116,
    kind: "muted",
    className: "@max-[620px]:hidden",
    cell: (row) => endWords(row, zone),
  },
  revoke: { ...actionsColumn, cell: (row) => <Actions row={row} onRevoke={onRevoke} /> },
});

function Actions({ row, onRevoke }: { row: KeyRow; onRevoke: (row: KeyRow) => void }) {
  const name = keyName(row);
  return (
    <RowActions kind="key" id={row.id} name={name}>
      <RowAction label={`Revoke ${name}`} onClick={() => onRevoke(row)}>
        Revoke
      </RowAction>
    </RowActions>
  );
}

function PhoneRow({ row, zone, onRevoke }: { row: KeyRow; zone: Zone; onRevoke: (row: KeyRow) => void }) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2.5">
      <span className="min-w-0 flex-1">
        <span className="flex items-baseline gap-2">
          <bdi className="min-w-0 truncate font-medium">{keyName(row)}</bdi>
          <State {...describeKey(row.state)} isPlain />
        </span>
        <code className="block truncate text-mono-narrow text-muted">{row.prefix}…</code>
        <span className="block truncate text-secondary">
          Used <LastUse row={row} />
        </span>
        <span className="block truncate text-muted text-secondary">Expires {endWords(row, zone)}</span>
      </span>
      <Actions row={row} onRevoke={onRevoke} />
    </div>
  );
}

function Revoke({ row, onClose }: { row: KeyRow; onClose: () => void }) {
  return (
    <ConfirmAction
      onClose={onClose}
      title={
        <>
          Revoke <bdi>{keyName(row)}</bdi>?
        </>
      }
      consequence="The next request with it is refused, and whoever uses it in the console is signed out. This can’t be undone; you can create another key."
      action="Revoke key"
      mutation={adminMutations.revokeKey(useApi())}
      variables={{ params: { key_id: row.id } }}
      doneTitle={() => `${keyName(row)} revoked`}
      failedTitle="The key was not revoked"
    />
  );
}
