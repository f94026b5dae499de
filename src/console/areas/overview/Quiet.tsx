import type { QueryKey } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ReadAgo } from "../../lib/time/ReadAgo.tsx";
import { counted } from "../../lib/words.ts";
import { buttonClass } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { StateShape } from "../../ui/State.tsx";

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
export function Quiet({ hasMended, ...facts }: Facts & { hasMended: boolean }) {
  const checks = checksOf(facts);
  return (
    <>
      <ul aria-label="What was checked" className={hasMended ? undefined : "border-t"}>
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
        A run that fails, a turn that ends badly, a server that signs you out and an approval that waits
        appear here.
      </p>
    </>
  );
}

/** Nothing has run: what would be here, and the two ways to begin. */
export function NothingYet({ isService }: { isService: boolean }) {
  return (
    <EmptyState
      title="Nothing has run yet"
      actions={
        <>
          <Link to="/runs/new" className={buttonClass("primary")}>
            Choose a flow to start
          </Link>
          <Link to="/agents" search={{ conversation: true }} className={buttonClass("plain")}>
            Talk to an agent
          </Link>
        </>
      }
    >
      {isService
        ? "What runs, what failed in the last day and why, and what changed stands here as soon as somebody starts a run or a conversation."
        : "This page is about what this browser knows: this service does not list runs that were started elsewhere. Whatever you start or open here appears."}
    </EmptyState>
  );
}

function checksOf({ ended, of, isService, known }: Facts) {
  const whose = isService ? "" : " that this browser knows";
  return [
    {
      name: "Runs",
      finding:
        ended === 0
          ? `None${whose} ended in the last 24 hours`
          : `${counted(ended, "run")}${whose} ended in the last 24 hours, none failed without a later one going through`,
      of,
    },
    {
      name: "Conversations",
      finding:
        known === 0
          ? "None was started in this browser"
          : `${known} known to this browser, no turn failed in the last 24 hours`,
      of: null,
    },
    {
      name: "Waiting",
      finding:
        "No approval waits for you, no server needs a sign-in, no grade of the last day needs attention",
      of: null,
    },
  ];
}
