import { Link } from "@tanstack/react-router";
import UserPlus from "lucide-react/icons/user-plus";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { joinNames } from "../../../lib/join-names.ts";
import { ListSelect } from "../../../lib/list/ListSelect.tsx";
import { ListTools } from "../../../lib/list/ListTools.tsx";
import { NoMatches } from "../../../lib/list/NoMatches.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { State } from "../../../ui/State.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { useChangeSearch } from "../AdminFrame.tsx";
import { AdminList } from "../AdminList.tsx";
import { describePerson, fullName, nameOf, planNames, roleNames } from "../labels.ts";
import { ManagedMark } from "../ManagedIn.tsx";
import { type PersonRow, peoplePages } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { InviteDialog } from "./InviteDialog.tsx";
import { PersonPanel } from "./PersonPanel.tsx";

type Props = { roles: OwnRoles; search: AdminSearch };

const states = [
  ["active", "Active"],
  ["invited", "Invited"],
  ["deactivated", "Deactivated"],
] as const;

/** Everyone who may sign in: who they are, what they may do, and when they were here last. */
export function PeopleView({ roles, search }: Props) {
  const list = usePages(peoplePages(useApi(), search));
  const change = useChangeSearch();
  const [isInviting, setInviting] = useState(false);
  const isFiltered = search.q !== undefined || search.state !== undefined;
  return (
    <AdminList
      tab="people"
      title="People"
      chosen={[states.find(([state]) => state === search.state)?.[1]]}
      noun="person"
      roles={roles}
      search={search}
      list={list}
      actions={
        <Button
          icon={<UserPlus />}
          onClick={() => setInviting(true)}
          reasonAs="title"
          disabledReason={
            roles.isAdmin ? undefined : (roles.unknown ?? "Only admins of the installation can invite people")
          }
        >
          Invite
        </Button>
      }
      tools={
        <ListTools
          search={{
            label: "Search people",
            placeholder: "Names and e-mail addresses",
            q: search.q,
            onSearch: (q) => change({ q }),
          }}
        >
          <ListSelect
            label="State"
            value={search.state}
            options={[["", "Everyone"], ...states]}
            onChange={(state) => change({ state })}
          />
        </ListTools>
      }
      columns={columns(search)}
      phone={(row) => <PhoneRow row={row} search={search} />}
      empty={
        isFiltered ? (
          <NoMatches
            what="people"
            more={list.more}
            onClear={() => change({ q: undefined, state: undefined })}
          >
            Try other words or another state.
          </NoMatches>
        ) : (
          <EmptyState title="No people">The service listed no one.</EmptyState>
        )
      }
      foot={
        list.more === null
          ? counted(list.rows.length, "person", "people")
          : `First ${counted(list.rows.length, "person", "people")}`
      }
      panel={({ key, ...of }) => <PersonPanel key={key} id={key} roles={roles} {...of} />}
    >
      {isInviting && (
        <InviteDialog
          onClose={(made) => {
            setInviting(false);
            if (made !== undefined) change({ id: made });
          }}
        />
      )}
    </AdminList>
  );
}

const teamWords = ({ teams }: PersonRow) =>
  joinNames(
    (teams ?? []).flatMap((team) => (team?.id ? [shownName(team.name || team.id)] : [])),
    3,
  );

const columns = (search: AdminSearch): Columns<PersonRow> => ({
  name: {
    head: "Name",
    title: (row) => `${fullName(row)}, ${row.email ?? ""}`,
    cell: (row) => (
      <span className="flex items-baseline gap-3">
        <Avatar name={fullName(row)} className="-my-1 self-center" />
        <span className="truncate">
          <Link
            to="/admin"
            search={{ ...search, id: row.id }}
            replace
            aria-current={row.id === search.id ? "true" : undefined}
            className="font-medium"
          >
            <bdi>{fullName(row)}</bdi>
          </Link>
          <bdi className="ml-2.5 text-muted text-secondary">{row.email}</bdi>
        </span>
      </span>
    ),
  },
  state: {
    head: "State",
    width: 116,
    cell: ({ state }) => <State {...describePerson(state)} isPlain />,
  },
  role: { head: "Role", width: 84, kind: "muted", cell: ({ role }) => nameOf(roleNames, role) },
  plan: {
    head: "Plan",
    width: 92,
    kind: "muted",
    className: "@max-[760px]:hidden",
    cell: ({ plan }) => nameOf(planNames, plan),
  },
  teams: {
    head: "Teams",
    width: 180,
    kind: "support",
    className: "@max-[900px]:hidden",
    title: teamWords,
    cell: (row) => <bdi>{teamWords(row) || <span className="text-faint">none</span>}</bdi>,
  },
  managed: {
    head: "Set in",
    width: 152,
    kind: "support",
    className: "@max-[1080px]:hidden",
    cell: ({ managed }) => ((managed ?? []).length > 0 ? <ManagedMark /> : "Console"),
  },
  seen: {
    head: "Last seen",
    width: 104,
    kind: "muted",
    className: "@max-[560px]:hidden",
    cell: ({ last_seen_at: at }) => (at ? <Ago at={at} /> : <span className="text-faint">never</span>),
  },
});

function PhoneRow({ row, search }: { row: PersonRow; search: AdminSearch }) {
  const { word, tone } = describePerson(row.state);
  return (
    <div className="flex items-start gap-3 px-edge-left py-2">
      <Avatar name={fullName(row)} className="mt-1 size-7! text-[11px]!" />
      <span className="min-w-0 flex-1">
        <Link
          to="/admin"
          search={{ ...search, id: row.id }}
          className="focus-inset block truncate font-medium after:absolute after:inset-0"
        >
          <bdi>{fullName(row)}</bdi>
        </Link>
        <bdi className="block truncate text-muted text-secondary">{row.email}</bdi>
      </span>
      <span className="shrink-0 text-right text-secondary leading-5">
        <State tone={tone} word={word} isPlain />
        <span className="block text-muted">{nameOf(roleNames, row.role)}</span>
      </span>
    </div>
  );
}
