import type { ReactNode } from "react";
import { useApi, useCan } from "../../lib/api.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useFocusKept } from "../../lib/page/useFocusKept.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { AdminFrame } from "./AdminFrame.tsx";
import { AuditView } from "./audit/AuditView.tsx";
import { HealthView } from "./health/HealthView.tsx";
import { KeysView } from "./keys/KeysView.tsx";
import { SessionsView } from "./keys/SessionsView.tsx";
import { PeopleView } from "./people/PeopleView.tsx";
import { PermissionsView } from "./permissions/PermissionsView.tsx";
import { ConnectedView } from "./programs/ConnectedView.tsx";
import { ProgramsView } from "./programs/ProgramsView.tsx";
import { type OwnRoles, unknownRoles, useOwnRoles } from "./roles.ts";
import type { AdminSearch } from "./search.ts";
import { TeamsView } from "./teams/TeamsView.tsx";

type Props = { search: AdminSearch };

/** People, teams, API keys and sessions: for everyone their own, for admins those of others. */
export function AdminPage(props: Props) {
  const canAdmin = useCan("admin");
  const { who } = useApi();
  if (!canAdmin) return <NotOffered />;
  return who.kind === "team" ? <TeamKey /> : <Administration {...props} />;
}

function Administration({ search }: Props) {
  const canAudit = useCan("audit");
  const canDiagnose = useCan("diagnostics");
  const canPrograms = useCan("programs");
  const { roles: known, read } = useOwnRoles();
  // Each part draws the tabs anew.
  useFocusKept(search.tab ?? "first");
  // Which is the first tab depends on them; what the address asks for is shown without.
  if (known === null && search.tab === undefined)
    return (
      <Bare>
        {read.isError ? (
          <ReadFailure query={read} what="Your roles" />
        ) : (
          <SkeletonRows label="Loading your roles" rows={8} columns={["14px", "2fr", "110px", "110px"]} />
        )}
      </Bare>
    );
  const roles = known ?? unknownRoles(read.isError, search.tab === "people");
  const props = { roles, search };
  switch (search.tab ?? (roles.seesPeople ? "people" : "teams")) {
    case "people":
      return roles.seesPeople ? (
        <PeopleView {...props} />
      ) : (
        <AdminFrame title="Administration" roles={roles} tab="people">
          <EmptyState title="Only admins see all people">
            Admins of the installation, and of a team, can list people. Who is in your teams, with which role,
            stands under Teams.
          </EmptyState>
        </AdminFrame>
      );
    case "keys":
      return <KeysView {...props} />;
    case "sessions":
      return <SessionsView {...props} />;
    case "connected":
    case "programs":
      return canPrograms ? (
        <ProgramTabs {...props} />
      ) : (
        <AdminFrame title="Administration" roles={roles} tab="connected">
          <EmptyState title="This service lets no programs in">
            Programs call it with a key that a person made for them.
          </EmptyState>
        </AdminFrame>
      );
    case "permissions":
      return <PermissionsView {...props} />;
    case "audit":
      return canAudit ? (
        <AuditView {...props} />
      ) : (
        <AdminFrame title="Administration" roles={roles} tab="audit">
          <EmptyState title="This service has no audit log">
            Who changed what is not recorded here, or is kept elsewhere.
          </EmptyState>
        </AdminFrame>
      );
    case "health":
      return roles.isAdmin && canDiagnose ? (
        <HealthView roles={roles} />
      ) : (
        <AdminFrame title="Administration" roles={roles} tab="health">
          <EmptyState title={canDiagnose ? "Only admins see this" : "This service does not examine itself"}>
            {canDiagnose
              ? "Admins of the installation see here what is wrong with it, and what to do."
              : "What is wrong with its installation has to be looked at elsewhere."}
          </EmptyState>
        </AdminFrame>
      );
    default:
      return <TeamsView {...props} />;
  }
}

function ProgramTabs({ roles, search }: { roles: OwnRoles; search: AdminSearch }) {
  if (search.tab === "connected") return <ConnectedView roles={roles} search={search} />;
  if (roles.isAdmin) return <ProgramsView roles={roles} />;
  return (
    <AdminFrame title="Administration" roles={roles} tab="programs">
      <EmptyState title="Only admins register programs">
        {roles.unknown ?? "Those that you allowed to act for you stand under Connected programs."}
      </EmptyState>
    </AdminFrame>
  );
}

function Bare({ children }: { children: ReactNode }) {
  return (
    <Page title="Administration" heading="Administration">
      {children}
    </Page>
  );
}

function TeamKey() {
  return (
    <Bare>
      <EmptyState title="Administration needs a personal key">
        You are signed in with a team’s key. It belongs to no person, so it has no keys or sessions of its own
        and manages no one. Sign in with a sign-in link or a personal key.
      </EmptyState>
    </Bare>
  );
}

function NotOffered() {
  return (
    <Bare>
      <EmptyState
        title="This service has no administration"
        actions={<LinkButton to="/">Go to overview</LinkButton>}
      >
        People, teams and keys of this service are managed elsewhere.
      </EmptyState>
    </Bare>
  );
}
