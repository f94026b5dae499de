import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { linkClass } from "../../ui/linkClass.ts";
import type { Target } from "./targets.ts";

type Props = {
  target: Target;
  /** Of a conversation; where it is not known there is no address. */
  agentId: string | null;
  /** Looks like its surroundings. */
  isPlain?: boolean;
  children: ReactNode;
};

/** Leads to a run or a conversation. */
export function TargetLink({ target, agentId, isPlain = false, children }: Props) {
  const className = isPlain ? undefined : linkClass;
  if (target.kind === "run") {
    return (
      <Link to="/runs/$runId" params={{ runId: target.id }} className={className}>
        {children}
      </Link>
    );
  }
  if (agentId === null) return children;
  return (
    <Link
      to="/agents/$agentId/conversations/$interactionId"
      params={{ agentId, interactionId: target.id }}
      className={className}
    >
      {children}
    </Link>
  );
}
