import type { MutationOptions, QueryClient } from "@tanstack/react-query";
import { Store } from "../../../../api/store.ts";
import type { Api } from "../../../../lib/api/api.ts";
import { Many } from "../../../../lib/many/many.ts";
import { downloadRunFiles, isSurelyNot, type RunStart, runMutations } from "../../mutations.ts";
import { runQueries } from "../../queries.ts";
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
  | { readonly kind: "kill"; readonly many: Many<{ readonly ended: boolean }> }
  | { readonly kind: "again"; readonly many: Many<{ readonly runId: string }> }
  /** `files`: how many were in the zip; null where the service does not say which files a run wrote. */
  | { readonly kind: "download"; readonly many: Many<{ readonly files: number | null }> }
);

/** What is being done to several runs, until its results are closed (`api.keep`): it outlives its page. */
export const runsActionOf = () => new Store<RunsAction | null>(null);

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
    many: new Many(ids(runs), (runId) => send(queries, runMutations.kill(api), runId)),
  }),

  /** Starts each once more (§4.3), as a run of its own. */
  again: (api: Api, queries: QueryClient, runs: readonly RunAgain[]): RunsAction => {
    const starts = new Map(runs.map(({ runId, start }) => [runId, start]));
    return {
      kind: "again",
      runs,
      many: new Many<{ readonly runId: string }>(ids(runs), async (runId) => {
        const start = starts.get(runId);
        if (!start) throw new Error(`Nothing is known of run ${runId}`);
        return send(queries, runMutations.start(api), start);
      }),
    };
  },

  /**
   * Downloads the files of each as one zip, since §4.6 takes one run (own, `can("run_files")`).
   * @param save hands the bytes to the browser; the name is the run's id, so that no two are the same
   */
  download: (
    api: Api,
    queries: QueryClient,
    runs: readonly NamedRun[],
    save: (zip: Blob, name: string) => void,
  ): RunsAction => ({
    kind: "download",
    runs,
    many: new Many(ids(runs), async (runId) => {
      const names = await filesOf(api, queries, runId);
      if (names === null || names.length === 0) return { files: names && 0 };
      save(await downloadRunFiles(api, runId, names), `${runId}.zip`);
      return { files: names.length };
    }),
  }),
};

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
