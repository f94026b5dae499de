import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { cx } from "./cx.ts";
import { Id } from "./Id.tsx";
import { StateShape } from "./State.tsx";

type Props = {
  /** What happened. */
  title: ReactNode;
  /** What it means and what to do. */
  children?: ReactNode;
  /** Given where trying again helps. */
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
  /** When it is tried next by itself: "next try in 6 s". */
  nextTry?: ReactNode;
  requestId?: string | undefined;
  /** Other ways on, beside the retry. */
  actions?: ReactNode;
  className?: string;
};

/** A failure in the place where it happened: what happened, what it means, what to do. The last data stay around it. */
export function ErrorState({
  title,
  children,
  onRetry,
  isRetrying = false,
  nextTry,
  requestId,
  actions,
  className,
}: Props) {
  return (
    <section
      role="alert"
      className={cx("flex max-w-text items-start gap-3 py-4.5 pr-edge-right pl-edge-left", className)}
    >
      <StateShape tone="failed" className="mt-[3px]" />
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold">{title}</h2>
        {children !== undefined && <div className="text-muted">{children}</div>}
        {(onRetry || actions !== undefined) && (
          <div className="mt-2 flex flex-wrap items-center gap-2">
            {onRetry && (
              <Button size="small" onClick={onRetry} loading={isRetrying}>
                Retry
              </Button>
            )}
            {actions}
            {nextTry !== undefined && (
              <span className="text-muted text-secondary tabular-nums">{nextTry}</span>
            )}
          </div>
        )}
        {requestId !== undefined && (
          <p className="mt-2 flex items-center gap-1.5 text-muted text-secondary">
            Request <Id id={requestId} what="request ID" cut={[8, 4]} />
          </p>
        )}
      </div>
    </section>
  );
}
