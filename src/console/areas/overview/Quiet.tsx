import type { QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ReadAgo } from "../../lib/time/ReadAgo.tsx";
import { StateShape } from "../../ui/StateShape.tsx";

export interface Check {
  readonly name: string;
  readonly finding: ReactNode;
  /** The read that it is from; null for what this browser keeps itself. */
  readonly of: QueryKey | null;
}

/** Nothing needs anybody: what was checked, what was found, and when. */
export function Quiet({ checks, hasMended }: { checks: readonly Check[]; hasMended: boolean }) {
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
