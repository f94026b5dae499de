import type { KeyValue } from "./key-value.ts";
import { type KnownRun, type Provenance, parseKnownRun } from "./known-run.ts";
import { Registry, type SeenFacts } from "./registry.ts";

/** What is known when a start call is about to be sent. */
export type RunToStart = Pick<KnownRun, "savedItemId" | "savedItemName" | "projectId" | "inputs">;

/**
 * The runs that this browser knows for one identity: started here, opened by address, added by id. A start is written
 * down before it is sent, so that no reload or crash loses a run. Never "all runs": only the service can say that.
 */
export class History extends Registry<KnownRun> {
  /** Newest first. */
  readonly runs = this.list;

  constructor(store: KeyValue, identity: string, now: () => number = Date.now) {
    super(store, `run ${identity} `, parseKnownRun, now, "runId");
  }

  /**
   * Writes down a run before its start call goes out. Its `id` is the call's idempotency key.
   * @param id of an earlier try of the same start, which this one takes the place of
   */
  readonly begin = async (run: RunToStart, id?: string): Promise<KnownRun> => {
    const record: KnownRun = { ...this.#blank("started-here", id), ...run, start: "sending" };
    await this.take([record]);
    return record;
  };

  /** The service has started it. */
  readonly started = (id: string, runId: string): Promise<void> =>
    this.change(id, { runId, start: "started" });

  /** Notes a run that was met elsewhere, and what a read said of it. Creates the record where it is new. */
  readonly saw = (
    runId: string,
    facts: Pick<SeenFacts<KnownRun>, "savedItemId" | "savedItemName" | "projectId" | "last">,
    provenance: Provenance = "opened",
  ): Promise<void> => this.see(facts, this.#known(runId, provenance));

  /** The person begins or ends watching a run by hand. */
  readonly watch = (runId: string, watched: boolean): Promise<void> =>
    this.put(this.#known(runId, "opened"), { watched });

  #known(runId: string, provenance: Provenance): KnownRun {
    return this.runs.get().find((run) => run.runId === runId) ?? { ...this.#blank(provenance, runId), runId };
  }

  #blank(provenance: Provenance, id?: string): KnownRun {
    return {
      ...this.blank(id),
      provenance,
      runId: null,
      savedItemId: null,
      savedItemName: null,
      inputs: null,
    };
  }
}
