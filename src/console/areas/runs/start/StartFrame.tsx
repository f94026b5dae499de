import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { isSurelyNot } from "../../../api/describe-error.ts";
import { NotDone } from "../../../lib/failure/Failure.tsx";

type Props = {
  /** What is filled in. */
  children: ReactNode;
  /** What it comes to. */
  aside: ReactNode;
  asideLabel: string;
  /** Why the last start came to nothing; absent: it did not. */
  failure?: ReactNode;
  foot: ReactNode;
};

/** A form that starts a run: its fields at the left, what they come to at the right (below, where it is narrow), the start under both. */
export function StartFrame({ children, aside, asideLabel, failure, foot }: Props) {
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 max-lg:block max-lg:overflow-y-auto">
        <div className="flex min-w-0 flex-1 flex-col">{children}</div>
        <aside
          aria-label={asideLabel}
          className="flex w-[344px] shrink-0 flex-col overflow-y-auto border-l max-lg:w-auto max-lg:overflow-visible max-lg:border-t max-lg:border-l-0"
        >
          {aside}
        </aside>
      </div>
      {failure && <div className="shrink-0 border-t bg-state-failed-bg">{failure}</div>}
      {foot}
    </div>
  );
}

/** A start that failed: without an answer it may have happened all the same. */
export const StartFailure = ({ error }: { error: Error }) => (
  <NotDone
    error={error}
    title={isSurelyNot(error) ? "The run was not started" : "The run may have started"}
    action={<Link to="/runs">Check the runs list</Link>}
    look="band"
  />
);
