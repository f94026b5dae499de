import { useNavigate } from "@tanstack/react-router";
import KeyRound from "lucide-react/icons/key-round";
import type { permissionObjects } from "../../../contract/admin.ts";
import { MenuItem } from "../../ui/Menu.tsx";
import { useApi, useCan } from "../api.tsx";
import { LinkButton } from "../page/LinkButton.tsx";

type Props = { kind: (typeof permissionObjects)[number]; id: string; icon?: boolean };

/** Whether the service tells this person: a team's key is no one whose rights it could show. */
function useIsTold(): boolean {
  const canAdmin = useCan("admin");
  return useApi().who.kind !== "team" && canAdmin;
}

/** What a person can do with something, and why; an item of its menu, nothing where the service does not tell. */
export function PermissionsItem({ kind, id, icon = false }: Props) {
  const isTold = useIsTold();
  const navigate = useNavigate();
  if (!isTold) return null;
  const search = { tab: "permissions", object: kind, object_id: id };
  return (
    <MenuItem {...(icon && { icon: <KeyRound /> })} onSelect={() => void navigate({ to: "/admin", search })}>
      Permissions
    </MenuItem>
  );
}

/** The same as a button, where there is no menu. */
export function PermissionsLink({ kind, id }: Omit<Props, "icon">) {
  if (!useIsTold()) return null;
  return (
    <LinkButton to="/admin" search={{ tab: "permissions", object: kind, object_id: id }} variant="quiet">
      Permissions
    </LinkButton>
  );
}
