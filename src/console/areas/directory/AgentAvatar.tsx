import { isObject, own } from "../../lib/json/json-value.ts";
import { Avatar } from "../../ui/Avatar.tsx";
import { agentIcons, isAgentIcon } from "./agent-icons.tsx";

type Props = {
  name: string;
  /** The agent's settings as they came: `appearance.icon` names one of our icons. */
  metadata: unknown;
  className?: string;
};

/** An agent's icon, else two letters of its name. Silent: the name stands beside it. */
export function AgentAvatar({ name, metadata, className }: Props) {
  const icon = iconOf(metadata);
  return (
    <Avatar name={name} isGroup {...(className !== undefined && { className })}>
      {icon !== null && isAgentIcon(icon) ? agentIcons[icon] : undefined}
    </Avatar>
  );
}

/** The name of the icon in an agent's settings; null for none. */
function iconOf(metadata: unknown): string | null {
  const appearance = isObject(metadata) ? own(metadata, "appearance") : undefined;
  const icon = isObject(appearance) ? own(appearance, "icon") : undefined;
  return typeof icon === "string" ? icon : null;
}
