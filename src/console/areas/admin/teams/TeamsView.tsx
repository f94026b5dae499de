import { Link } from "@tanstack/react-router";
import Plus from "lucide-react/icons/plus";
import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { ListSelect } from "../../../lib/list/ListSelect.tsx";
import { ListTools } from "../../../lib/list/ListTools.tsx";
import { NoMatches } from "../../../lib/list/NoMatches.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { teamRoleNames } from "../../../lib/rights/role-names.ts";
import { counted, grouped } from "../../../lib/words.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import type { Columns } from "../../../ui/Table.tsx";
import { useChangeSearch } from "../AdminFrame.tsx";
import { AdminList } from "../AdminList.tsx";
import { nameOf, planNames, teamTitle } from "../labels.ts";
import { ManagedMark } from "../ManagedIn.tsx";
import { type TeamRow, teamPages } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import type { AdminSearch } from "../search.ts";
import { NewTeam } from "./TeamDialogs.tsx";
import { TeamPanel } from "./TeamPanel.tsx";

type Props = { roles: OwnRoles; search: AdminSearch };

/** The person's teams, for admins of the installation all; beside them who is in the chosen one. */
export function TeamsView({ roles, search }: Props) {
  const list = usePages(teamPages(useApi(), search));
  const change = useChangeSearch();
  const [isMaking, setMaking] = useState(false);
  const isRetired = search.state === "retired";
  const isFiltered = search.q !== undefined || isRetired;
  const newTeam = (
    <Button
      icon={<Plus />}
      onClick={() => setMaking(true)}
      reasonAs="title"
      disabledReason={
        roles.isAdmin ? undefined : (roles.unknown ?? "Only admins of the installation can create teams")
      }
    >
      New team
    </Button>
  );
  return (
    <AdminList
      tab="teams"
      title="Teams"
      chosen={[isRetired && "Retired"]}
      noun="team"
      roles={roles}
      search={search}
      list={list}
      actions={newTeam}
      tools={
        <ListTools
          search={{
            label: "Search teams",
            placeholder: "Names of teams",
            q: search.q,
            onSearch: (q) => change({ q }),
          }}
        >
          <ListSelect
            label="State"
            value={isRetired ? "retired" : undefined}
            options={[
              ["", "In use"],
              ["retired", "Retired"],
            ]}
            onChange={(state) => change({ state })}
          />
        </ListTools>
      }
      columns={columns(search)}
      phone={(row) => <PhoneRow row={row} search={search} />}
      empty={
        isFiltered ? (
          <NoMatches what="teams" more={list.more} onClear={() => change({ q: undefined, state: undefined })}>
            {isRetired ? "No retired team matches." : "Try other words, or look among the retired ones."}
          </NoMatches>
        ) : (
          <EmptyState
            title={roles.isAdmin ? "No teams yet" : "You are in no team"}
            actions={roles.isAdmin && newTeam}
          >
            {roles.isAdmin
              ? "Members of a team share its agents, runs and knowledge, each as their role allows."
              : "Ask an admin of the installation, or of a team, to add you."}
          </EmptyState>
        )
      }
      foot={footWords(list.rows.length, { hasMore: list.more !== null, isAdmin: roles.isAdmin })}
      panel={({ key, row, onClose }) => (
        <TeamPanel key={key} id={key} row={row} roles={roles} onClose={onClose} />
      )}
    >
      {isMaking && (
        <NewTeam
          onClose={(made) => {
            setMaking(false);
            if (made !== undefined) change({ id: made, state: undefined, q: undefined });
          }}
        />
      )}
    </AdminList>
  );
}

function footWords(count: number, { hasMore, isAdmin }: Record<"hasMore" | "isAdmin", boolean>): string {
  const teams = counted(count, "team");
  if (hasMore) return `First ${teams}`;
  return isAdmin ? teams : `${teams} that you are in`;
}

const columns = (search: AdminSearch): Columns<TeamRow> => ({
  name: {
    head: "Team",
    title: teamTitle,
    cell: (row) => (
      <span className="flex items-baseline gap-3">
        <Avatar name={teamTitle(row)} isGroup className="-my-1 self-center" />
        <Link
          to="/admin"
          search={{ ...search, tab: "teams", id: row.id }}
          replace
          aria-current={row.id === search.id ? "true" : undefined}
          className="truncate font-medium"
        >
          <bdi>{teamTitle(row)}</bdi>
        </Link>
      </span>
    ),
  },
  members: {
    head: "Members",
    width: 84,
    kind: "figure",
    cell: ({ member_count: count }) => (count == null ? "–" : grouped(count)),
  },
  role: {
    head: "Your role",
    width: 100,
    kind: "muted",
    cell: ({ role }) => (role ? nameOf(teamRoleNames, role) : <span className="text-faint">none</span>),
  },
  plan: {
    head: "Plan",
    width: 100,
    kind: "muted",
    className: "@max-[620px]:hidden",
    cell: ({ plan }) => nameOf(planNames, plan),
  },
  managed: {
    head: "Set in",
    width: 152,
    kind: "support",
    className: "@max-[760px]:hidden",
    cell: ({ managed }) => ((managed ?? []).length > 0 ? <ManagedMark /> : "Console"),
  },
});

function PhoneRow({ row, search }: { row: TeamRow; search: AdminSearch }) {
  return (
    <div className="flex items-start gap-3 px-edge-left py-2">
      <Avatar name={teamTitle(row)} isGroup className="mt-1 size-7! text-[11px]!" />
      <span className="min-w-0 flex-1">
        <Link
          to="/admin"
          search={{ ...search, tab: "teams", id: row.id }}
          className="focus-inset block truncate font-medium after:absolute after:inset-0"
        >
          <bdi>{teamTitle(row)}</bdi>
        </Link>
        <span className="block truncate text-muted text-secondary">
          {counted(row.member_count ?? 0, "member")}
          {row.role && `, you are ${nameOf(teamRoleNames, row.role).toLowerCase()}`}
        </span>
      </span>
    </div>
  );
}
