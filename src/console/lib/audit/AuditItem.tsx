import { Link, useNavigate } from "@tanstack/react-router";
import History from "lucide-react/icons/history";
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

type Props = { kind: AuditObject; id: string; icon?: boolean };

/** What was changed on something, and by whom; an item of its menu, nothing where that is not told. */
export function AuditItem({ kind, id, icon = false }: Props) {
  const canAudit = useCanAudit();
  const navigate = useNavigate();
  if (!canAudit) return null;
  const search = { tab: "audit", object: kind, object_id: id };
  return (
    <MenuItem {...(icon && { icon: <History /> })} onSelect={() => void navigate({ to: "/admin", search })}>
      Audit log
    </MenuItem>
  );
}

/** The same in a row of a list: an icon. @param name of what the row shows */
export function AuditIconLink({ kind, id, name }: Omit<Props, "icon"> & { name: string }) {
  if (!useCanAudit()) return null;
  const label = `Audit log of ${name}`;
  return (
    <Tooltip content="Audit log" describes={false}>
      <Link
        to="/admin"
        search={{ tab: "audit", object: kind, object_id: id }}
        className={`${buttonClass("quiet", "small", { isSquare: true })} -my-1`}
        aria-label={label}
      >
        <History />
      </Link>
    </Tooltip>
  );
}

/** The same as a button, where there is no menu. */
export function AuditLink({ kind, id }: Omit<Props, "icon">) {
  if (!useCanAudit()) return null;
  return (
    <LinkButton to="/admin" search={{ tab: "audit", object: kind, object_id: id }} variant="quiet">
      Audit log
    </LinkButton>
  );
}
