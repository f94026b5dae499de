import type { QueryKey } from "@tanstack/react-query";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { ReadAgo } from "../../lib/time/ReadAgo.tsx";
import { counted } from "../../lib/words.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { StateShape } from "../../ui/State.tsx";
import { useHasNoFlow } from "../runs/index.ts";

type Facts = {
  /** Runs that ended in the last day. */
  ended: number;
  /** The read that they are from; null for what this browser keeps itself. */
  of: QueryKey | null;
  isService: boolean;
  /** Conversations that this browser knows. */
  known: number;
};

/** Nothing needs anybody: what was checked, what was found, and when. */
export function AllClear({ hasMended, ...facts }: Facts & { hasMended: boolean }) {
  const checks = checksOf(facts);
  return (
    <>
      <ul aria-label="Checks" className={hasMended ? undefined : "border-t"}>
        {checks.map((check) => (
          <li
            key={check.name}
            className="flex min-h-[42px] items-center gap-3 border-b py-2 pr-edge-right pl-edge-left"
          >
            <StateShape tone="done" />
            <span className="w-32 shrink-0 font-medium max-sm:w-24">{check.name}</span>
            <span className="min-w-0 flex-1 text-muted">{check.finding}</span>
            <span className="shrink-0 whitespace-nowrap text-muted text-secondary">
              {check.of === null ? "now" : <ReadAgo of={check.of} />}
            </span>
          </li>
        ))}
      </ul>
      <p className="py-3 pr-edge-right pl-edge-left text-muted text-secondary">
        Failed runs, failed turns of conversations in local history, tool calls and sources that wait for you,
        and servers that need a sign-in appear here.
      </p>
    </>
  );
}

/** Nothing has run: what would be here, and the two ways to begin. */
export function NothingYet({ isService, hasNoAgent }: Record<"isService" | "hasNoAgent", boolean>) {
  const hasNoFlow = useHasNoFlow();
  return (
    <EmptyState
      title="Nothing has run yet"
      actions={
        <>
          {!hasNoFlow && (
            <LinkButton to="/runs/new" variant="primary">
              Choose a flow to start
            </LinkButton>
          )}
          {!hasNoAgent && (
            <LinkButton
              to="/agents"
              search={{ conversation: true }}
              {...(hasNoFlow && { variant: "primary" })}
            >
              Talk to an agent
            </LinkButton>
          )}
        </>
      }
    >
      {isService
        ? "Once someone starts a run or a conversation, you’ll see here what is running, what failed and why, and what changed."
        : "Runs and conversations you start or open in this browser appear here. This service does not list runs started elsewhere."}
    </EmptyState>
  );
}

function checksOf({ ended, of, isService, known }: Facts) {
  const whose = isService ? "" : " in local history";
  return [
    {
      name: "Runs",
      finding:
        ended === 0
          ? `No runs${whose} ended in the last 24 hours`
          : `${counted(ended, "run")}${whose} ended in the last 24 hours, no open failures`,
      of,
    },
    {
      name: "Conversations",
      finding:
        known === 0
          ? "None started in this browser"
          : `${known} in local history, no failed turns in the last 24 hours`,
      of: null,
    },
    {
      name: "Waiting",
      finding: "No pending approvals, no servers that need a sign-in, no grades that need attention",
      of: null,
    },
  ];
}
