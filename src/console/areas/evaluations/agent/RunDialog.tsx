import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { isTerminal, sessionStates } from "../../../../contract/states.ts";
import { useApi } from "../../../lib/api.tsx";
import { Failure, NotDone } from "../../../lib/failure/Failure.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { Button } from "../../../ui/Button.tsx";
import { Checkbox } from "../../../ui/Checkbox.tsx";
import { Dialog } from "../../../ui/Dialog.tsx";
import { interactionQueries } from "../../conversations/index.ts";

import { evaluationMutations } from "../queries.ts";

/** Evaluates conversations that the person picks, now; says which were skipped and why. */
export function RunDialog({ agentId, onClose }: { agentId: string; onClose: () => void }) {
  const api = useApi();
  const read = useRead(interactionQueries.ofAgent(api, agentId));
  const run = useMutation(evaluationMutations.run(api, agentId));
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const sessions = (read.data?.data.sessions ?? []).flatMap((one) =>
    one?.id && isTerminal(sessionStates, one.state) ? [{ ...one, id: one.id }] : [],
  );
  const answer = run.data?.data;
  const skipped = (answer?.skipped ?? []).flatMap((one) => (one === null ? [] : [one]));
  return (
    <Dialog
      isNarrow
      onClose={onClose}
      // Which were skipped is said here alone.
      canClose={!run.isPending}
      title="Evaluate conversations"
      description="Uses the current criteria. New results replace earlier ones."
      footer={
        answer ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <Button
            variant="primary"
            loading={run.isPending}
            disabledReason={picked.size === 0 ? "Select a conversation first" : undefined}
            onClick={() => run.mutate([...picked])}
          >
            Evaluate {picked.size === 0 ? "" : picked.size}
          </Button>
        )
      }
    >
      {run.error !== null && (
        <div className="mb-3">
          <NotDone error={run.error} title="No evaluation was started" />
        </div>
      )}
      {answer ? (
        <div role="status">
          <p>
            {answer.queued?.length === 1
              ? "1 conversation is being evaluated"
              : `${answer.queued?.length ?? 0} conversations are being evaluated`}
            . Results appear automatically.
          </p>
          {skipped.length > 0 && (
            <ul className="mt-2 text-muted">
              {skipped.map((one) => (
                <li key={one.session_id}>
                  <code className="text-mono">{one.session_id}</code>{" "}
                  {one.reason === "in_flight"
                    ? "is already being evaluated"
                    : one.reason === "ineligible"
                      ? "can’t be evaluated: the agent is still working, or no criteria are set"
                      : one.reason}
                </li>
              ))}
            </ul>
          )}
        </div>
      ) : read.isPending ? (
        <p className="text-faint">loading…</p>
      ) : read.isError && !read.data ? (
        <Failure error={read.error} what="The conversations" onRetry={() => void read.refetch()} />
      ) : sessions.length === 0 ? (
        <p className="text-muted">No finished conversations yet.</p>
      ) : (
        <ul className="flex max-h-80 flex-col gap-1.5 overflow-y-auto">
          {sessions.map((session) => (
            <li key={session.id} className="flex items-baseline justify-between gap-3">
              <Checkbox
                label={<bdi>{session.name || session.id}</bdi>}
                checked={picked.has(session.id)}
                onChange={(event) => {
                  const next = new Set(picked);
                  if (event.target.checked) next.add(session.id);
                  else next.delete(session.id);
                  setPicked(next);
                }}
              />
              <span className="shrink-0 text-muted text-secondary">
                <Ago at={session.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
