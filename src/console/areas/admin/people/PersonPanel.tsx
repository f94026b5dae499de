import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { isNotFound } from "../../../api/errors.ts";
import { useCanAudit } from "../../../lib/admin-links/AdminLinks.tsx";
import { useApi, useCan } from "../../../lib/api.tsx";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { NotDone, ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { PanelHead } from "../../../lib/page/PanelHead.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { teamRoleNames } from "../../../lib/rights/role-names.ts";
import { shownName } from "../../../lib/shownName.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Avatar } from "../../../ui/Avatar.tsx";
import { Button } from "../../../ui/Button.tsx";
import { DefinitionList } from "../../../ui/DefinitionList.tsx";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Id } from "../../../ui/Id.tsx";
import { PanelSection } from "../../../ui/Panel.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { StatePill } from "../../../ui/Tag.tsx";
import { useToast } from "../../../ui/Toast.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { NotFoundForYou, useSignedIn } from "../../session/index.ts";
import { AdminLink } from "../AdminFrame.tsx";
import { describePerson, fullName, managedWords, nameOf, planNames, roleNames } from "../labels.ts";
import { ManagedMark } from "../ManagedIn.tsx";
import { adminMutations } from "../mutations.ts";
import { adminQueries, type PersonRow } from "../queries.ts";
import type { OwnRoles } from "../roles.ts";
import { DeactivateDialog } from "./DeactivateDialog.tsx";
import { HandOverDialog } from "./HandOverDialog.tsx";
import { type Invitation, InvitationShown } from "./InviteDialog.tsx";
import { Owned, SharedWith } from "./Owned.tsx";
import { PersonDialog } from "./PersonDialog.tsx";

type Props = {
  id: string;
  /** As the list has it. */
  row: PersonRow | undefined;
  isListed: boolean;
  roles: OwnRoles;
  onClose: () => void;
};

/** The selected person: who they are, what they may do, what is theirs; admins change it here. */
export function PersonPanel({ id, row, isListed, roles, onClose }: Props) {
  const me = useSignedIn().credential.userId;
  const canAudit = useCanAudit();
  const canPrograms = useCan("programs");
  const canRead = roles.isAdmin || id === me;
  const read = useRead({ ...adminQueries.person(useApi(), id), enabled: canRead });
  const [isHandingOver, setHandingOver] = useState(false);
  const found = read.data?.data.person;
  const person = found?.id ? { ...found, id: found.id } : row;
  const close = <Button onClick={onClose}>Show all people</Button>;
  if (read.isError && isNotFound(read.error))
    return <NotFoundForYou what="person" id={id} error={read.error} actions={close} />;
  if (person === undefined) {
    if (read.isError) return <ReadFailure query={read} what="The person" actions={close} />;
    return isListed && (!canRead || read.data !== undefined) ? (
      <EmptyState title="Person not shown" actions={close}>
        They are not among the people listed here.
      </EmptyState>
    ) : (
      <SkeletonRows label="Loading the person" rows={6} columns={["2fr", "1fr"]} />
    );
  }
  return (
    <>
      <Stale query={read} />
      <Damage damage={read.data?.damage ?? []} />
      <PanelHead
        back="Back to people"
        picture={<Avatar name={fullName(person)} className="size-8! text-[12px]!" />}
        name={fullName(person)}
        about={person.email ?? ""}
        onClose={onClose}
      >
        {roles.isAdmin && <Actions person={person} isMe={id === me} />}
      </PanelHead>
      <Facts person={person} isForAdmins={!roles.isAdmin && roles.unknown === undefined} />
      <PanelSection title="Teams" aside={(person.teams ?? []).length || undefined}>
        <Teams person={person} />
        {roles.isAdmin && <SharedWith id={id} />}
      </PanelSection>
      {roles.isAdmin && (
        <>
          <PanelSection
            title="Owns"
            aside={
              <Button size="small" onClick={() => setHandingOver(true)}>
                Hand over…
              </Button>
            }
          >
            <Owned id={id} />
          </PanelSection>
          <PanelSection title="Access">
            <p className="flex flex-wrap gap-x-4 gap-y-1">
              <AdminLink search={{ tab: "keys", user: id }}>API keys</AdminLink>
              <AdminLink search={{ tab: "sessions", user: id }}>Sessions</AdminLink>
              {canPrograms && (
                <AdminLink search={{ tab: "connected", user: id }}>Connected programs</AdminLink>
              )}
              <AdminLink search={{ tab: "permissions", user: id }}>Permissions</AdminLink>
              {canAudit && (
                <>
                  <AdminLink search={{ tab: "audit", user: id }}>What they changed</AdminLink>
                  <AdminLink search={{ tab: "audit", object: "person", object_id: id }}>Audit log</AdminLink>
                </>
              )}
            </p>
          </PanelSection>
          {isHandingOver && <HandOverDialog person={person} onClose={() => setHandingOver(false)} />}
        </>
      )}
    </>
  );
}

function Facts({ person, isForAdmins }: { person: PersonRow; isForAdmins: boolean }) {
  const managed = new Set(person.managed ?? []);
  const marked = (field: string, value: ReactNode) => (
    <span className="flex items-baseline gap-2">
      <span className="truncate">{value}</span>
      {managed.has(field) && <ManagedMark />}
    </span>
  );
  const { state, plan, role, last_seen_at: seen, deactivated_at: since } = person;
  return (
    <PanelSection>
      <DefinitionList
        rows={[
          {
            key: "state",
            name: "State",
            value: (
              <span className="flex items-center gap-2">
                <StatePill {...describePerson(state)} />
                {since && (
                  <span className="text-muted text-secondary">
                    <Ago at={since} />
                  </span>
                )}
              </span>
            ),
          },
          { key: "role", name: "Role", value: marked("role", nameOf(roleNames, role)) },
          { key: "plan", name: "Plan", value: marked("plan", nameOf(planNames, plan)) },
          { key: "seen", name: "Last seen", value: seen ? <Ago at={seen} /> : "never" },
          { key: "id", name: "User ID", value: <Id id={person.id} what="user ID" cut={[14, 5]} /> },
        ]}
      />
      {managed.size > 0 && (
        <p className="mt-2 max-w-text text-muted text-secondary">{managedWords(person.managed)}</p>
      )}
      {isForAdmins && (
        <p className="mt-2 max-w-text text-muted text-secondary">
          Only admins of the installation can change people. You can add them to the teams you manage.
        </p>
      )}
    </PanelSection>
  );
}

function Teams({ person }: { person: PersonRow }) {
  const teams = (person.teams ?? []).flatMap((team) => (team?.id ? [{ ...team, id: team.id }] : []));
  if (teams.length === 0) return <p className="text-faint">In no team</p>;
  return (
    <ul>
      {teams.map(({ id, name, role, by_groups: byGroups }) => (
        <li key={id} className="flex min-h-7 items-center justify-between gap-3">
          <Link to="/admin" search={{ tab: "teams", id }} className={`${linkClass} truncate`}>
            <bdi>{shownName(name || id)}</bdi>
          </Link>
          <span className="text-muted text-secondary">
            {nameOf(teamRoleNames, role)}
            {byGroups === true && ", from groups"}
          </span>
        </li>
      ))}
    </ul>
  );
}

type Asked = "edit" | "deactivate" | null;

/** What an admin does with a person; what cannot be done now says why. */
function Actions({ person, isMe }: { person: PersonRow; isMe: boolean }) {
  const api = useApi();
  const toaster = useToast();
  const [asked, setAsked] = useState<Asked>(null);
  const [invitation, setInvitation] = useState<Invitation | null>(null);
  const renew = useMutation(adminMutations.renewInvitation(api));
  const update = useMutation(adminMutations.updatePerson(api));
  const name = fullName(person);
  const isOff = person.state === "deactivated";
  const close = () => setAsked(null);
  // What is said is of the last of the two.
  const reactivate = () => {
    renew.reset();
    update.mutate(
      { params: { user_id: person.id }, body: { active: true, version: person.version ?? null } },
      {
        onSuccess: () =>
          toaster.show({
            tone: "done",
            title: `${name} reactivated`,
            detail: "Keys and teams are back. To sign in with a browser they need a new link.",
          }),
      },
    );
  };
  const makeLink = () => {
    update.reset();
    renew.mutate(
      { params: { user_id: person.id } },
      { onSuccess: ({ data }) => setInvitation(data.invitation ?? null) },
    );
  };
  const error = renew.error ?? update.error;
  return (
    <>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={() => setAsked("edit")}>
          Edit
        </Button>
        <Button
          size="small"
          loading={renew.isPending}
          reasonAs="title"
          disabledReason={isOff ? "Reactivate them first" : undefined}
          onClick={makeLink}
        >
          New sign-in link
        </Button>
        {isOff ? (
          <Button size="small" loading={update.isPending} onClick={reactivate}>
            Reactivate
          </Button>
        ) : (
          <Button size="small" variant="danger" onClick={() => setAsked("deactivate")}>
            Deactivate…
          </Button>
        )}
      </div>
      {error !== null && (
        <div className="mt-2">
          <NotDone
            error={error}
            title={renew.error === null ? `${name} was not reactivated` : "No link was created"}
          />
        </div>
      )}
      {asked === "edit" && <PersonDialog person={person} onClose={close} />}
      {asked === "deactivate" && <DeactivateDialog person={person} isMe={isMe} onClose={close} />}
      {invitation !== null && (
        <InvitationShown name={name} invitation={invitation} onClose={() => setInvitation(null)} />
      )}
    </>
  );
}
