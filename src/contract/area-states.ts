// The machines of what is not followed as it moves, apart from `states.ts`, which every page needs first.

import { can } from "./state-actions.ts";
import { type Machine, state } from "./states.ts";

/** A tool call inside a message. */
export const toolCallStates = {
  running: state("running", "running", false),
  approval_required: state("waiting", "waiting for approval", false),
  completed: state("done", "done", true),
  failed: state("failed", "failed", true),
} as const satisfies Machine;

/** §3.3. */
export const sourceStates = {
  draft: state("waiting", "draft", true),
  active: state("done", "active", true),
  paused: state("stopped", "paused", true),
} as const satisfies Machine;

/** §3.5; `blocked` is public. */
export const connectionStates = {
  connected: state("done", "connected", true, ["list-tools"]),
  unauthenticated: state("waiting", "not connected", true),
  blocked: state("failed", "blocked", true),
} as const satisfies Machine<"list-tools">;

/** Grades of an evaluated session (§2.7). */
export const gradeStates = {
  pass: state("done", "pass", true),
  needs_review: state("stopped", "needs review", true),
  needs_attention: state("failed", "needs attention", true),
} as const satisfies Machine;

/** One criterion's result; `unknown` counts in no grade. */
export const criterionStates = {
  success: state("done", "met", true),
  failure: state("failed", "not met", true),
  unknown: state("waiting", "not judged", true),
} as const satisfies Machine;

/** What an agent asked people (`inbox-states.ts`). */
export const inboxStates = {
  waiting: state("waiting", "waiting", false, [], "Waiting for approval"),
  approved: state("done", "approved", true),
  refused: state("stopped", "refused", true),
  lapsed: state("failed", "lapsed", true),
  withdrawn: state("stopped", "withdrawn", true),
  tool_changed: state("stopped", "tool changed", true),
} as const satisfies Machine;

/** Whether a server in this connection state can be asked for its tools. */
export const connectionCan = can(connectionStates);
