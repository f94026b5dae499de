import type { ReactNode } from "react";
import { type Fillable, fillElement } from "./Chart.tsx";
import { cx } from "./cx.ts";
import { onResize } from "./resize.ts";

/** On a phone the tabs scroll, and the one that is open may be the last, also when the phone is turned. jsdom cannot scroll. */
const openTabInSight = (tabs: HTMLElement | null) => {
  if (tabs === null) return;
  // Called at once too, but when the page is laid out anyway.
  return onResize(tabs, () =>
    tabs.querySelector("[aria-current=page]")?.scrollIntoView?.({ inline: "nearest", block: "nearest" }),
  );
};

/** The row of tabs of a page. Tabs are links, because which one is open stands in the address. */
export function TabBar({
  label,
  children,
  className,
}: {
  label: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <div className={cx("flex h-tabs items-stretch border-b", className)}>
      <nav
        ref={openTabInSight}
        aria-label={label}
        className="-mb-px flex min-w-0 flex-1 items-stretch gap-5 overflow-x-auto [scrollbar-width:none]"
      >
        {children}
      </nav>
    </div>
  );
}

type TabProps = {
  isActive: boolean;
  /** How many are behind it; red where they are failures. */
  count?: number | undefined;
  isTrouble?: boolean;
  className?: string;
  /** The link that is drawn as the tab. */
  children: Fillable;
};

/** One tab; its only child is the link: `<Tab isActive><Link to="…">Log</Link></Tab>`. */
export function Tab({ isActive, count, isTrouble = false, className, children: link }: TabProps) {
  return fillElement(
    link,
    {
      ...(isActive && { "aria-current": "page" as const }),
      className: cx(
        "tab",
        isActive
          ? "text-default after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 after:bg-accent-solid"
          : "text-muted hover:text-default",
        className,
      ),
    },
    <>
      {link.props.children}{" "}
      {count !== undefined && (
        <span className={cx("font-normal text-secondary", isTrouble ? "text-state-failed-fg" : "text-faint")}>
          {count}
        </span>
      )}
    </>,
  );
}
