import type { ReactNode } from "react";
import { describeError } from "../../api/describe-error.ts";
import { ConsoleError, isForbidden, isNotFound } from "../../api/errors.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { ErrorState } from "../../ui/ErrorState.tsx";
import { Id } from "../../ui/Id.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { ToastMessage } from "../../ui/Toast.tsx";
import { failureOf } from "../paging/useRead.ts";

type Props = {
  error: unknown;
  /** What could not be had, as the beginning of a sentence: "The runs". */
  what: string;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
  /** When it is tried next by itself, in words. */
  nextTry?: ReactNode;
  /** Ways on, for an answer that says no. */
  actions?: ReactNode;
  /** Inside something that keeps its distance from the edge already. */
  isInset?: boolean;
};

/** An error in the place where it happened: what happened, what it means, what to do, and the request id. */
export function Failure({ error, what, onRetry, isRetrying, nextTry, actions, isInset = false }: Props) {
  const inset = isInset && { className: "px-0!" };
  const { what: happened, means, next } = describeError(error);
  const requestId = error instanceof ConsoleError ? (error.requestId ?? undefined) : undefined;
  if (isForbidden(error) || isNotFound(error)) {
    return (
      <EmptyState
        title={isForbidden(error) ? `${what}: no access with this key` : `${what} could not be found`}
        actions={actions}
        foot={<Refusal error={error} />}
        {...inset}
      >
        {means} {next}
      </EmptyState>
    );
  }
  return (
    <ErrorState
      title={`${what} could not be loaded`}
      onRetry={onRetry}
      {...(isRetrying !== undefined && { isRetrying })}
      {...(nextTry !== undefined && { nextTry })}
      requestId={requestId}
      actions={actions}
      {...inset}
    >
      {happened} {means} {next}
    </ErrorState>
  );
}

type ReadFailureProps = Pick<Props, "what" | "actions" | "isInset"> & {
  query: Parameters<typeof failureOf>[0];
};

/** What is said in place of a read that failed. */
export function ReadFailure({ query, ...rest }: ReadFailureProps) {
  return <Failure {...rest} {...failureOf(query)} />;
}

/** Status, code and request id of a refusal, last and quiet. */
export function Refusal({ error }: { error: unknown }) {
  if (!(error instanceof ConsoleError) || error.status === null) return null;
  return (
    <>
      {error.status}
      {error.code !== null && ` ${error.code}`}
      {error.requestId !== null && (
        <>
          , request <Id id={error.requestId} what="request ID" cut={[8, 4]} />
        </>
      )}
    </>
  );
}

/** What a toast says of an action that was refused. */
export function failedToast(title: string, error: unknown): ToastMessage {
  const { what, next } = describeError(error);
  return { tone: "failed", title, detail: `${what} ${next}`.trim() };
}

type NotDoneProps = {
  error: unknown;
  /** What did not come about: "The source was not made". */
  title: ReactNode;
  /** Instead of the words of the error. */
  children?: ReactNode;
  /** Where to look what became of it. */
  action?: ReactNode;
  /** `band`: from edge to edge, under a form. */
  look?: "band" | "box";
};

/** Says beside a button that its action was refused, and by which answer. */
export function NotDone({ error, title, children, action, look = "box" }: NotDoneProps) {
  const { what, means, next } = describeError(error);
  return (
    <Notice kind="failed" look={look} title={title} action={action}>
      {children ?? `${what} ${means} ${next}`} <Refusal error={error} />
    </Notice>
  );
}
