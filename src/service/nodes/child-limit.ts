import { z } from "zod";
import { NodeError, type NodeSteps } from "./node.ts";

const maxSeconds = 7 * 24 * 3_600;

/** Seconds that a node gives what it has started; up to seven days, none where it is missing. */
export const childLimitField = { timeout_s: z.number().positive().max(maxSeconds).optional() };

/** Begins to count, once: the time goes on over restarts. Call it before the child is started. */
export async function limitChild(steps: NodeSteps, seconds: number | undefined): Promise<void> {
  if (seconds === undefined) return;
  await steps.wait("limit", seconds * 1_000);
}

/**
 * For a child that has not ended. The run fails by it, and what it had started ends with it.
 * @throws NodeError when its time is over
 */
export function checkLimit(steps: NodeSteps, seconds: number | undefined): void {
  if (steps.get("limit")?.state === "done") throw new NodeError(`it took longer than ${seconds ?? 0} s`);
}
