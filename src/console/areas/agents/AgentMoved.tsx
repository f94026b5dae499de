import ArrowRightLeft from "lucide-react/icons/arrow-right-left";
import { useRef } from "react";
import { formatWhen } from "../../lib/time/format.ts";
import { useTimeReader } from "../../lib/time/useTimeReader.ts";
import { Notice } from "../../ui/Notice.tsx";
import type { AgentNews } from "../directory/index.ts";

import { useTeamName } from "./useTeamName.ts";

type Props = {
  agentId: string;
  /** Whose it is by the last reading; null: one person's, undefined: not told. */
  teamId: string | null | undefined;
  /** What this browser did to it, where it was this browser. */
  news: AgentNews | null;
};

/** Over a page of an agent that went to another team while the page was open, whoever gave it there: whose it is now. */
export function AgentMoved({ agentId, teamId, news }: Props) {
  const reader = useTimeReader();
  const first = useRef<{ readonly agentId: string; readonly teamId: string | null } | null>(null);
  if (teamId !== undefined && first.current?.agentId !== agentId) first.current = { agentId, teamId };
  const before = first.current?.teamId;
  const to = useTeamName(teamId);
  const from = useTeamName(before);
  if (teamId === undefined || before === undefined || before === teamId) return null;
  const at = news?.kind === "transferred" ? ` ${formatWhen(news.at, reader)}` : "";
  return (
    <Notice
      kind="offline"
      icon={<ArrowRightLeft />}
      title={to === null ? "This agent is yours alone now" : `This agent was transferred to ${to}${at}`}
    >
      {from === null ? "It was yours alone" : `It belonged to ${from}`} when this page was opened.
      {to !== null && ` Everybody in ${to} sees it with its versions, changes it, and may retire it.`}
    </Notice>
  );
}
