import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { useFocusLeft } from "../page/useFocusKept.ts";
import type { More } from "../paging/usePages.ts";

type Props = {
  /** What is listed, as in `Show all runs`. */
  what: string;
  /** A service looks through a long history part by part, and may find nothing in the first; null: all was looked through. */
  more: More | null;
  /** Takes all filters away. */
  onClear: () => void;
  /** What else could be tried. */
  children: ReactNode;
};

/** Why a narrowed list shows nothing, and the next step: older ones, or all of them. */
export function NoMatches({ what, more, onClear, children }: Props) {
  useFocusLeft();
  return (
    <EmptyState
      title={`No matching ${what}`}
      actions={
        <>
          {more && (
            <Button loading={more.isReading} onClick={more.read}>
              {more.error === null ? "Search older" : "Could not search older. Try again"}
            </Button>
          )}
          <Button onClick={onClear}>Show all {what}</Button>
        </>
      }
    >
      {more ? `None of the newest ${what} match; older ones have not been searched yet.` : children}
    </EmptyState>
  );
}
