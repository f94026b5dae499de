import { Fragment, type ReactNode } from "react";
import { cx } from "./cx.ts";

type Parent = { key: string; link: ReactNode };

/** Where this is. Parents are links that the page renders; the last crumb is the page's h1. On phones the nearest parent is the way back. */
export function Breadcrumbs({ parents = [], current }: { parents?: readonly Parent[]; current: ReactNode }) {
  const hasParents = parents.length > 0;
  return (
    <nav aria-label="Breadcrumbs" className="flex min-w-0 items-center gap-2">
      {parents.map((parent, index) => (
        <Fragment key={parent.key}>
          <span
            className={cx(
              "crumb max-w-44 shrink-0 truncate text-muted",
              index < parents.length - 1 && "max-sm:hidden",
            )}
          >
            {parent.link}
          </span>
          <span className="text-faint max-sm:hidden" aria-hidden="true">
            /
          </span>
        </Fragment>
      ))}
      <h1 className={cx("truncate", hasParents ? "font-semibold max-sm:sr-only" : "text-heading")}>
        {current}
      </h1>
    </nav>
  );
}
