import { useNavigate } from "@tanstack/react-router";
import { startPipeline } from "../../../../contract/start-pipeline.ts";
import { useApi } from "../../../lib/api.tsx";
import { curlOfCall } from "../../../lib/curl.ts";
import { useDeletionWords } from "../../../lib/keep/deletion.ts";
import { NoMatches } from "../../../lib/list/NoMatches.tsx";
import { OpenById } from "../../../lib/OpenById.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import type { More } from "../../../lib/paging/usePages.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { useHasNoFlow } from "../useHasNoFlow.ts";

type Props = {
  isFiltered: boolean;
  isService: boolean;
  /** A service looks through a long history part by part, and may find nothing in the first. */
  more: More | null;
  onClear: () => void;
};

/** Why there are no runs, and the next step. */
export default function NoRuns({ isFiltered, isService, more, onClear }: Props) {
  const api = useApi();
  const navigate = useNavigate();
  const deletion = useDeletionWords("runs", isService && more === null);
  const hasNoFlow = useHasNoFlow();
  if (isFiltered) {
    return (
      <NoMatches what="runs" more={more} onClear={onClear}>
        {`Nothing matches these filters${isService ? "" : " in local history"}.`}
        {deletion && ` ${deletion}`}
      </NoMatches>
    );
  }
  return (
    <EmptyState
      title="No runs yet"
      actions={
        <>
          {!hasNoFlow && <LinkButton to="/runs/new">Choose a flow to start</LinkButton>}
          <OpenById what="run" onOpen={(runId) => void navigate({ to: "/runs/$runId", params: { runId } })} />
        </>
      }
      curl={curlOfCall(api, startPipeline, {
        query: { saved_item_id: "FLOW_ID", ...(api.who.userId && { user_id: api.who.userId }) },
        body: {},
      })}
    >
      {isService
        ? "Runs you or your team start appear here."
        : "Runs you start or open in this browser appear here. This service does not list runs started elsewhere; paste a run ID to add one."}
      {deletion && ` ${deletion}`}
      {hasNoFlow && (
        <>
          {" "}
          There are no flows yet. To add one, put its file in the workspace’s{" "}
          <code className="text-mono">flows</code> folder and restart the service.
        </>
      )}
    </EmptyState>
  );
}
