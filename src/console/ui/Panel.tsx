import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** An outlined part of a page with a head: a list inside a page. Never inside another one. */
export function Panel({
  title,
  aside,
  children,
  className,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={cx("overflow-hidden rounded-panel border bg-surface", className)}>
      {title !== undefined && (
        <header className="flex h-9 items-center justify-between border-b px-3.5">
          <h2 className="font-semibold">{title}</h2>
          <span className="text-muted text-secondary tabular-nums">{aside}</span>
        </header>
      )}
      {children}
    </section>
  );
}

/** A section of a side panel: 14 × 20, separated by one line, never boxed. */
export function PanelSection({
  title,
  aside,
  children,
}: {
  title?: ReactNode;
  /** A link or a remark at the right of the title. */
  aside?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className="border-b px-edge-left py-3.5 last:border-b-0">
      {(title !== undefined || aside !== undefined) && (
        <header className="mb-1.5 flex items-baseline justify-between gap-3">
          <h2 className="font-semibold">{title}</h2>
          <span className="hits text-muted text-secondary tabular-nums">{aside}</span>
        </header>
      )}
      {children}
    </section>
  );
}
