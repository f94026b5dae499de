import { useNavigate } from "@tanstack/react-router";
import Archive from "lucide-react/icons/archive";
import Copy from "lucide-react/icons/copy";
import Ellipsis from "lucide-react/icons/ellipsis";
import Users from "lucide-react/icons/users";
import { useState } from "react";
import { type Agent, agentAliases } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { IconButton } from "../../../ui/IconButton.tsx";
import { later } from "../../../ui/later.ts";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/Menu.tsx";
import { onlyReads } from "../agent/only-reads.ts";

const RetireDialog = later(() => import("../retire/RetireDialog.tsx"));
const TransferDialog = later(() => import("../transfer/TransferDialog.tsx"));

type Props = { agent: Received<Agent>; agentId: string; name: string };

/** What can be done with an agent as a whole: a copy, another team, the end. */
export function AgentActs({ agent, agentId, name }: Props) {
  const [open, setOpen] = useState<"retire" | "transfer" | null>(null);
  const canCreate = useCan("agent_create");
  const { who } = useApi();
  const navigate = useNavigate();
  // One's own two agents belong to nobody else (§2.10), and a team's key has no other team.
  const isReader = onlyReads(agent);
  const canTransfer = !isReader && who.kind !== "team" && !agentAliases.some((alias) => alias === agentId);
  if (isReader && !canCreate) return null;
  const dialog = { agent, agentId, name, onClose: () => setOpen(null) };
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton label="More actions" variant="plain">
            <Ellipsis />
          </IconButton>
        }
      >
        {canCreate && (
          <MenuItem
            icon={<Copy />}
            onSelect={() => void navigate({ to: "/agents/new", search: { from: agentId } })}
          >
            Make a copy
          </MenuItem>
        )}
        {canTransfer && (
          <MenuItem icon={<Users />} onSelect={() => setOpen("transfer")}>
            Transfer to a team…
          </MenuItem>
        )}
        {!isReader && (canCreate || canTransfer) && <MenuSeparator />}
        {!isReader && (
          <MenuItem icon={<Archive />} isDanger onSelect={() => setOpen("retire")}>
            Retire agent…
          </MenuItem>
        )}
      </Menu>
      <LazyPart>
        {open === "retire" && <RetireDialog {...dialog} />}
        {open === "transfer" && <TransferDialog {...dialog} />}
      </LazyPart>
    </>
  );
}
