import type { ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = {
  topBar: ReactNode;
  children: ReactNode;
  /** What stands beside the content. */
  panel?: ReactNode;
  /** Its name for those who listen. */
  panelLabel?: string;
  /** `list`: 344, and below 900 it takes the page's place. `detail`: 288, and below 1180 the page shows it as tabs. */
  panelKind?: "list" | "detail" | "catalogue";
  /** The line under everything: what was done, and the acts of a long form. */
  foot?: ReactNode;
};

const widths = {
  list: "w-panel-list max-md:w-full max-md:border-l-0",
  detail: "w-panel-detail max-lg:hidden",
  catalogue: "w-panel-catalogue max-md:w-full max-md:border-l-0",
};

/** A page: the bar, the content that scrolls by itself, and a panel beside it where there is room. */
export function PageFrame({
  topBar,
  children,
  panel,
  panelLabel = "Details",
  panelKind = "list",
  foot,
}: Props) {
  const hasPanel = panel !== undefined && panel !== null && panel !== false;
  return (
    <>
      {topBar}
      <main className="flex min-h-0 flex-1">
        <div
          id="content"
          tabIndex={-1}
          className={cx(
            "relative flex min-w-0 flex-1 flex-col overflow-y-auto outline-none",
            hasPanel && panelKind !== "detail" && "max-md:hidden",
          )}
        >
          {children}
        </div>
        {hasPanel && (
          <section
            aria-label={panelLabel}
            className={cx("shrink-0 overflow-y-auto border-l bg-surface", widths[panelKind])}
          >
            {panel}
          </section>
        )}
      </main>
      {foot !== undefined && (
        <footer className="flex min-h-14 shrink-0 flex-wrap items-center gap-2 border-t py-2 pr-edge-right pl-edge-left">
          {foot}
        </footer>
      )}
    </>
  );
}
