import type { ReactNode } from "react";
import { cx } from "./cx.ts";

type Props = {
  rows: readonly { key: string; name: ReactNode; value: ReactNode }[];
  /** The names are field names of the interface, so they are set in mono. */
  isMono?: boolean;
  /** Width of the column of names. */
  nameWidth?: number;
  className?: string;
};

/** Names and values, such as the inputs of a run; values are cut at the end. */
export function DefinitionList({ rows, isMono = false, nameWidth = 100, className }: Props) {
  return (
    <dl
      className={cx("grid gap-x-2 gap-y-1", className)}
      style={{ gridTemplateColumns: `${nameWidth}px minmax(0, 1fr)` }}
    >
      {rows.map((row) => (
        <div key={row.key} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dt className={cx("truncate text-muted", isMono ? "text-mono-narrow" : "text-secondary")}>
            {row.name}
          </dt>
          <dd className="min-w-0 truncate">{row.value}</dd>
        </div>
      ))}
    </dl>
  );
}
