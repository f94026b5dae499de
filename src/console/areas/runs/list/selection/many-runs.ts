import type { MutationOptions, QueryClient } from "@tanstack/react-query";
import { describeState, runStates } from "../../../../../contract/states.ts";
import { describeError, errorText, isSurelyNot } from "../../../../api/describe-error.ts";
import type { Store } from "../../../../api/store.ts";
import type { Api } from "../../../../lib/api.tsx";
import { BulkAction, type Step } from "../../../../lib/bulk/bulk.ts";
import { counted } from "../../../../lib/words.ts";
import type { Tone } from "../../../../ui/State.tsx";
import { downloadRunFiles, type RunStart, runMutations } from "../../mutations.ts";
import { runQueries } from "../../queries.ts";
import { firstInputs, type RunRow, runName } from "../../run-row.ts";
import type { RunRead } from "../../worker/run-reader-client.ts";

/** A run to act on, what it is called, and what tells it from others of that name; null: only its id does. */
export interface NamedRun {
  readonly runId: string;
  readonly name: string;
  readonly about: string | null;
}

/** A run to start once more, with what it was given. Its `key` makes every try the same start. */
export interface RunAgain extends NamedRun {
  readonly start: RunStart & { readonly key: string };
}

/** One action on several runs: what is done, to which, and how far each is. By the id of the run that was selected. */
export type RunsAction = { readonly runs: readonly NamedRun[] } & (
  | { readonly kind: "kill"; readonly many: BulkAction<{ readonly ended: boolean }> }
  | { readonly kind: "again"; readonly many: BulkAction<{ readonly runId: string }> }
  /** `files`: how many were in the zip; null where the service does not say which files a run wrote. */
  | { readonly kind: "download"; readonly many: BulkAction<{ readonly files: number | null }> }
);

const ids = (runs: readonly NamedRun[]) => runs.map(({ runId }) => runId);

/** Sends one mutation without a component around it, so that it comes to its end when its page is left. */
const send = <T, V>(queries: QueryClient, options: MutationOptions<T, Error, V>, variables: V): Promise<T> =>
  queries.getMutationCache().build(queries, options).execute(variables);

/** The actions on several runs. Nothing is sent before `many.start()`. */
export const manyRuns = {
  /** Asks to end each with all its sub-runs (§4.5). `ended` is false where it had ended already. */
  kill: (api: Api, queries: QueryClient, runs: readonly NamedRun[]): RunsAction => ({
    kind: "kill",
    runs,
    many: new BulkAction(ids(runs), (runId) => send(queries, runMutations.kill(api), runId)),
  }),

  /** Starts each once more (§4.3), as a run of its own. */
  again: (api: Api, queries: QueryClient, runs: readonly RunAgain[]): RunsAction => {
    const starts = new Map(runs.map(({ runId, start }) => [runId, start]));
    return {
      kind: "again",
      runs,
      many: new BulkAction<{ readonly runId: string }>(ids(runs), async (runId) => {
        const start = starts.get(runId);
        if (!start) throw new Error(`Run ${runId} is unknown`);
        return send(queries, runMutations.start(api), start);
      }),
    };
  },

  /**
   * Downloads the files of each as one zip, since §4.6 takes one run (own, `can("run_files")`).
   * @param save hands the bytes to the browser; the name says which run it is of, and ends in its id, so that no two are the same
   */
  download: (
    api: Api,
    queries: QueryClient,
    runs: readonly NamedRun[],
    save: (zip: Blob, name: string) => void,
  ): RunsAction => ({
    kind: "download",
    runs,
    many: new BulkAction(ids(runs), async (runId) => {
      const names = await filesOf(api, queries, runId);
      if (names === null || names.length === 0) return { files: names && 0 };
      save(
        await downloadRunFiles(api, runId, names),
        zipName(
          runs.find((run) => run.runId === runId),
          runId,
        ),
      );
      return { files: names.length };
    }),
  }),
};

/** "Say-hello-Aurora-run_12.zip": by the flow and the first inputs one tells several zips apart in a folder. */
const zipName = (run: NamedRun | undefined, runId: string): string =>
  `${[run?.name, run?.about?.slice(0, 40), runId]
    .join(" ")
    .trim()
    .replaceAll(/[^\p{L}\p{N}_.]+/gu, "-")}.zip`;

/** The names of the files that a run wrote; null where the service does not say. */
async function filesOf(api: Api, queries: QueryClient, runId: string): Promise<readonly string[] | null> {
  const options = runQueries.run(api, runId);
  const known = queries.getQueryData<RunRead>(options.queryKey);
  const { data } = known?.settled ? known : await queries.fetchQuery(options);
  return data.files?.flatMap((file) => (file?.name ? [file.name] : [])) ?? null;
}

/**
 * Whether one that failed may be sent again. A start that nothing came back for may have started: it is sent again only
 * where the service knows it by its key (own, `can("idempotency_keys")`).
 */
export function mayTryAgain(api: Api, { kind }: Pick<RunsAction, "kind">, error: unknown): boolean {
  return kind !== "again" || isSurelyNot(error) || api.capabilities.can("idempotency_keys");
}

/** `1 run`, `4 runs`. */
export const countRuns = (n: number): string => counted(n, "run");

/** What a row is called where an action names it: its flow, and what tells it from the flow's other runs. */
export const namedRun = (run: RunRow): NamedRun => ({
  runId: run.runId,
  name: runName(run),
  about: firstInputs(run.inputs, 2) || null,
});

/** What is selected: `2 failed runs selected`, and whether one error stopped them all. */
export function selectedWords(selected: readonly RunRow[], gone: number): { count: string; remark: string } {
  const [first] = selected;
  const left = gone === 0 ? "" : `${countRuns(gone)} no longer listed`;
  if (!first) return { count: "Nothing selected", remark: left };
  const isAlike = selected.every((run) => run.state === first.state);
  const { word, known } = describeState(runStates, first.state);
  const state = isAlike && known ? `${word} ` : "";
  const isOneError = selected.length > 1 && selected.every((run) => run.error && run.error === first.error);
  const runs = selected.length === 1 ? "run" : "runs";
  return {
    count: `${selected.length} ${state}${runs} selected`,
    remark: [isOneError && "same error", left].filter(Boolean).join(" · "),
  };
}

/** The action as a title. */
export function actionTitle({ kind, runs }: RunsAction): string {
  if (kind === "kill") return `Stop ${countRuns(runs.length)}`;
  return kind === "again" ? `Run ${runs.length} again` : `Download files of ${countRuns(runs.length)}`;
}

type AnyStep = Step<{ ended: boolean } | { runId: string } | { files: number | null }>;

/** How far each run of an action is, in the order of its runs. */
export const stepsOf = (action: RunsAction): Pick<Store<ReadonlyMap<string, AnyStep>>, "get" | "subscribe"> =>
  action.many.steps;

/**
 * How far an action is, in one sentence without a stop.
 * @param ends in which state runs ended, as far as the lists know it
 */
export function actionWords(
  { kind, runs }: RunsAction,
  steps: ReadonlyMap<string, AnyStep>,
  ends: ReadonlyMap<string, string>,
): string {
  const all = [...steps.values()];
  const stops = runs.filter(({ runId }) => {
    const one = steps.get(runId);
    return one && wasStopped(one);
  });
  const isOver = stops.length > 0 && stops.every(({ runId }) => ends.has(runId));
  // One that came to its own end before the request reached it was not stopped.
  const ended = isOver ? stops.filter(({ runId }) => ends.get(runId) !== "TERMINATED").length : 0;
  const at = (step: AnyStep["step"]) => all.filter((one) => one.step === step).length;
  const idle = all.filter((one) => one.step === "done" && isIdle(one.result)).length;
  const did = { kill: isOver ? "stopped" : "asked to stop", again: "started", download: "saved" }[kind];
  const parts = [
    `${at("done") - idle - ended} of ${runs.length} ${did}`,
    idle > 0 && `${idle} ${kind === "kill" ? "had already ended" : "without files"}`,
    ended > 0 && `${ended} ended before`,
    at("failed") > 0 && `${at("failed")} failed`,
    at("held") > 0 && `${at("held")} not started`,
    at("sending") + at("waiting") > 0 && `${at("sending") + at("waiting")} to go`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Nothing had to be done: it had ended, or there are no files. */
const isIdle = (result: Extract<AnyStep, { step: "done" }>["result"]): boolean =>
  ("ended" in result && !result.ended) || ("files" in result && !result.files);

/** It was moving, and was asked to end. */
export const wasStopped = (one: AnyStep): boolean =>
  one.step === "done" && "ended" in one.result && one.result.ended;

/** The shape beside one run of an action. */
export function stepTone(one: AnyStep): Tone {
  switch (one.step) {
    case "waiting":
      return "waiting";
    case "held":
      return "stopped";
    case "sending":
      return "running";
    case "failed":
      return "failed";
    case "done":
      return isIdle(one.result) ? "waiting" : "ended" in one.result ? "stopping" : "done";
  }
}

/**
 * What became of one run of an action, in whole sentences.
 * @param isSafe trying again starts it once at most
 */
export function stepWords(kind: RunsAction["kind"], one: AnyStep, isSafe: boolean): string {
  switch (one.step) {
    case "waiting":
      return "Queued";
    case "held":
      return "Not started: skipped";
    case "sending":
      return "In progress";
    case "done":
      return doneWords(one.result);
    case "failed": {
      if (kind !== "again" || isSurelyNot(one.error)) return errorText(one.error);
      const { what } = describeError(one.error);
      return isSafe
        ? `${what} It may have started. You can safely try again.`
        : `${what} It may have started. Check the list before you start it again.`;
    }
  }
}

function doneWords(result: Extract<AnyStep, { step: "done" }>["result"]): string {
  if ("ended" in result) {
    return result.ended
      ? "Stop requested: the list updates once the service confirms"
      : "It had already ended; nothing changed";
  }
  if ("runId" in result) return "Started";
  if (result.files === null) return "This service does not list its files";
  if (result.files === 0) return "No files";
  return result.files === 1 ? "1 file, saved as a zip" : `${result.files} files, saved as a zip`;
}
