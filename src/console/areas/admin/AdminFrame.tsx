import { Link, useNavigate } from "@tanstack/react-router";
import type { ComponentProps, ReactNode } from "react";
import { useCan } from "../../lib/api.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { linkClass } from "../../ui/textClass.ts";
import type { OwnRoles } from "./roles.ts";
import { type AdminSearch, readAdminSearch } from "./search.ts";

export type AdminTab =
  | "people"
  | "teams"
  | "keys"
  | "sessions"
  | "connected"
  | "programs"
  | "permissions"
  | "audit"
  | "health";

type TabsProps = { roles: OwnRoles; tab: AdminTab };

/** A page of the administration: the tabs, and what stands under the open one. */
export function AdminFrame({
  roles,
  tab,
  children,
  ...page
}: TabsProps & Omit<ComponentProps<typeof Page>, "heading">) {
  return (
    <Page {...page} heading="Administration">
      <AdminTabs roles={roles} tab={tab} />
      {children}
    </Page>
  );
}

/** The parts of the administration that this person may open. */
function AdminTabs({ roles, tab }: TabsProps) {
  const canAudit = useCan("audit");
  const canDiagnose = useCan("diagnostics");
  const canPrograms = useCan("programs");
  const tabs = [
    ...(roles.seesPeople ? [{ of: "people", name: "People" }] : []),
    { of: "teams", name: "Teams" },
    { of: "keys", name: "API keys" },
    { of: "sessions", name: "Sessions" },
    ...(canPrograms ? [{ of: "connected", name: "Connected programs" }] : []),
    ...(canPrograms && roles.isAdmin ? [{ of: "programs", name: "Programs" }] : []),
    { of: "permissions", name: "Permissions" },
    ...(canAudit ? [{ of: "audit", name: "Audit log" }] : []),
    ...(canDiagnose && roles.isAdmin ? [{ of: "health", name: "Health" }] : []),
  ];
  return (
    // Made anew where tabs come later, with the person's roles: they would push the open one out of sight.
    <TabBar key={tabs.length} label="Administration" className="shrink-0 pr-edge-right pl-edge-left">
      {tabs.map(({ of, name }) => (
        <Tab key={of} isActive={of === tab}>
          <Link to="/admin" search={{ tab: of }}>
            {name}
          </Link>
        </Tab>
      ))}
    </TabBar>
  );
}

/** A link in running text to another part of the administration. */
export function AdminLink({ search, children }: { search: AdminSearch; children: ReactNode }) {
  return (
    <Link to="/admin" search={search} className={linkClass}>
      {children}
    </Link>
  );
}

/** Changes what stands in the address; what is undefined is taken out of it. */
export function useChangeSearch() {
  const navigate = useNavigate({ from: "/admin" });
  return (part: Partial<Record<keyof AdminSearch, string | undefined>>) =>
    void navigate({ search: (old) => readAdminSearch({ ...old, ...part }), replace: true });
}
