import type { ReactNode } from "react";
import { type Fillable, fillElement } from "./Chart.tsx";
import { cx } from "./cx.ts";
import { labelClass, restClass, rowClass } from "./Sidebar.tsx";
import { StateShape, type Tone } from "./State.tsx";
import { Tooltip } from "./Tooltip.tsx";

type WatchedProps = { tone: Tone; word: string; age?: ReactNode; children: Fillable };

/** A run or conversation that the person follows: its shape, its name and how old it is. Its child is the router's link with the name in it. */
export function SidebarWatched({ tone, word, age, children }: WatchedProps) {
  return (
    <Tooltip
      content={
        <>
          {children.props.children}, {word}
        </>
      }
      describes={false}
      className="max-sm:hidden lg:hidden"
    >
      {fillElement(
        children,
        { className: cx(rowClass, restClass, "h-7 gap-2 text-secondary") },
        <>
          <StateShape tone={tone} label={word} />{" "}
          <span className={labelClass}>{children.props.children}</span>{" "}
          <span className="shrink-0 text-muted tabular-nums sm:max-lg:hidden">{age}</span>
        </>,
      )}
    </Tooltip>
  );
}
