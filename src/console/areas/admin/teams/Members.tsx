import { useMutation } from "@tanstack/react-query";
import X from "lucide-react/icons/x";
import { useState } from "react";
import type { setTeamMember } from "../../../../contract/admin-teams.ts";
import type { Call } from "../../../../contract/define.ts";
import { useApi } from "../../../lib/api.tsx";
import { FormDialog } from "../../../lib/FormDialog.tsx";
import { NotDone, ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Options } from "../../../lib/form/FormField.tsx";
import { usePages } from "../../../lib/paging/usePages.ts";
import { teamRoleNames } from "../../../lib/rights/role-names.ts";
import { grouped } from "../../../lib/words.ts";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { Field, NativeSelect } from "../../../ui/Field.tsx";
import { PanelSection } from "../../../ui/Panel.tsx";
import { personName } from "../../directory/index.ts";
import { useSignedIn } from "../../session/index.ts";
import { ConfirmAction } from "../ConfirmAction.tsx";
import { describePerson, fileName, nameOf, teamRoleAbout, teamTitle } from "../labels.ts";
import { ManagedMark } from "../ManagedIn.tsx";
import { adminMutations } from "../mutations.ts";
import { PersonPicker } from "../PersonPicker.tsx";
import { type MemberRow, memberPages, type TeamRow } from "../queries.ts";

type Role = NonNullable<Call<typeof setTeamMember>["body"]>["role"];

/** The roles that can be given; a word that we do not know cannot be chosen. */
const asRole = (value: string): Role | null =>
  value === "viewer" || value === "operator" || value === "editor" || value === "admin" ? value : null;

type Props = { team: TeamRow; manages: boolean; seesPeople: boolean };

/** Who is in a team; its admins add people, change roles and take people out. */
export function Members({ team, manages, seesPeople }: Props) {
  const api = useApi();
  const { rows, query, more } = usePages(memberPages(api, team.id));
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<MemberRow | null>(null);
  const isManaged = (team.managed ?? []).includes("members");
  const canChange = manages && !isManaged;
  return (
    <PanelSection
      title={
        <>
          Members{" "}
          {query.data !== undefined && (
            <span className="font-normal text-faint text-secondary tabular-nums">
              {grouped(rows.length)}
              {more !== null && "+"}
            </span>
          )}
        </>
      }
      aside={
        isManaged ? (
          <ManagedMark />
        ) : (
          canChange &&
          seesPeople && (
            <Button size="small" onClick={() => setAdding(true)}>
              Add
            </Button>
          )
        )
      }
    >
      {query.isError && query.data === undefined ? (
        <ReadFailure query={query} what="The members" isInset />
      ) : query.data === undefined ? (
        <p className="text-faint">loading…</p>
      ) : rows.length === 0 ? (
        <p className="text-faint">No one</p>
      ) : (
        <ul aria-label="Members" className="-mx-1">
          {rows.map((member) => (
            <Member
              key={member.id}
              team={team}
              member={member}
              canChange={canChange}
              onRemove={() => setLeaving(member)}
            />
          ))}
        </ul>
      )}
      {more && (
        <Button size="small" variant="quiet" loading={more.isReading} onClick={more.read}>
          {more.error === null ? "Show more" : "Could not load more. Try again"}
        </Button>
      )}
      {manages && isManaged && (
        <p className="mt-2 text-muted text-secondary">
          Add people and change their roles in {fileName}, then restart the service.
        </p>
      )}
      {isAdding && (
        <AddMember team={team} members={new Set(rows.map(({ id }) => id))} onClose={() => setAdding(false)} />
      )}
      {leaving && <RemoveMember team={team} member={leaving} onClose={() => setLeaving(null)} />}
    </PanelSection>
  );
}

const memberName = ({ id, user }: MemberRow): string => personName(user) ?? id;

type MemberProps = { team: TeamRow; member: MemberRow; canChange: boolean; onRemove: () => void };

function Member({ team, member, canChange, onRemove }: MemberProps) {
  const me = useSignedIn().credential.userId;
  // Of each member one: the roles of several are changed faster than a service answers.
  const change = useMutation(adminMutations.setMember(useApi()));
  const setRole = (value: string) => {
    const role = asRole(value);
    if (role !== null) change.mutate({ params: { team_id: team.id, user_id: member.id }, body: { role } });
  };
  const name = memberName(member);
  const role = (change.isPending ? change.variables.body?.role : null) ?? member.role ?? "";
  const { word } = describePerson(member.state);
  return (
    <li className="rounded-tag px-1">
      <div className="flex min-h-9 items-center gap-2">
        <Avatar name={name} />
        <span className="min-w-0 flex-1 truncate" title={member.user?.email ?? undefined}>
          <bdi>{name}</bdi>
          {member.id === me && <span className="text-muted"> (you)</span>}
          {member.state !== "active" && (
            <span className="ml-2 text-muted text-secondary">{word.toLowerCase()}</span>
          )}
          {member.by_groups === true && (
            <span
              className="ml-2 text-muted text-secondary"
              title="Given by the identity provider’s groups; it ends with them"
            >
              from groups
            </span>
          )}
        </span>
        {canChange ? (
          <>
            <NativeSelect
              look="bare"
              aria-label={`Role of ${name}`}
              title={teamRoleAbout[role]}
              value={role}
              aria-busy={change.isPending}
              onChange={(event) => setRole(event.target.value)}
            >
              <Options of={teamRoleNames} value={role} />
            </NativeSelect>
            <IconButton size="small" label={`Remove ${name}`} onClick={onRemove}>
              <X />
            </IconButton>
          </>
        ) : (
          <span className="text-muted text-secondary" title={teamRoleAbout[role]}>
            {nameOf(teamRoleNames, role)}
          </span>
        )}
      </div>
      {change.error !== null && <NotDone error={change.error} title="The role was not changed" />}
    </li>
  );
}

function AddMember({
  team,
  members,
  onClose,
}: {
  team: TeamRow;
  members: ReadonlySet<string>;
  onClose: () => void;
}) {
  const [who, setWho] = useState<string>();
  const [role, setRole] = useState<Role>("editor");
  const add = useMutation(adminMutations.setMember(useApi()));
  const submit = () =>
    who !== undefined &&
    add.mutate({ params: { team_id: team.id, user_id: who }, body: { role } }, { onSuccess: onClose });
  return (
    <FormDialog
      onClose={onClose}
      title={
        <>
          Add to <bdi>{teamTitle(team)}</bdi>
        </>
      }
      description="They see what the team has with their next request."
      action="Add"
      failedTitle="No one was added"
      mutation={add}
      disabledReason={who === undefined ? "Choose a person first" : undefined}
      onSubmit={submit}
    >
      {/* Not all members may have been read: adding one of the others would change their role. */}
      <PersonPicker legend="Person" value={who} onChange={setWho} without={members} notIn={team.id} />
      <Field label="Role" hint={teamRoleAbout[role]}>
        <NativeSelect value={role} onChange={(event) => setRole(asRole(event.target.value) ?? role)}>
          <Options of={teamRoleNames} value={role} />
        </NativeSelect>
      </Field>
    </FormDialog>
  );
}

function RemoveMember({ team, member, onClose }: { team: TeamRow; member: MemberRow; onClose: () => void }) {
  const isMe = member.id === useSignedIn().credential.userId;
  return (
    <ConfirmAction
      onClose={onClose}
      title={
        <>
          Remove <bdi>{isMe ? "yourself" : memberName(member)}</bdi> from <bdi>{teamTitle(team)}</bdi>?
        </>
      }
      consequence={`${isMe ? "You" : "They"} no longer see anything of the team from the next request on. What ${isMe ? "you" : "they"} made for the team stays with it.`}
      action="Remove"
      mutation={adminMutations.removeMember(useApi())}
      variables={{ params: { team_id: team.id, user_id: member.id } }}
      failedTitle="No one was removed"
    />
  );
}
