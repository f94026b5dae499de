import type { ReactNode } from "react";
import { CodeLine } from "./CopyButton.tsx";
import { cx } from "./cx.ts";

type Props = {
  /** What would be here. */
  title: ReactNode;
  /** Why it is not. */
  children: ReactNode;
  /** The one next step, first; others after it. */
  actions?: ReactNode;
  /** The same step as a line to copy, with the secret as $WHEELHOUSE_KEY. */
  curl?: string;
  /** The last line, for an answer that says no: status, request id, the id that was asked for. */
  foot?: ReactNode;
  className?: string;
};

/** Nothing here: what would be here, why it is not, and the one next step. Also for "not allowed" and "not found". */
export function EmptyState({ title, children, actions, curl, foot, className }: Props) {
  return (
    <section
      className={cx("flex max-w-text flex-col items-start py-6 pr-edge-right pl-edge-left", className)}
    >
      <h2 className="text-heading">{title}</h2>
      <div className="mt-1 text-muted">{children}</div>
      {actions !== undefined && <div className="mt-4 flex flex-wrap items-center gap-2">{actions}</div>}
      {curl !== undefined && <CodeLine code={curl} what="the command" className="mt-3 w-full" />}
      {foot !== undefined && (
        <div className="mt-2.5 flex flex-wrap items-center gap-x-1.5 text-muted text-secondary">{foot}</div>
      )}
    </section>
  );
}
