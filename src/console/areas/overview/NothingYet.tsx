import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/buttonClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";

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
          <Link to="/agents" search={{ talk: true }} className={buttonClass("plain")}>
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
