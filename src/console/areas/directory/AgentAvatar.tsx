import Book from "lucide-react/icons/book-open";
import Bot from "lucide-react/icons/bot";
import Calendar from "lucide-react/icons/calendar";
import Chart from "lucide-react/icons/chart-no-axes-column";
import Code from "lucide-react/icons/code";
import Compass from "lucide-react/icons/compass";
import Database from "lucide-react/icons/database";
import Globe from "lucide-react/icons/globe";
import Headset from "lucide-react/icons/headset";
import Mail from "lucide-react/icons/mail";
import Pen from "lucide-react/icons/pen";
import Scale from "lucide-react/icons/scale";
import Search from "lucide-react/icons/search";
import Shield from "lucide-react/icons/shield";
import Truck from "lucide-react/icons/truck";
import Wrench from "lucide-react/icons/wrench";
import { isObject, own } from "../../lib/json/json-value.ts";
import { Avatar } from "../../ui/Avatar.tsx";

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

/** The icons that an agent can have, by the names that `appearance.icon` of its settings takes. */
export const agentIcons = {
  bot: <Bot />,
  book: <Book />,
  calendar: <Calendar />,
  chart: <Chart />,
  code: <Code />,
  compass: <Compass />,
  database: <Database />,
  globe: <Globe />,
  headset: <Headset />,
  mail: <Mail />,
  pen: <Pen />,
  scale: <Scale />,
  search: <Search />,
  shield: <Shield />,
  truck: <Truck />,
  wrench: <Wrench />,
} as const;

/** Whether there is an icon of this name. */
export const isAgentIcon = (name: string): name is keyof typeof agentIcons => Object.hasOwn(agentIcons, name);
