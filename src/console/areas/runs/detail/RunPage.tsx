import { Link, useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useState } from "react";
import { describeState, runCan, runStates } from "../../../../contract/states.ts";
import { isNotFound } from "../../../api/errors.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { LazyPart } from "../../../lib/LazyPart.tsx";
import { CopyLink } from "../../../lib/page/CopyLink.tsx";
import { LiveStatus } from "../../../lib/page/LiveStatus.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { shownName } from "../../../lib/shownName.ts";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { later } from "../../../ui/later.ts";
import { Person } from "../../directory/index.ts";

import type { LineAddress } from "../log/line-range.ts";
import { runQueries } from "../run-queries.ts";
import { useFirstError } from "../useFirstError.ts";
import { useKillRequested } from "../useKillRequested.ts";
import { useRunReader } from "../useRunReader.ts";
import { useRunsOfFlow } from "../useRunsOfFlow.ts";
import { usualTime, usualWords } from "../usual.ts";
import { RunBody } from "./RunBody.tsx";
import { RunFailure } from "./RunFailure.tsx";
import { RunHeader, RunHeaderSkeleton } from "./RunHeader.tsx";
import { RunNotFound } from "./RunNotFound.tsx";
import { type RunSearch, readRunSearch } from "./search.ts";
import { useRun } from "./useRun.ts";

const KillDialog = later(() => import("./KillDialog.tsx"));
const RawAnswer = later(() => import("./RawAnswer.tsx"));
const RunMenu = later(() => import("./RunMenu.tsx"));

type Props = { runId: string; search: RunSearch };

/** One run: what it is doing, its log, what went in and what came out. */
export function RunPage({ runId, search }: Props) {
  const api = useApi();
  const navigate = useNavigate({ from: "/runs/$runId" });
  const facts = useRun(runId);
  const { read, run, more, flowId, flowName } = facts;
  const isPhone = useMedia(phone);
  const isKillRequested = useKillRequested().has(runId);
  const [isAsking, setAsking] = useState(false);
  const [isRaw, setRaw] = useState(false);
  const [asked, setAsked] = useState(0);
  const { runs: ofFlow } = useRunsOfFlow(flowId);
  const usual = usualTime(ofFlow.filter((one) => one.runId !== runId));

  // The lines of the log come first; all else of a long run is drawn after them.
  const shown = useDeferredValue(run ?? null);
  const name = shownName(flowName ?? flowId ?? "Run");
  const state = shown?.state ?? null;
  const firstError = useFirstError(useRunReader().log(runId), run?.state ?? null);
  // An address that does not change leads nowhere: then the line is asked for once more.
  const ask = (next: LineAddress | undefined) => {
    if (String(next) === String(search.line)) setAsked((count) => count + 1);
  };
  const described = describeState(runStates, state);
  const title = titleOf(name, state, isKillRequested, isNotFound(read.error));
  const { queryKey } = runQueries.run(api, runId);
  const menu = (
    <LazyPart fallback={isPhone ? <CopyLink /> : null}>
      <RunMenu
        runId={runId}
        flowId={flowId}
        isWhole={isPhone}
        isMoving={state !== null && !described.terminal}
        {...(runCan(state, "kill") && { onKill: () => setAsking(true) })}
        onRaw={() => setRaw(true)}
      />
    </LazyPart>
  );

  return (
    <Page
      title={title}
      parents={[{ key: "runs", link: <Link to="/runs">Runs</Link> }]}
      heading={name}
      live={<LiveStatus queryKey={queryKey} />}
      actions={isPhone && shown ? menu : <CopyLink />}
    >
      {read.isError && !run ? (
        isNotFound(read.error) ? (
          <RunNotFound runId={runId} error={read.error} />
        ) : (
          <Failure
            error={read.error}
            what="The run"
            onRetry={() => void read.refetch()}
            isRetrying={read.isRetrying}
            actions={
              <Link to="/runs" className={buttonClass("plain", "small")}>
                All runs
              </Link>
            }
          />
        )
      ) : (
        <>
          {shown ? (
            <RunHeader
              runId={runId}
              name={name}
              state={state}
              createdTs={shown.created_ts ?? null}
              finishedTs={shown.finished_ts ?? null}
              by={shown.user_id ? <Person id={shown.user_id} of={more?.creator} copies /> : null}
              isKillRequested={isKillRequested}
              canKill={runCan(state, "kill")}
              onKill={() => setAsking(true)}
              flowId={flowId ?? undefined}
              usual={usual && usualWords(usual)}
              hasActs={!isPhone}
              menu={menu}
            />
          ) : (
            <RunHeaderSkeleton />
          )}
          <Stale query={read} />
          <Damage damage={read.data?.damage ?? []} />
          <RunFailure
            runId={runId}
            state={state}
            error={more?.error || null}
            firstError={firstError}
            onAsk={ask}
          />
          <RunBody
            key={runId}
            runId={runId}
            facts={facts}
            run={run ?? null}
            shown={shown}
            search={search}
            asked={asked}
            firstError={firstError}
            onAsk={ask}
            onSearch={(part) =>
              void navigate({ search: (old) => readRunSearch({ ...old, ...part }), replace: true })
            }
          />
        </>
      )}
      {isRaw && (
        <LazyPart>
          <RawAnswer runId={runId} onClose={() => setRaw(false)} />
        </LazyPart>
      )}
      {isAsking && !described.terminal && (
        <LazyPart>
          <KillDialog
            runId={runId}
            name={name}
            subRuns={
              more?.sub_runs
                ? more.sub_runs
                    .filter((one) => isMoving(one.state))
                    .map((one) => one.saved_item_name ?? one.saved_item_id ?? one.run_id ?? "without an id")
                : null
            }
            onClose={() => setAsking(false)}
          />
        </LazyPart>
      )}
    </Page>
  );
}

function titleOf(name: string, state: string | null, isKillRequested: boolean, isMissing: boolean): string {
  if (isMissing) return "No such run";
  if (state === null) return name;
  const { word, terminal } = describeState(runStates, state);
  return `${isKillRequested && !terminal ? "stopping" : word} · ${name}`;
}
