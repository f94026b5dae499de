import { Link } from "@tanstack/react-router";
import { isNotFound } from "../../../api/errors.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { CopyLink } from "../../../lib/page/CopyLink.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { hasFailed, useRead } from "../../../lib/paging/useRead.ts";
import { shownName } from "../../../lib/shownName.ts";
import { useStore } from "../../../lib/useStore.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../../ui/SkeletonRows.tsx";
import { RunNotFound } from "../detail/RunNotFound.tsx";
import { runQueries } from "../queries.ts";
import type { AgainSearch } from "../search.ts";
import { AgainForm } from "./AgainForm.tsx";

type Props = { runId: string; search: AgainSearch };

/** Runs a run that has ended again from one of its steps: what changes, what that would do, and the start. */
export function AgainPage({ runId, search }: Props) {
  const api = useApi();
  const can = useCan("run_again");
  const canDetails = useCan("run_details");
  const details = useRead({ ...runQueries.details(api, runId), enabled: can && canDetails });
  const known = useStore(api.history.runs, (runs) => runs.find((one) => one.runId === runId));
  const run = details.data?.data;
  const name = run?.saved_item_name ?? known?.savedItemName ?? run?.saved_item_id ?? null;
  const shown = shownName(name ?? "Run");
  const toRun = (
    <LinkButton to="/runs/$runId" params={{ runId }}>
      Open the run
    </LinkButton>
  );
  return (
    <Page
      title={name === null ? "Run again" : `Run again · ${name}`}
      parents={[
        { key: "runs", link: <Link to="/runs">Runs</Link> },
        {
          key: "run",
          link: (
            <Link to="/runs/$runId" params={{ runId }}>
              {shown}
            </Link>
          ),
        },
      ]}
      heading="Run again"
      actions={<CopyLink />}
    >
      {!can ? (
        <EmptyState title="This service can’t run from a step" actions={toRun}>
          It starts runs only from the beginning.
        </EmptyState>
      ) : hasFailed(details) ? (
        isNotFound(details.error) ? (
          <RunNotFound runId={runId} error={details.error} />
        ) : (
          <ReadFailure query={details} what="The run" actions={toRun} />
        )
      ) : canDetails && run === undefined ? (
        <SkeletonRows label="Loading the run" rows={6} columns={["14px", "120px", "1fr"]} />
      ) : (
        <AgainForm
          runId={runId}
          search={search}
          name={shown}
          state={run?.state ?? known?.last?.state ?? null}
          flowId={run?.saved_item_id ?? known?.savedItemId ?? null}
          given={run?.inputs ?? known?.inputs ?? {}}
          projectId={run?.project_id ?? null}
        />
      )}
    </Page>
  );
}
