import { z } from "zod";
import { answerPartId } from "../agents/parts.ts";
import type { JsonValue } from "../store/json.ts";
import { contentOf, known, type SpanPart } from "./part-span.ts";
import type { TracedStep } from "./read-tree.ts";
import type { SpanEvent } from "./span.ts";
import { modelKey, toolKey, wholeKey } from "./span-keys.ts";

/** What the journal says of one turn, or of an evaluation, which asks a model as well; times in milliseconds since 1970. */
export interface TracedTurn {
  readonly steps: readonly TracedStep[];
  /** `<provider>/<model>`. */
  readonly model: string;
  /** The answer that ended it, which no step records; null: none did. */
  readonly last: {
    readonly text: string | null;
    readonly finish: string | null;
    readonly usage: JsonValue;
  } | null;
  readonly startedAt: number;
  readonly finishedAt: number;
  /** When it was taken from workers that had fallen silent. */
  readonly takeovers: readonly number[];
  /** By the ids of the calls' parts. */
  readonly callTimes: ReadonlyMap<
    string,
    { readonly started: string | null; readonly finished: string | null }
  >;
  readonly withContents: boolean;
}

const answerOf = z.object({
  text: z.string().nullish(),
  finish: z.string().nullish(),
  usage: z.object({ input_tokens: z.number().nullable(), output_tokens: z.number().nullable() }).nullish(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), args: z.json().optional() })).nullish(),
});
type Answer = z.output<typeof answerOf>;
const callOf = z.object({ failed: z.boolean(), result: z.json().optional(), args: z.json().optional() });
const failureOf = z.object({ failure: z.string().nullish(), message: z.string().nullish() });

/**
 * Spans of a turn's calls of its model and its tools, in their order. A turn does one thing after the other: a call of the
 * model begins when what came before it has ended, or when the turn was taken over. The answer that ends a turn is not
 * recorded as a step of its own: it ends with the turn.
 */
export function turnSpans(turn: TracedTurn): readonly SpanPart[] {
  const steps = new Map(turn.steps.map((step) => [step.key, step]));
  const spans: SpanPart[] = [];
  let last = Math.max(turn.startedAt, endOf(steps.get("tools")) ?? 0);
  const begins = () => Math.max(last, ...turn.takeovers.filter((at) => at <= turn.finishedAt));
  for (let number = 1; ; number++) {
    let attempt = 1;
    for (; ; attempt++) {
      const failed = steps.get(`model ${number} failure ${attempt}`);
      if (failed === undefined) break;
      const end = endOf(failed) ?? turn.finishedAt;
      spans.push(failedCall(turn, number, attempt, { start: since(begins(), end, last), end, step: failed }));
      last = Math.max(end, endOf(steps.get(`model ${number} wait ${attempt}`)) ?? 0);
    }
    const step = steps.get(`model ${number}`);
    const given = step?.output ?? turn.last;
    if (given === null) return spans;
    const answer = answerOf.parse(given);
    const calls = answer.toolCalls ?? [];
    // It may have been recorded with what its first tool gave, which had begun when the answer was there.
    const begun = timeOf(turn.callTimes.get(answerPartId("tool", number, 0))?.started);
    const recorded = endOf(step) ?? turn.finishedAt;
    const end = calls.length > 0 && begun !== null ? Math.min(begun, recorded) : recorded;
    spans.push(call(turn, number, attempt, { start: since(begins(), end, last), end, answer }));
    // An evaluation asks again where it cannot use an answer, all of which are steps.
    if (calls.length === 0 && turn.last !== null) return spans;
    last = Math.max(last, end);
    for (const [index, { id, name, args }] of calls.entries()) {
      const done = steps.get(toolKey(number, index));
      const times = turn.callTimes.get(answerPartId("tool", number, index));
      const start = timeOf(times?.started) ?? last;
      const toolEnd = timeOf(times?.finished) ?? endOf(done) ?? turn.finishedAt;
      // What was never made has no span: it waited for somebody, or for its turn, when all was over.
      const asked = asks(turn.steps, number, index, turn.finishedAt);
      if (done === undefined && times?.started == null && asked.length === 0) continue;
      const about = { id, name, args: args ?? null, start: asked[0] ? Math.min(start, asked[0].at) : start };
      spans.push(tool(turn, number, index, { ...about, end: toolEnd, events: asked, done }));
      last = Math.max(last, toolEnd);
    }
  }
}

const endOf = (step: TracedStep | undefined) => step && (step.finished_at ?? step.created_at).getTime();
const timeOf = (text: string | null | undefined) => (text == null ? null : Date.parse(text));
/** A takeover after the call has ended says nothing of it. */
const since = (begun: number, end: number, before: number) => (begun <= end ? begun : before);

/** `<provider>/<model>` as the conventions tell them apart. */
function modelFacts(model: string) {
  const cut = model.indexOf("/");
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": model.slice(0, Math.max(cut, 0)) || "unknown",
    "gen_ai.request.model": model.slice(cut + 1),
  };
}

const chat = (turn: TracedTurn, number: number, attempt: number) => ({
  ...{ key: modelKey(number, attempt), above: wholeKey, kind: "client" as const },
  name: `chat ${modelFacts(turn.model)["gen_ai.request.model"]}`,
});

function failedCall(
  turn: TracedTurn,
  number: number,
  attempt: number,
  { step, ...times }: { start: number; end: number; step: TracedStep },
): SpanPart {
  const { failure, message } = failureOf.parse(step.output);
  return {
    ...chat(turn, number, attempt),
    ...times,
    attributes: { ...modelFacts(turn.model), "error.type": failure ?? "model_failed" },
    error: { message: turn.withContents ? (message ?? null) : null },
  };
}

/** Why an answer ended, by the conventions' words. */
const reasons: Readonly<Record<string, string>> = { tools: "tool_calls", filtered: "content_filter" };

function call(
  turn: TracedTurn,
  number: number,
  attempt: number,
  { answer, ...times }: { start: number; end: number; answer: Answer },
): SpanPart {
  const { finish = null, text = null, usage } = answer;
  return {
    ...chat(turn, number, attempt),
    ...times,
    attributes: known({
      ...modelFacts(turn.model),
      "gen_ai.response.finish_reasons": finish === null ? null : [reasons[finish] ?? finish],
      "gen_ai.usage.input_tokens": usage?.input_tokens ?? null,
      "gen_ai.usage.output_tokens": usage?.output_tokens ?? null,
      "gen_ai.output.messages":
        turn.withContents && text !== null ? contentOf(saidBy("assistant", text, answer)) : null,
    }),
    error: null,
  };
}

/** A message as the conventions write it. */
export function saidBy(role: "user" | "assistant", text: string, answer?: Answer) {
  const calls = (answer?.toolCalls ?? []).map(({ id, name, args }) => {
    return { type: "tool_call", id, name, arguments: args ?? null };
  });
  return [{ role, parts: [...(text === "" ? [] : [{ type: "text", content: text }]), ...calls] }];
}

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  readonly start: number;
  readonly end: number;
  readonly events: readonly SpanEvent[];
  readonly done: TracedStep | undefined;
}

function tool(
  { withContents }: TracedTurn,
  number: number,
  index: number,
  { id, name, args, done, ...times }: ToolCall,
): SpanPart {
  const came = done === undefined ? null : callOf.parse(done.output);
  const failure = came?.failed === true;
  return {
    ...{ key: toolKey(number, index), above: wholeKey, name: `execute_tool ${name}`, kind: "internal" },
    ...times,
    attributes: known({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.call.id": id,
      "gen_ai.tool.type": "function",
      "error.type": failure ? "tool_error" : null,
      "gen_ai.tool.call.arguments": withContents ? contentOf(came?.args ?? args) : null,
      "gen_ai.tool.call.result": withContents && came !== null ? contentOf(came.result ?? null) : null,
    }),
    error: failure ? { message: null } : null,
  };
}

/** When people were asked about a call, or by its server. */
function asks(steps: readonly TracedStep[], number: number, index: number, turnEnd: number): SpanEvent[] {
  const own = new RegExp(`^ask (server )?[\\d.]+ tool ${number} ${index}$`);
  return steps
    .filter(({ key }) => own.test(key))
    .map(({ created_at, finished_at }) => {
      const at = created_at.getTime();
      const ms = Math.max(0, (finished_at?.getTime() ?? turnEnd) - at);
      const attributes = { "wheelhouse.wait.kind": "approval", "wheelhouse.wait.ms": ms };
      return { name: "wheelhouse.wait", at, attributes };
    });
}
