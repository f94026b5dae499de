import { describeError } from "../../api/describe-error.ts";
import { isCredentialError } from "../../api/errors.ts";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { Read } from "../paging/useRead.ts";
import { useTimeReader } from "../time/clock.tsx";
import { formatWhen } from "../time/format-time.ts";

type Props = {
  /** A query that may have failed after it had brought something. */
  query: Pick<Read<unknown>, "error" | "readAt" | "isRetrying"> & { refetch(): unknown };
};

/** Says that what stands below is from before, since when, and why; nothing while all is well. */
export function Stale({ query }: Props) {
  const reader = useTimeReader();
  // A refused key has its own overlay.
  if (query.error === null || query.readAt === null || isCredentialError(query.error)) return null;
  const { what, next } = describeError(query.error);
  return (
    <Notice
      kind="offline"
      title={`Last updated ${formatWhen(query.readAt, reader)}`}
      action={
        <Button size="small" loading={query.isRetrying} onClick={() => void query.refetch()}>
          Retry
        </Button>
      }
    >
      {what} {next}
    </Notice>
  );
}
