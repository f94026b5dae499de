/**
 * The state machines of §3 as data: every known state, how it is shown, whether it is an end, and what may be done in
 * it. Buttons, guards of the service, polling and charts read the same tables.
 */

/** What a state means to a person. Shape and colour follow from it. */
export type Tone = "running" | "done" | "failed" | "stopped" | "stopping" | "waiting" | "unknown";

/** The shape beside the word, so that colour is never alone. */
export type Shape =
  | "turning-ring"
  | "check"
  | "cross"
  | "square"
  | "ringed-square"
  | "dotted-ring"
  | "diamond";

/** The role of the colour tokens: `state-running-fg`, `state-running-mark`, … */
export type ColourRole =
  | "state-running"
  | "state-done"
  | "state-failed"
  | "state-stopped"
  | "state-waiting"
  | "state-unknown";

/** How each tone is drawn. */
export const tones: Readonly<Record<Tone, { readonly shape: Shape; readonly role: ColourRole }>> = {
  running: { shape: "turning-ring", role: "state-running" },
  done: { shape: "check", role: "state-done" },
  failed: { shape: "cross", role: "state-failed" },
  stopped: { shape: "square", role: "state-stopped" },
  stopping: { shape: "ringed-square", role: "state-stopped" },
  waiting: { shape: "dotted-ring", role: "state-waiting" },
  unknown: { shape: "diamond", role: "state-unknown" },
};

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
  COMPLETED: state("done", "done", true, ["continue"]),
  FAILED: state("failed", "failed", true, ["continue"]),
} as const satisfies Machine<"continue">;

/** Sessions (public): the same conversation, seen through `GET /sessions/{id}`. */
export const sessionStates = {
  idle: state("waiting", "idle", true, ["continue"]),
  queued: state("waiting", "queued", false),
  processing: state("running", "running", false),
  approval_required: state("waiting", "waiting for approval", false),
  completed: state("done", "done", true, ["continue"]),
  failed: state("failed", "failed", true, ["continue"]),
  /** None of the wire: see `sessionStateOf`. */
  stopped: state("stopped", "stopped", true, ["continue"]),
} as const satisfies Machine<"continue">;

/** The state to show for a session: one whose last turn somebody stopped is `failed` on the wire, and says so beside it. */
export function sessionStateOf(
  session:
    | { readonly state?: string | null | undefined; readonly stopped?: boolean | null | undefined }
    | null
    | undefined,
): string | null {
  return session?.stopped && session.state === "failed" ? "stopped" : (session?.state ?? null);
}

/** What a machine says of a value, whether it is known or not. */
export interface Description extends State {
  readonly shape: Shape;
  readonly role: ColourRole;
  readonly known: boolean;
}

/**
 * How to show and treat a state. Total: a value that the machine does not know, null or nothing is shown as it came,
 * counts as still moving, and allows no action.
 */
export function describeState(machine: Machine, raw: string | null | undefined): Description {
  const found = raw != null && Object.hasOwn(machine, raw) ? machine[raw] : undefined;
  const { shape, role } = tones[found?.tone ?? "unknown"];
  if (found) return { ...found, shape, role, known: true };
  const word = raw == null || raw === "" ? "unknown" : raw;
  return { tone: "unknown", word, title: word, terminal: false, actions: [], shape, role, known: false };
}

type ActionsOf<M> = M extends Machine<infer A> ? A : never;

/** The question whether a state of this machine allows an action. */
export function can<M extends Machine>(machine: M) {
  return (raw: string | null | undefined, action: ActionsOf<M>): boolean =>
    describeState(machine, raw).actions.includes(action);
}

/** Whether a run in this state may be killed, its files downloaded, or be repeated. */
export const runCan = can(shownRunStates);
/** Whether a conversation in this state takes another message. */
export const interactionCan = can(interactionStates);

/** Whether this is an end: nothing more to poll for. Unknown states are not. */
export function isTerminal(machine: Machine, raw: string | null | undefined): boolean {
  return describeState(machine, raw).terminal;
}
