import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { describeState, runStates } from "../../../../contract/states.ts";
import { AdminItems } from "../../../lib/admin-links/AdminLinks.tsx";
import { useApi } from "../../../lib/api.tsx";
import { curlCopied, curlOf } from "../../../lib/curl.ts";
import { KeepItem, KeptMark } from "../../../lib/keep/Keep.tsx";
import type { Keep } from "../../../lib/keep/useKeep.ts";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { useFocusKept } from "../../../lib/page/useFocusKept.ts";
import { isMoving } from "../../../lib/run-state.ts";
import { ClockTime } from "../../../lib/time/ClockTime.tsx";
import { useDuration } from "../../../lib/time/Duration.tsx";
import { formatDuration } from "../../../lib/time/format.ts";
import { useRunWatch } from "../../../lib/watch/useWatch.ts";
import { placeWords } from "../../../lib/workers/place-words.ts";
import { Button } from "../../../ui/Button.tsx";
import { useCopy } from "../../../ui/CopyButton.tsx";
import { cx } from "../../../ui/cx.ts";
import { Id } from "../../../ui/Id.tsx";
import { MenuItem, MenuLabel, MoreMenu } from "../../../ui/Menu.tsx";
import { waitingLines, waitingReason } from "../log/line.ts";
import { waitingNodes } from "../log/timeline.ts";
import { useLogValue, useRunReader } from "../log/useRunLog.ts";
import { RunStatePill } from "../RunStatePill.tsx";
import { requestOfRun } from "./RawAnswer.tsx";

type Props = {
  runId: string;
  name: string;
  /** Null until it was read. */
  state: string | null;
  createdTs: string | null;
  finishedTs: string | null;
  /** Who started it; null where that is not known. */
  by: ReactNode;
  isKillRequested: boolean;
  canKill: boolean;
  onKill: () => void;
  /** The role that the person lacks to stop it or to run it again. */
  missing: string | undefined;
  /** The flow to start again; undefined where it is not known. */
  flowId: string | undefined;
  /** It can be run again from a step. */
  mayGoAgain: boolean;
  /** How long the flow usually takes, in words; null where that is not known. */
  usual: string | null;
  /** Null where it cannot be kept. */
  keep: Keep | null;
  /** On phones the acts stand behind "…" in the bar. */
  hasActions: boolean;
  /** The acts that have no button of their own. */
  menu: ReactNode;
  /** How many get a free place before it, where it waits for one. */
  placesBefore: number | null;
};

/** What the run is and how it goes, over everything else of it. */
export function RunHeader(props: Props) {
  const { runId, name, state, createdTs, finishedTs, by, isKillRequested, flowId } = props;
  const moves = state !== null && isMoving(state);
  const length = useDuration(createdTs, finishedTs, moves);
  // A run that ends takes the button that stops it away.
  useFocusKept(state);
  return (
    <header className="flex shrink-0 flex-wrap items-start gap-x-6 gap-y-3 border-b py-3.5 pr-edge-right pl-edge-left">
      <div className="min-w-0 flex-1 basis-80">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 className="min-w-0 break-words text-title">{name}</h2>
          {state !== null && (
            <span className="flex items-center gap-3">
              <RunStatePill state={state} isKillRequested={isKillRequested} />
              <KeptMark keep={props.keep} />
              {length !== null && (
                <span
                  className={cx(
                    "text-title font-medium tabular-nums",
                    moves ? "text-state-running-fg" : "text-muted",
                  )}
                >
                  {formatDuration(length, { fine: !moves && length < 10_000 })}
                </span>
              )}
            </span>
          )}
        </div>
        {/* Dots stand between facts: one at the start of a line is cut off with the margin that it stands in. */}
        <p className="mt-1 -ml-5 flex flex-wrap items-center text-muted text-secondary [clip-path:inset(-8px_-8px_-8px_20px)] [&>*+*]:before:inline-block [&>*+*]:before:w-5 [&>*+*]:before:text-center [&>*+*]:before:content-['·'] [&>:first-child]:ml-5">
          <Id id={runId} what="run ID" className="text-default" />
          {createdTs !== null && (
            <span>
              started <ClockTime at={createdTs} />
              {by !== null && <> by {by}</>}
            </span>
          )}
          {finishedTs !== null && (
            <span>
              ended <ClockTime at={finishedTs} />
            </span>
          )}
          {props.usual !== null && <span>{props.usual}</span>}
        </p>
        {state !== null && <WaitsFor runId={runId} state={state} placesBefore={props.placesBefore} />}
      </div>
      {props.hasActions && (
        <div className="flex items-center gap-2">
          <LinkButton to="/runs/compare" search={{ b: runId }}>
            Compare
          </LinkButton>
          {props.mayGoAgain && (
            <LinkButton to="/runs/$runId/again" params={{ runId }}>
              Run from a step
            </LinkButton>
          )}
          {flowId !== undefined && (
            <LinkButton to="/runs/new" search={{ flow: flowId, from: runId }}>
              Run again
            </LinkButton>
          )}
          {(props.canKill || (isKillRequested && moves)) && (
            <Button
              variant="danger"
              onClick={props.onKill}
              loading={isKillRequested}
              disabledReason={props.missing}
              reasonAs="title"
            >
              {isKillRequested ? "Stop requested…" : "Stop run"}
            </Button>
          )}
          {props.menu}
        </div>
      )}
    </header>
  );
}

/** The shape of the header while the run is read for the first time. */
export function RunHeaderSkeleton() {
  return (
    <div className="appear-late shrink-0 border-b py-3.5 pr-edge-right pl-edge-left" aria-hidden="true">
      <div className="my-2 h-3 w-72 max-w-full rounded-tag bg-surface-pressed" />
      <div className="mt-4 mb-1 h-2 w-48 rounded-tag bg-surface-pressed" />
    </div>
  );
}

type WaitsForProps = { runId: string; state: string; placesBefore: number | null };

/** Why a run has not begun yet or does not go on, or which of its nodes wait for a place, where its log says so. */
function WaitsFor({ runId, state, placesBefore }: WaitsForProps) {
  const log = useRunReader().log(runId);
  const waits = describeState(runStates, state).tone === "waiting";
  const moves = isMoving(state);
  const logged = useLogValue(log, ({ facts }) => {
    if (waits) return waitingReason(log.getLines(0, waitingLines));
    return moves ? waitingNodes(facts.timeline.spans) : null;
  });
  const reason = logged ?? (moves && placesBefore !== null ? placeWords(placesBefore) : null);
  if (reason === null) return null;
  return (
    <p role="status" className="mt-1 max-w-text text-secondary text-state-waiting-fg">
      {reason}
    </p>
  );
}

type RunMenuProps = {
  runId: string;
  flowId: string | null;
  /** Everything, on phones; else only what has no button of its own. */
  isWhole: boolean;
  /** It has not ended. */
  isMoving: boolean;
  /** It can be run again from a step. */
  mayGoAgain: boolean;
  /** The role that the person lacks to stop it, run it again or keep it. */
  missing: string | undefined;
  /** Given where the run can be killed. */
  onKill?: () => void;
  keep: Keep | null;
  onRaw: () => void;
};

/** The acts on a run where there is no room for buttons; what cannot be undone first, because it is what hurries. */
export function RunMenu({
  runId,
  flowId,
  isWhole,
  isMoving,
  mayGoAgain,
  missing,
  onKill,
  keep,
  onRaw,
}: RunMenuProps) {
  const api = useApi();
  const navigate = useNavigate();
  const copy = useCopy();
  const watch = useRunWatch(runId);
  const copyCurl = () => {
    const { method, url } = requestOfRun(api, runId);
    return copy(curlOf({ method, url }), curlCopied);
  };
  return (
    <MoreMenu label="More" variant={isWhole ? "quiet" : "plain"}>
      {isWhole && onKill && (
        <MenuItem isDanger onSelect={onKill}>
          Stop run
        </MenuItem>
      )}
      {isWhole && mayGoAgain && (
        <MenuItem onSelect={() => void navigate({ to: "/runs/$runId/again", params: { runId } })}>
          Run from a step
        </MenuItem>
      )}
      {isWhole && flowId !== null && (
        <MenuItem onSelect={() => void navigate({ to: "/runs/new", search: { flow: flowId, from: runId } })}>
          Run again
        </MenuItem>
      )}
      {isWhole && (
        <MenuItem onSelect={() => void navigate({ to: "/runs/compare", search: { b: runId } })}>
          Compare with a good run
        </MenuItem>
      )}
      {(isMoving || watch.isWatched) && (
        <MenuItem onSelect={watch.toggle}>{watch.isWatched ? "Stop watching" : "Watch this run"}</MenuItem>
      )}
      {keep && <KeepItem keep={keep} />}
      {missing !== undefined && <MenuLabel>Stop, keep, run from a step: {missing}</MenuLabel>}
      <AdminItems kind="run" id={runId} />
      <MenuItem onSelect={() => void copyCurl()}>Copy as curl</MenuItem>
      <MenuItem onSelect={onRaw}>Show raw response</MenuItem>
      {isWhole && (
        <MenuItem onSelect={() => void copy(location.href, { title: "Link copied" })}>
          Copy link to this view
        </MenuItem>
      )}
    </MoreMenu>
  );
}
