import type { QueryKey } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { formatWhen } from "../../lib/time/format.ts";
import { useReadAt } from "../../lib/time/useReadAt.ts";
import { useTimeReader } from "../../lib/time/useTimeReader.ts";
import { buttonClass } from "../../ui/buttonClass.ts";
import { Notice } from "../../ui/Notice.tsx";
import { StateShape } from "../../ui/StateShape.tsx";
import type { AgentNews } from "./agent-news.ts";

type Props = {
  /** What this browser did to it, where it was this browser. */
  news: AgentNews | null;
  /** The read that what stands below is from; null where it is no part of the agent. */
  of: QueryKey | null;
};

/** Over the pages of an agent that is no longer there: what that means for who is looking at it. */
export function AgentGone({ news, of }: Props) {
  const reader = useTimeReader();
  const isRetired = news?.kind === "retired";
  const title = isRetired
    ? `This agent was retired ${formatWhen(news.at, reader)}`
    : news?.kind === "transferred"
      ? `This agent was transferred ${formatWhen(news.at, reader)}, and your key does not see it any more`
      : "This agent is gone: it was retired, or moved to a team that your key does not see";
  return (
    <Notice
      kind="offline"
      icon={<StateShape tone="stopped" />}
      title={title}
      action={
        <Link to="/agents" className={buttonClass("plain", "small")}>
          All agents
        </Link>
      }
    >
      Turns that were at work finish; it takes no new messages and no changes
      {isRetired ? ", and this cannot be undone" : ""}.{of !== null && <AsRead of={of} />}
    </Notice>
  );
}

function AsRead({ of }: { of: QueryKey }) {
  const reader = useTimeReader();
  const at = useReadAt(of);
  return at > 0 && <> What stands below is as read {formatWhen(at, reader)}.</>;
}
