import { isCredentialError } from "../../api/errors.ts";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { Notice } from "../../ui/Notice.tsx";
import type { Refused } from "./refusal.ts";

/** What the service said against the whole change; what it said of one row stands there. */
export function RefusedNotice({ refused }: { refused: Refused | null }) {
  // A refused key has its own overlay.
  if (refused === null || isCredentialError(refused.error)) return null;
  if (refused.subject !== null) {
    return (
      <Notice kind="failed" look="box" className="mb-3" title="Nothing was changed">
        The service refuses one of the changes: see the line below that says why.
      </Notice>
    );
  }
  return (
    <Notice kind="failed" look="box" className="mb-3" title={refused.what}>
      <p>
        {refused.means} {refused.next}
      </p>
      <p className="mt-1 flex items-center gap-1 text-secondary">
        <Refusal error={refused.error} />
      </p>
    </Notice>
  );
}
