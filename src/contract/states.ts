/**
 * The state machines of §3 as data: every known state, how it is shown, whether it is an end, and what may be done in
 * it. Buttons, polling and charts read the same tables.
 */

/** What a state means to a person. How it is drawn follows from it: a shape, so that colour is never alone, and a colour. */
export type Tone = "running" | "done" | "failed" | "stopped" | "stopping" | "waiting" | "unknown";

/** One state of a machine. `word` is for lists, `title` for headers and filters. */
export interface State<A extends string = string> {
  readonly tone: Tone;
  readonly word: string;
  readonly title: string;
  /** Nothing moves any more unless somebody acts. */
  readonly terminal: boolean;
  readonly actions: readonly A[];
}

/** All known states of one kind of thing, by their value on the wire. */
export type Machine<A extends string = string> = Readonly<Record<string, State<A>>>;

/** One state: its title is its word, unless another is given. */
/* @__NO_SIDE_EFFECTS__ */
export function state<const A extends string = never>(
  tone: Tone,
  word: string,
  terminal: boolean,
  actions: readonly A[] = [],
  title = word.charAt(0).toUpperCase() + word.slice(1),
): State<A> {
  return { tone, word, title, terminal, actions };
}

/** §3.2. QUEUED and TERMINATING are public: other services may send them, ours does not. */
export const runStates = {
  QUEUED: state("waiting", "queued", false, ["kill"]),
  STARTED: state("waiting", "waiting", false, ["kill"], "Not started"),
  RUNNING: state("running", "running", false, ["kill"]),
  TERMINATING: state("stopping", "stopping", false),
  TERMINATED: state("stopped", "stopped", true, ["download", "repeat"]),
  FAILED: state("failed", "failed", true, ["download", "repeat"]),
  DONE: state("done", "done", true, ["download", "repeat"]),
} as const satisfies Machine<"kill" | "download" | "repeat">;

/** As lists show runs: `ASKING`, none of the wire, is a running one whose question waits in the inbox. */
export const shownRunStates = {
  ...runStates,
  ASKING: state("waiting", "needs answer", false, ["kill"]),
} as const satisfies Machine<"kill" | "download" | "repeat">;

/** §3.1. */
export const interactionStates = {
  ASYNC_PROCESSING: state("running", "running", false),
  COMPLETED: state("done", "done", true),
  FAILED: state("failed", "failed", true),
} as const satisfies Machine;

/** Sessions (public): the same conversation, seen through `GET /sessions/{id}`. */
export const sessionStates = {
  idle: state("waiting", "idle", true),
  queued: state("waiting", "queued", false),
  processing: state("running", "running", false),
  approval_required: state("waiting", "waiting for approval", false),
  completed: state("done", "done", true),
  failed: state("failed", "failed", true),
  /** None of the wire: see `sessionStateOf`. */
  stopped: state("stopped", "stopped", true),
} as const satisfies Machine;

/** What a machine says of a value, whether it is known or not. */
export interface Description extends State {
  readonly known: boolean;
}

/**
 * How to show and treat a state. Total: a value that the machine does not know, null or nothing is shown as it came,
 * counts as still moving, and allows no action.
 */
export function describeState(machine: Machine, raw: string | null | undefined): Description {
  const found = raw != null && Object.hasOwn(machine, raw) ? machine[raw] : undefined;
  if (found) return { ...found, known: true };
  const word = raw == null || raw === "" ? "unknown" : raw;
  return { tone: "unknown", word, title: word, terminal: false, actions: [], known: false };
}

/** Whether this is an end: nothing more to poll for. Unknown states are not. */
export function isTerminal(machine: Machine, raw: string | null | undefined): boolean {
  return describeState(machine, raw).terminal;
}
