/** What moves by itself in the core-only service: runs and conversations, as a function of the time since their start. */

export interface StoredRun {
  id: string;
  flow: string;
  userId: string;
  body: Record<string, unknown>;
  startedAt: number;
  killedAt: number | null;
}

export interface StoredConversation {
  id: string;
  agentId: string;
  turns: { message: string; startedAt: number }[];
}

const stamp = (time: number) => new Date(time).toISOString().replace("Z", "+00:00");

/** How long a run of each flow lasts, in milliseconds. */
const lengths: Record<string, number> = {
  si_greet: 1_200,
  si_slow: 600_000,
  si_breaks: 900,
  si_odd: 600_000,
};

function lines(run: StoredRun, until: number): string[] {
  const found = [`${stamp(run.startedAt)} Run accepted`, "a line without any form at all"];
  for (let at = run.startedAt + 300; at <= until && found.length < 2_000; at += 300) {
    found.push(`[Greeter] step ${found.length - 1}`);
  }
  return found;
}

/** A run as `GET /get_pl_run` answers it at a moment (§2.2). `si_odd` is in a state that no document names. */
export function runAt(run: StoredRun, now: number): Record<string, unknown> {
  const end = run.startedAt + (lengths[run.flow] ?? 0);
  const finished = run.killedAt ?? (now >= end ? end : null);
  const state = stateAt(run, now, end);
  return {
    run_id: run.id,
    user_id: run.userId,
    state,
    created_ts: stamp(run.startedAt),
    finished_ts: finished === null ? null : stamp(finished),
    log: lines(run, finished ?? now),
    outputs: state === "DONE" ? { greeting: `Hello, ${String(run.body.name ?? "")}`, nothing: null } : {},
    galaxy: 7,
  };
}

function stateAt(run: StoredRun, now: number, end: number): string {
  if (run.killedAt !== null) return "TERMINATED";
  if (run.flow === "si_odd") return "PAUSED";
  if (now < run.startedAt + 200) return "STARTED";
  if (now < end) return "RUNNING";
  return run.flow === "si_breaks" ? "FAILED" : "DONE";
}

/** How long a turn lasts, in milliseconds; a message with the word "fail" ends in failure. */
const turnLength = 1_000;

/** A conversation as `GET /agent_status/{id}` answers it at a moment (§2.1); while it is held, its turn does not end. */
export function conversationAt(
  conversation: StoredConversation,
  now: number,
  isHeld: boolean,
): Record<string, unknown> {
  const last = conversation.turns.at(-1);
  if (last === undefined) throw new Error("a conversation has a turn");
  const base = { interaction_id: conversation.id };
  if (isHeld || now < last.startedAt + turnLength) return { ...base, state: "ASYNC_PROCESSING" };
  const messages = conversation.turns.flatMap((turn, index) => turnMessages(turn, index));
  if (last.message.includes("fail"))
    return { ...base, state: "FAILED", error_message: "The model did not answer.", messages };
  return { ...base, state: "COMPLETED", response: answer(last.message), messages };
}

function answer(message: string): string {
  return `You wrote **${message}**.\n\n![spy](https://spy.example.test/x.png)\n\n<script>alert(1)</script>`;
}

function turnMessages(turn: StoredConversation["turns"][number], index: number): Record<string, unknown>[] {
  const timestamp = new Date(turn.startedAt).toISOString();
  return [
    { id: `m${index}a`, role: "user", timestamp, content: turn.message, parts: [] },
    {
      id: `m${index}b`,
      role: "assistant",
      timestamp,
      content: null,
      parts: [
        {
          id: `p${index}`,
          type: "tool_invocation",
          toolCallId: `c${index}`,
          toolName: "look_up",
          toolCallState: "completed",
          result: { args: { q: turn.message }, result: { rows: [1, 2, 3], note: null } },
        },
        { type: "hologram", frames: 3 },
        { id: `t${index}`, type: "text", text: answer(turn.message) },
      ],
    },
    { role: "narrator", content: "a role that no document names" },
  ];
}
