import type { ReactNode } from "react";

/** One part of the sheet: its name, a remark, and the part itself. */
export function Part({
  name,
  remark,
  children,
  className,
}: {
  name: string;
  remark?: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section className={className}>
      <h2 className="mb-3 flex items-baseline gap-2.5 border-b pb-1.5 font-semibold">
        {name} <span className="font-normal text-faint text-secondary">{remark}</span>
      </h2>
      {children}
    </section>
  );
}

/** The page behind a dialog, for parts that show one without opening it. */
export function Stage({ children }: { children: ReactNode }) {
  return (
    <div className="overflow-hidden rounded-control border bg-surface-pressed p-4.5 pb-4.5">{children}</div>
  );
}
