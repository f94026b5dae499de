import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { type Fillable, fillElement } from "./fillElement.ts";
import { StateShape } from "./StateShape.tsx";
import { Tooltip } from "./Tooltip.tsx";
import type { Tone } from "./tone.ts";

type ItemProps = {
  /** 16 px. */
  icon: ReactNode;
  isActive: boolean;
  /** How many things wait for the person here; nothing is shown for none. */
  waiting?: number | undefined;
  /** The keys that lead here, for the tooltip where only the icon fits. */
  shortcut?: string;
  /** The router's link with the name in it: `<Link to="/runs">Runs</Link>`. */
  children: Fillable;
};

/** One page in the sidebar; below 1180 only its icon and count. */
export function SidebarItem({ icon, isActive, waiting = 0, shortcut, children }: ItemProps) {
  return (
    <Tooltip
      content={children.props.children}
      shortcut={shortcut}
      describes={false}
      className="max-sm:hidden lg:hidden"
    >
      {fillElement(
        children,
        {
          ...(isActive && { "aria-current": "page" as const }),
          className: cx(
            rowClass,
            "h-7.5 gap-2.5 font-medium",
            isActive ? "bg-surface-pressed text-default" : restClass,
          ),
        },
        <>
          <span className="flex [&_.lucide]:size-4">{icon}</span>
          <span className={labelClass}>{children.props.children}</span>{" "}
          {waiting > 0 && (
            <span className="waits">
              {waiting} <span className="sr-only">waiting for you</span>
            </span>
          )}
        </>,
      )}
    </Tooltip>
  );
}

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

const rowClass = "sidebar-row";
const restClass = "text-muted hover:bg-surface-hover hover:text-default";
const labelClass = "min-w-0 flex-1 truncate sm:max-lg:sr-only";
