import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isNotFound } from "../../../api/errors.ts";
import { useCanAudit } from "../../../lib/admin-links/AdminLinks.tsx";
import { useApi } from "../../../lib/api.tsx";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { NotDone, ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { PanelHead } from "../../../lib/page/PanelHead.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { teamRoleNames } from "../../../lib/rights/role-names.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { DefinitionList } from "../../../ui/DefinitionList.tsx";
import { Id } from "../../../ui/Id.tsx";
import { PanelSection } from "../../../ui/Panel.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { StatePill } from "../../../ui/Tag.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { NotFoundForYou } from "../../session/index.ts";
import { AdminLink } from "../AdminFrame.tsx";
import { fileName, managedWords, nameOf, planNames, teamRoleAbout, teamTitle } from "../labels.ts";
import { ManagedMark } from "../ManagedIn.tsx";
import { adminMutations } from "../mutations.ts";
import { adminQueries, type TeamRow } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import { Members } from "./Members.tsx";
import { EditTeam, RetireTeam } from "./TeamDialogs.tsx";

type Props = { id: string; row: TeamRow | undefined; roles: OwnRoles; onClose: () => void };

/** The selected team: its members with their roles, and for its admins how to change it. */
export function TeamPanel({ id, row, roles, onClose }: Props) {
  const canAudit = useCanAudit();
  const read = useRead(adminQueries.team(useApi(), id));
  const found = read.data?.data.team;
  const team = found?.id ? { ...found, id: found.id } : row;
  const close = <Button onClick={onClose}>Show all teams</Button>;
  if (read.isError && isNotFound(read.error))
    return <NotFoundForYou what="team" id={id} error={read.error} actions={close} />;
  if (team === undefined)
    return read.isError ? (
      <ReadFailure query={read} what="The team" actions={close} />
    ) : (
      <SkeletonRows label="Loading the team" rows={6} columns={["2fr", "1fr"]} />
    );
  const manages = team.rights?.includes("manage") ?? roles.manages(id);
  return (
    <>
      <Stale query={read} />
      <Damage damage={read.data?.damage ?? []} />
      <PanelHead
        back="Back to teams"
        picture={<Avatar name={teamTitle(team)} isGroup className="size-8! text-[12px]!" />}
        name={teamTitle(team)}
        about={team.role ? `You are ${nameOf(teamRoleNames, team.role).toLowerCase()}` : "You are not in it"}
        onClose={onClose}
      >
        {manages && <Actions team={team} isAdmin={roles.isAdmin} />}
      </PanelHead>
      <Facts team={team} manages={manages} />
      <Members team={team} manages={manages} seesPeople={roles.seesPeople} />
      {manages && team.retired_at == null && (
        <PanelSection title="Access">
          <p className="flex flex-wrap gap-x-4 gap-y-1">
            <AdminLink search={{ tab: "keys", team: id }}>Team API keys</AdminLink>
            <AdminLink search={{ tab: "permissions", object: "team", object_id: id }}>Permissions</AdminLink>
            {canAudit && (
              <AdminLink search={{ tab: "audit", object: "team", object_id: id }}>Audit log</AdminLink>
            )}
          </p>
        </PanelSection>
      )}
    </>
  );
}

function Facts({ team, manages }: { team: TeamRow; manages: boolean }) {
  const managed = new Set(team.managed ?? []);
  return (
    <PanelSection>
      <DefinitionList
        rows={[
          ...(team.retired_at == null
            ? []
            : [
                {
                  key: "state",
                  name: "State",
                  value: (
                    <span className="flex items-center gap-2">
                      <StatePill tone="stopped" word="Retired" />
                      <span className="text-muted text-secondary">
                        <Ago at={team.retired_at} />
                      </span>
                    </span>
                  ),
                },
              ]),
          {
            key: "plan",
            name: "Plan",
            value: (
              <span className="flex items-baseline gap-2">
                {nameOf(planNames, team.plan)}
                {managed.has("plan") && <ManagedMark />}
              </span>
            ),
          },
          { key: "id", name: "Team ID", value: <Id id={team.id} what="team ID" cut={[14, 5]} /> },
        ]}
      />
      {team.role && teamRoleAbout[team.role] && (
        <p className="mt-2 max-w-text text-muted text-secondary">
          As {nameOf(teamRoleNames, team.role).toLowerCase()}: {teamRoleAbout[team.role]}
        </p>
      )}
      {manages && managed.size > 0 && (
        <p className="mt-2 max-w-text text-muted text-secondary">{managedWords(team.managed)}</p>
      )}
      {!manages && (
        <p className="mt-2 max-w-text text-muted text-secondary">
          Only admins of the team can change its name, members and keys.
        </p>
      )}
    </PanelSection>
  );
}

function Actions({ team, isAdmin }: { team: TeamRow; isAdmin: boolean }) {
  const toaster = useToast();
  const [asked, setAsked] = useState<"edit" | "retire" | null>(null);
  const update = useMutation(adminMutations.updateTeam(useApi()));
  const managed = new Set(team.managed ?? []);
  const isRetired = team.retired_at != null;
  const close = () => setAsked(null);
  const retireReason = managed.has("retired")
    ? `Set in ${fileName}: remove it there, then restart the service`
    : isAdmin
      ? undefined
      : "Only admins of the installation can retire teams";
  const restore = () =>
    update.mutate(
      { params: { team_id: team.id }, body: { retired: false, version: team.version ?? null } },
      { onSuccess: () => toaster.show({ tone: "done", title: `${teamTitle(team)} restored` }) },
    );
  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size="small"
          reasonAs="title"
          disabledReason={
            managed.has("name") && (managed.has("plan") || !isAdmin)
              ? `Set in ${fileName}: change it there, then restart the service`
              : undefined
          }
          onClick={() => setAsked("edit")}
        >
          Edit
        </Button>
        {isRetired ? (
          <Button
            size="small"
            loading={update.isPending}
            reasonAs="title"
            disabledReason={retireReason}
            onClick={restore}
          >
            Restore
          </Button>
        ) : (
          <Button
            size="small"
            variant="danger"
            reasonAs="title"
            disabledReason={retireReason}
            onClick={() => setAsked("retire")}
          >
            Retire…
          </Button>
        )}
      </div>
      {update.error !== null && (
        <div className="mt-2">
          <NotDone error={update.error} title="The team was not restored" />
        </div>
      )}
      {asked === "edit" && <EditTeam team={team} isAdmin={isAdmin} onClose={close} />}
      {asked === "retire" && <RetireTeam team={team} onClose={close} />}
    </>
  );
}
