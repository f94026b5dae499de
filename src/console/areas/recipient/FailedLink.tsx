import { describeError } from "../../api/describe-error.ts";
import { ConsoleError } from "../../api/errors.ts";
import { ErrorState } from "../../ui/ErrorState.tsx";

/** The link could not be opened just now; that says nothing of the link. */
export function FailedLink({
  error,
  isTrying,
  onRetry,
}: {
  error: unknown;
  isTrying: boolean;
  onRetry: () => void;
}) {
  const { what, means } = describeError(error);
  const requestId = error instanceof ConsoleError ? (error.requestId ?? undefined) : undefined;
  return (
    <ErrorState
      title="The link could not be opened just now"
      onRetry={onRetry}
      isRetrying={isTrying}
      requestId={requestId}
      className="px-0!"
    >
      {what} {means} The link itself may be fine.
    </ErrorState>
  );
}
