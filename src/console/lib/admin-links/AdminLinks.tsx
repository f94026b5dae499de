import { Link, useNavigate } from "@tanstack/react-router";
import History from "lucide-react/icons/history";
import KeyRound from "lucide-react/icons/key-round";
import type { permissionObjects } from "../../../contract/admin.ts";
import type { AuditObject } from "../../../contract/audit.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { MenuItem } from "../../ui/Menu.tsx";
import { Tooltip } from "../../ui/Tooltip.tsx";
import { useApi, useCan } from "../api.tsx";
import { LinkButton } from "../page/LinkButton.tsx";

/** Whether this person may look into the audit log. A team's key is no one whose changes it could show. */
export function useCanAudit(): boolean {
  const canAudit = useCan("audit");
  return useApi().who.kind !== "team" && canAudit;
}

/** Where the administration tells of an object: what a person can do with it and why, and what was changed on it. */
function useTold() {
  const canAudit = useCanAudit();
  const canAdmin = useCan("admin");
  const isTeam = useApi().who.kind === "team";
  return [
    ...(canAdmin && !isTeam ? [{ tab: "permissions", name: "Permissions", icon: <KeyRound /> }] : []),
    ...(canAudit ? [{ tab: "audit", name: "Audit log", icon: <History /> }] : []),
  ];
}

type Props = { kind: (typeof permissionObjects)[number]; id: string };

/** Items of an object's menu; nothing where the service does not tell. */
export function AdminItems({ kind, id, icons = false }: Props & { icons?: boolean }) {
  const navigate = useNavigate();
  return useTold().map(({ tab, name, icon }) => (
    <MenuItem
      key={tab}
      {...(icons && { icon })}
      onSelect={() => void navigate({ to: "/admin", search: { tab, object: kind, object_id: id } })}
    >
      {name}
    </MenuItem>
  ));
}

/** The same as buttons, where there is no menu. */
export function AdminLinks({ kind, id }: Props) {
  return useTold().map(({ tab, name }) => (
    <LinkButton key={tab} to="/admin" search={{ tab, object: kind, object_id: id }} variant="quiet">
      {name}
    </LinkButton>
  ));
}

type AuditProps = { kind: AuditObject; id: string };

/** What was changed on something, as a button. */
export function AuditLink({ kind, id }: AuditProps) {
  if (!useCanAudit()) return null;
  return (
    <LinkButton to="/admin" search={{ tab: "audit", object: kind, object_id: id }} variant="quiet">
      Audit log
    </LinkButton>
  );
}

/** The same in a row of a list: an icon. @param name of what the row shows */
export function AuditIconLink({ kind, id, name }: AuditProps & { name: string }) {
  if (!useCanAudit()) return null;
  return (
    <Tooltip content="Audit log" describes={false}>
      <Link
        to="/admin"
        search={{ tab: "audit", object: kind, object_id: id }}
        className={`${buttonClass("quiet", "small", { isSquare: true })} -my-1`}
        aria-label={`Audit log of ${name}`}
      >
        <History />
      </Link>
    </Tooltip>
  );
}
