import MessageSquarePlus from "lucide-react/icons/message-square-plus";
import { Button } from "../../../ui/Button.tsx";
import { Menu, MenuItem, MenuLabel } from "../../../ui/Menu.tsx";
import { agentName } from "../words.ts";
import type { AgentGroup } from "./groups.ts";

type Props = { groups: readonly AgentGroup[]; onPick: (agentId: string) => void; onClose: () => void };

/** With which agent: a letter jumps to its name. */
export default function AgentMenu({ groups, onPick, onClose }: Props) {
  return (
    <Menu
      align="end"
      defaultOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      trigger={
        <Button variant="primary" aria-label="New conversation">
          <MessageSquarePlus className="sm:hidden" />
          <span className="max-sm:hidden">New conversation</span>
        </Button>
      }
    >
      {groups.map((group) => (
        <div key={group.of}>
          <MenuLabel>With an agent of {group.of === "mine" ? "yours" : group.name}</MenuLabel>
          {group.agents.map((agent) => (
            <MenuItem key={agent.id} onSelect={() => onPick(agent.id)}>
              {agentName(agent)}
            </MenuItem>
          ))}
        </div>
      ))}
    </Menu>
  );
}
