import type { ComponentProps, ReactNode } from "react";
import { AuditIconLink } from "../../lib/admin-links/AdminLinks.tsx";
import { Button } from "../../ui/Button.tsx";

/** The column at the end of a list that holds what can be done with each row. */
export const actionsColumn = {
  head: <span className="sr-only">Actions</span>,
  width: 128,
  kind: "figure",
} as const;

/** The end of a row: what was changed on it, and what can be done with it. */
export function RowActions({
  children,
  ...of
}: ComponentProps<typeof AuditIconLink> & { children: ReactNode }) {
  return (
    <span className="inline-flex shrink-0 items-center gap-1 align-middle">
      <AuditIconLink {...of} />
      {children}
    </span>
  );
}

type ActionProps = Pick<ComponentProps<typeof Button>, "children" | "loading" | "onClick"> & {
  /** What it does, with the name of the row. */
  label: string;
};

/** One thing that can be done with a row. */
export function RowAction({ label, ...rest }: ActionProps) {
  return <Button {...rest} size="small" variant="quiet" className="-my-1" aria-label={label} />;
}
