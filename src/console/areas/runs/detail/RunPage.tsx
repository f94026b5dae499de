import { Link, useNavigate } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useState } from "react";
import { runCan } from "../../../../contract/state-actions.ts";
import { describeState, runStates } from "../../../../contract/states.ts";
import { isNotFound } from "../../../api/errors.ts";
import { plainText } from "../../../lib/ansi.ts";
import { useApi } from "../../../lib/api.tsx";
import { Damage } from "../../../lib/failure/Damage.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { Stale } from "../../../lib/failure/Stale.tsx";
import { useKeep } from "../../../lib/keep/useKeep.ts";
import { CopyLink } from "../../../lib/page/CopyLink.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { Page } from "../../../lib/page/Page.tsx";
import { isMoving } from "../../../lib/run-state.ts";
import { shownName } from "../../../lib/shownName.ts";
import { phone, useMedia } from "../../../lib/useMedia.ts";
import { grouped } from "../../../lib/words.ts";
import { Notice } from "../../../ui/Notice.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { Person } from "../../directory/index.ts";
import { useKillRequested } from "../kill.ts";
import { readLine } from "../log/line.ts";
import { useFirstError, useRunReader } from "../log/useRunLog.ts";
import { runMutations } from "../mutations.ts";
import { runQueries } from "../queries.ts";
import { useRunsOfFlow, usualTime, usualWords } from "../runs-of-flow.ts";
import { type LineAddress, type RunSearch, readRunSearch } from "../search.ts";
import { KillDialog } from "./KillDialog.tsx";
import { RawAnswer } from "./RawAnswer.tsx";
import { RunAsks } from "./RunAsks.tsx";
import { RunBody } from "./RunBody.tsx";
import { RunHeader, RunHeaderSkeleton, RunMenu } from "./RunHeader.tsx";
import { RunNotFound } from "./RunNotFound.tsx";
import { RunPair } from "./RunPair.tsx";
import { useMayRunAgain, useMissingOfRun } from "./useMayRunAgain.ts";
import { useRun } from "./useRun.ts";

type Props = { runId: string; search: RunSearch };

/** One run: what it is doing, its log, what went in and what came out. */
export function RunPage({ runId, search }: Props) {
  const api = useApi();
  const navigate = useNavigate({ from: "/runs/$runId/" });
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
  const onSearch = useCallback(
    (part: Partial<RunSearch>) =>
      void navigate({ search: (old) => readRunSearch({ ...old, ...part }), replace: true }),
    [navigate],
  );
  const described = describeState(runStates, state);
  const title = titleOf(name, state, isKillRequested, isNotFound(read.error));
  const { queryKey } = runQueries.run(api, runId);
  const mayGoAgain = useMayRunAgain(runId);
  const missing = useMissingOfRun(runId);
  const ofService = useKeep({ id: runId, noun: "run", kept: more?.kept, mutation: runMutations.keep(api) });
  const keep = missing === undefined ? ofService : null;
  const menu = (
    <RunMenu
      runId={runId}
      flowId={flowId}
      isWhole={isPhone}
      isMoving={state !== null && !described.terminal}
      mayGoAgain={mayGoAgain}
      missing={missing}
      {...(runCan(state, "kill") && missing === undefined && { onKill: () => setAsking(true) })}
      keep={keep}
      onRaw={() => setRaw(true)}
    />
  );

  return (
    <Page
      title={title}
      parents={[{ key: "runs", link: <Link to="/runs">Runs</Link> }]}
      heading={name}
      live={queryKey}
      actions={isPhone && shown ? menu : <CopyLink />}
    >
      {read.isError && !run ? (
        isNotFound(read.error) ? (
          <RunNotFound runId={runId} error={read.error} />
        ) : (
          <ReadFailure
            query={read}
            what="The run"
            actions={
              <LinkButton to="/runs" size="small">
                All runs
              </LinkButton>
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
              missing={missing}
              onKill={() => setAsking(true)}
              flowId={flowId ?? undefined}
              mayGoAgain={mayGoAgain}
              usual={usual && usualWords(usual)}
              keep={keep}
              hasActions={!isPhone}
              menu={menu}
              placesBefore={more?.places_before ?? null}
            />
          ) : (
            <RunHeaderSkeleton />
          )}
          <Stale query={read} />
          <Damage damage={read.data?.damage ?? []} />
          <RunPair runId={runId} of={more?.again_of} by={more?.again_by} />
          <RunAsks runId={runId} approvals={more?.approvals} />
          <RunFailure
            runId={runId}
            state={state}
            error={more?.error || null}
            firstError={firstError}
            mayGoAgain={mayGoAgain}
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
            onSearch={onSearch}
          />
        </>
      )}
      {isRaw && <RawAnswer runId={runId} onClose={() => setRaw(false)} />}
      {isAsking && !described.terminal && (
        <KillDialog
          runId={runId}
          name={name}
          subRuns={
            more?.sub_runs
              ? more.sub_runs
                  .filter((one) => isMoving(one.state))
                  .map((one) => one.saved_item_name ?? one.saved_item_id ?? one.run_id ?? "without an ID")
              : null
          }
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
}

function titleOf(name: string, state: string | null, isKillRequested: boolean, isMissing: boolean): string {
  if (isMissing) return "Run not found";
  if (state === null) return name;
  const { word, terminal } = describeState(runStates, state);
  return `${isKillRequested && !terminal ? "stopping" : word} · ${name}`;
}

type RunFailureProps = {
  runId: string;
  state: string | null;
  /** In the service's words; null where it gives none. */
  error: string | null;
  /** The first line of an error in its log, 1-based. */
  firstError: number | undefined;
  /** It can be run again from where it failed. */
  mayGoAgain: boolean;
  /** The line is asked for, also where the address has it already. */
  onAsk: (line: number) => void;
};

const shown = 300;

/** Why a run failed, and the way to the line that says so first. Without a word of the service the line itself tells. */
function RunFailure({ runId, state, error, firstError, mayGoAgain, onAsk }: RunFailureProps) {
  const log = useRunReader().log(runId);
  const read = () => {
    const { node, text } = readLine(log.getLines((firstError ?? 1) - 1, 1)[0] ?? "");
    return `${node === null ? "" : `${node}: `}${plainText(text.slice(0, shown))}`;
  };
  if (error === null && firstError === undefined) return null;
  return (
    <Notice
      kind="failed"
      title={state === "TERMINATED" ? "Run stopped" : "Run failed"}
      action={
        <span className="flex flex-wrap gap-x-4 gap-y-1 sm:justify-end">
          {firstError !== undefined && (
            <Link
              to="/runs/$runId"
              params={{ runId }}
              search={(old) => ({ ...readRunSearch(old), tab: undefined, line: firstError })}
              replace
              onClick={() => onAsk(firstError)}
              className={linkClass}
            >
              First error: line {grouped(firstError)}
            </Link>
          )}
          {mayGoAgain && (
            <Link to="/runs/$runId/again" params={{ runId }} className={linkClass}>
              Run again from here
            </Link>
          )}
        </span>
      }
    >
      <span className="break-words text-mono">{error ?? read()}</span>
    </Notice>
  );
}
