import { expect } from "@playwright/test";
import type { Service } from "./service.ts";

/** What the tests read of a run (§2.2). */
export interface Run {
  readonly run_id: string;
  readonly state: string;
  readonly log: readonly string[];
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly finished_ts: string | null;
}

/** Starts a flow as Ada. @returns the run's id */
export async function startRun(service: Service, flow: string, body: object = {}): Promise<string> {
  const answer = await service.request(
    "POST",
    `/start_pipeline?user_id=user_ada&saved_item_id=${flow}`,
    body,
  );
  expect(answer.status, await answer.clone().text()).toBe(200);
  const started: { run_id: string } = await answer.json();
  return started.run_id;
}

export async function readRun(service: Service, id: string): Promise<Run> {
  const answer = await service.request("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`);
  expect(answer.status, await answer.clone().text()).toBe(200);
  return answer.json();
}

/** @returns all runs, sub-runs with them; at most a hundred */
export async function listRuns(
  service: Service,
): Promise<{ run_id: string; state: string; log_lines: number }[]> {
  const answer = await service.request("GET", "/runs?page_size=100");
  expect(answer.status, await answer.clone().text()).toBe(200);
  const { runs }: { runs: { run_id: string; state: string; log_lines: number }[] } = await answer.json();
  return runs;
}

const finishedNode = /^\S+ \[([^\]]+)\] finished\b/;

/** The nodes whose end is in the log, in its order: a node that was done twice is there twice. */
export function finishedNodes(run: Run): string[] {
  return run.log.flatMap((line) => finishedNode.exec(line)?.[1] ?? []);
}

export const hasEnded = (run: Pick<Run, "state">) => ["DONE", "FAILED", "TERMINATED"].includes(run.state);

/** Resolves with the run as soon as it is in a final state. */
export async function runEnds(service: Service, id: string, seconds = 90): Promise<Run> {
  let run = await readRun(service, id);
  await expect
    .poll(
      async () => {
        run = await readRun(service, id);
        return hasEnded(run);
      },
      { timeout: seconds * 1000, intervals: [50, 100, 250], message: `run ${id} ends` },
    )
    .toBe(true);
  return run;
}
