import type { ReactNode } from "react";

/** A bar over a list, for acts on what is selected: how many at the left, the acts at the right. */
export function FloatingBar({
  label,
  children,
  actions,
}: {
  label: string;
  children: ReactNode;
  actions: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      className="fade-in z-bar flex min-h-11 flex-wrap items-center gap-2 rounded-panel border border-line-strong bg-surface-raised py-2 pr-2 pl-3 shadow-float"
    >
      <div className="mr-auto tabular-nums">{children}</div>
      {actions}
    </section>
  );
}
