import { useNavigate } from "@tanstack/react-router";
import KeyRound from "lucide-react/icons/key-round";
import type { permissionObjects } from "../../../contract/admin.ts";
import { MenuItem } from "../../ui/Menu.tsx";
import { useApi, useCan } from "../api.tsx";

type Props = { kind: (typeof permissionObjects)[number]; id: string; icon?: boolean };

/** What a person can do with something, and why; an item of its menu, nothing where the service does not tell. */
export function PermissionsItem({ kind, id, icon = false }: Props) {
  const canAdmin = useCan("admin");
  const isTeam = useApi().who.kind === "team";
  const navigate = useNavigate();
  if (!canAdmin || isTeam) return null;
  const search = { tab: "permissions", object: kind, object_id: id };
  return (
    <MenuItem {...(icon && { icon: <KeyRound /> })} onSelect={() => void navigate({ to: "/admin", search })}>
      Permissions
    </MenuItem>
  );
}
