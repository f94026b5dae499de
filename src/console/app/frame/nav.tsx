import BadgeCheck from "lucide-react/icons/badge-check";
import Bot from "lucide-react/icons/bot";
import Files from "lucide-react/icons/files";
import Gauge from "lucide-react/icons/gauge";
import Inbox from "lucide-react/icons/inbox";
import Library from "lucide-react/icons/library";
import ListVideo from "lucide-react/icons/list-video";
import Plug from "lucide-react/icons/plug";
import type { ReactNode } from "react";

/** One page of the sidebar. Only pages that work are listed: a dead entry helps nobody. */
export interface NavEntry {
  readonly to: "/" | "/inbox" | "/agents" | "/runs" | "/artifacts" | "/mcp" | "/evaluations" | "/knowledge";
  readonly label: string;
  readonly icon: ReactNode;
  readonly keys: string;
}

/** The sidebar in its order: Overview, Inbox, Agents, Runs, Artifacts, MCP servers, Evaluations, Knowledge, as they come. */
export const nav: readonly NavEntry[] = [
  { to: "/", label: "Overview", icon: <Gauge />, keys: "g o" },
  { to: "/inbox", label: "Inbox", icon: <Inbox />, keys: "g i" },
  { to: "/agents", label: "Agents", icon: <Bot />, keys: "g a" },
  { to: "/runs", label: "Runs", icon: <ListVideo />, keys: "g r" },
  { to: "/artifacts", label: "Artifacts", icon: <Files />, keys: "g f" },
  { to: "/mcp", label: "MCP servers", icon: <Plug />, keys: "g m" },
  { to: "/evaluations", label: "Evaluations", icon: <BadgeCheck />, keys: "g e" },
  { to: "/knowledge", label: "Knowledge", icon: <Library />, keys: "g k" },
];
