import { Link } from "@tanstack/react-router";
import { Refusal } from "../../../components/failure/Failure.tsx";
import { credentialWords } from "../../../components/session-words.ts";
import { useSignedIn } from "../../../components/wheelhouse-context.tsx";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { Id } from "../../../ui/Id.tsx";

/** The same answer for a run that does not exist and one that this key may not see. */
export function RunNotFound({ runId, error }: { runId: string; error: unknown }) {
  const as = useSignedIn();
  return (
    <EmptyState
      title="No run with this id for you"
      actions={
        <Link to="/runs" className={buttonClass("plain")}>
          All runs
        </Link>
      }
      foot={
        <span className="flex flex-wrap items-center gap-x-2">
          <Id id={runId} what="run id" />
          <Refusal error={error} />
        </span>
      }
    >
      It does not exist, or your key may not see it. Asked as <strong>{credentialWords(as)}</strong>.
    </EmptyState>
  );
}
