import { z } from "zod";
import { NodeError, type NodeSteps } from "./node.ts";

const maxSeconds = 7 * 24 * 3_600;

/** Seconds of its own that a node gives what it has started (`limitSeconds` of `spawn`); up to seven days, none where it is missing. */
export const childLimitField = { timeout_s: z.number().positive().max(maxSeconds).optional() };

/**
 * For a child that has not ended. The run fails by it, and what it had started ends with it.
 * @throws NodeError when its time is over
 */
export function checkLimit(steps: NodeSteps, seconds: number | undefined): void {
  if (steps.get("limit")?.state === "done") throw new NodeError(`it took longer than ${seconds ?? 0} s`);
}
