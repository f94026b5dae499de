import { anySignal } from "../any-signal.ts";
import type { Clock, Ids } from "../context.ts";
import type { End, Execution, Journal, Kind, Outcome } from "../engine/kind.ts";
import { type Requester, shareOf } from "../limiter.ts";
import type { Meters } from "../meters.ts";
import type { Models } from "../models/models.ts";
import type { ModelAnswer, ModelMessage } from "../models/types.ts";
import type { Store } from "../store/store.ts";
import { startTimeLimit, type TimeLimit } from "../time-limit.ts";
import { modelKey } from "../traces/span-keys.ts";
import { hasAsked, waitsForPeople } from "./approvals/ask.ts";
import { type ApprovalRules, callMode, floorsOf } from "./approvals/rules.ts";
import { waitedForPeople } from "./approvals/waited.ts";
import { askModel, keyOfCall } from "./ask-model.ts";
import {
  type ChatHistory,
  createContextWindow,
  noteForModel,
  noteForPeople,
  type Omitted,
} from "./context-window.ts";
import { readStarts } from "./conversation.ts";
import {
  type AnswerPlace,
  type AnswerWrite,
  answerRows,
  type TurnEnd,
  turnEndRow,
} from "./conversation-writes.ts";
import { cutOffNote, endWith } from "./last-answer.ts";
import { createReadNewestTurns, type ReadNewestTurns } from "./newest-turns.ts";
import { answerPartId, noticePart, type StoredPart } from "./parts.ts";
import type { RetryPolicy } from "./retry.ts";
import { type CallsTurn, runCalls } from "./run-calls.ts";
import { toolPart } from "./run-tool.ts";
import { listMcpTools, type McpListing, mcpEntries, mcpListing } from "./tools/mcp-tools.ts";
import type { Tool, TurnFacts } from "./tools/tool.ts";
import { openToolset, type ToolServices } from "./tools/toolset.ts";
import { type TurnInput, turnInput } from "./turn-input.ts";

/** The name of the kind, in `executions.kind`. */
export const turnKind = "turn";

export interface TurnServices extends ToolServices {
  readonly store: Pick<Store, "db" | "query">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly models: Models;
  readonly retry: RetryPolicy;
  /** Which calls must be asked for, as the workspace says. */
  readonly approvals: ApprovalRules;
  /** Where somebody counts. */
  readonly meters?: Pick<Meters, "step"> | undefined;
}

/**
 * An agent's turn (§3.1): asks the model, runs the tools that it asks for in their order, until it answers without asking
 * for any. Every call of a model or a tool is a recorded step. The result is `{interaction_id, response}`.
 */
export function createTurnKind(services: TurnServices): Kind {
  const readTurns = createReadNewestTurns(services.store);
  /** An execution is the same object for as long as one worker has it. */
  const seen = new WeakMap<Execution, number>();
  return {
    hasPlace: true,
    advance(execution, journal) {
      const seenAt = seen.get(execution) ?? performance.now();
      seen.set(execution, seenAt);
      return new Turn(services, readTurns, execution, journal, seenAt).advance();
    },
    /** The state of the interaction follows the execution's end, whatever ended it. */
    rowsOfEnd: (execution, end) => [
      turnEndRow(services.ids, placeOf(execution, turnInput.parse(execution.input)), turnEnd(end)),
    ],
  };
}

function turnEnd(end: End): TurnEnd {
  if (end.type === "done") return { type: "completed", response: responseOf(end.result) };
  if (end.type === "failed") return { type: "failed", error: end.error };
  return { type: "failed", error: end.reason ?? "The turn was stopped.", isStopped: true };
}

function responseOf(result: unknown): string {
  return typeof result === "object" && result !== null && "response" in result ? String(result.response) : "";
}

function placeOf(execution: Execution, input: TurnInput): AnswerPlace {
  return { interactionId: execution.subjectId, seq: input.messageSeq + 1 };
}

/**
 * Whether nothing outside comes of an answer before the next write, which records it too: at the end of the turn, or with
 * what its first tool gave.
 */
function mayAskAgain({ toolCalls: [first] }: ModelAnswer, tools: ReadonlyMap<string, Tool>): boolean {
  return first === undefined || (tools.get(first.name)?.isRepeatable ?? false);
}

/** One call of `advance`. */
class Turn {
  readonly #services: TurnServices;
  readonly #readTurns: ReadNewestTurns;
  readonly #execution: Execution;
  readonly #journal: Journal;
  readonly #input: TurnInput;
  readonly #place: AnswerPlace;
  /** Of the monotonic clock: the turn's time is measured, whatever becomes of the others. */
  #endsAt: number;
  readonly #startedAt = new Map<string, string>();

  /** @param seenAt when this worker had the execution before it for the first time, by the monotonic clock */
  constructor(
    services: TurnServices,
    readTurns: ReadNewestTurns,
    execution: Execution,
    journal: Journal,
    seenAt: number,
  ) {
    this.#services = services;
    this.#readTurns = readTurns;
    this.#execution = execution;
    this.#journal = journal;
    this.#input = turnInput.parse(execution.input);
    this.#place = placeOf(execution, this.#input);
    this.#endsAt = seenAt + this.#input.timeoutSeconds * 1000 - (execution.spentMs ?? 0);
  }

  readonly #leftMs = () => Math.ceil(this.#endsAt - performance.now());

  async advance(): Promise<Outcome> {
    // While people were to answer its time stood still.
    if (hasAsked(this.#journal.steps)) {
      this.#endsAt += await waitedForPeople(this.#services.db, this.#execution.id);
    }
    const left = this.#leftMs();
    if (left <= 0) return this.#tooLong();
    const limit = startTimeLimit(left);
    try {
      return await this.#converse(anySignal([this.#journal.signal, limit.signal]), this.#waiting(limit));
    } catch (error) {
      // A write to the journal that failed stays an error: it has aborted the journal's own signal, or breaks the engine's end.
      const { aborted, reason } = limit.signal;
      if (aborted && !this.#journal.signal.aborted && error === reason) return this.#tooLong();
      throw error;
    } finally {
      limit.end();
    }
  }

  /** In whose name it waits for a place of a model's provider; its time stands still meanwhile. */
  #waiting(limit: TimeLimit): Requester {
    let since: number | null = null;
    return {
      share: shareOf(this.#execution, this.#execution.id),
      onWait: () => {
        since ??= performance.now();
        limit.pause();
      },
      onStart: () => {
        if (since !== null) this.#endsAt += performance.now() - since;
        since = null;
        limit.resume();
      },
    };
  }

  #tooLong(): Outcome {
    return {
      type: "failed",
      error: `The turn took longer than its limit of ${this.#input.timeoutSeconds} seconds.`,
    };
  }

  async #converse(signal: AbortSignal, requester: Requester): Promise<Outcome> {
    const { models } = this.#services;
    const listing = await this.#listing(signal);
    if (listing.impossible !== null) return { type: "failed", error: listing.impossible };
    const tools = openToolset(this.#services, this.#input.tools, listing);
    await this.#readStarts();
    const { model, maxTokens, temperature } = this.#input;
    const system = [this.#input.system, ...listing.problems].join("\n\n");
    const specs = [...tools.values()].map((tool) => tool.spec);
    const window = createContextWindow(models.limits(model), { system, tools: specs }, maxTokens);
    const { interactionId } = this.#place;
    const newest = await this.#readTurns(interactionId, this.#input.messageSeq, window.room);
    const steps: ModelMessage[][] = [];
    const history: ChatHistory = { ...newest, steps };
    /** Of this turn, over all calls: what was too long once is not tried again. */
    let cutsBefore = 0;
    for (let number = 1; number <= this.#input.maxSteps; number++) {
      const fitTo = (cuts: number) => window.fit(history, cutsBefore + cuts);
      const asked = await askModel({
        models,
        model,
        retry: this.#services.retry,
        journal: this.#journal,
        number,
        leftMs: this.#leftMs,
        trace: (attempt) => this.#execution.traceOf?.(modelKey(number, attempt)),
        mayCut: (cuts) => fitTo(cuts).messages.length < fitTo(cuts - 1).messages.length,
        request: (cuts) => {
          const fitted = fitTo(cuts);
          const note = noteForModel(fitted.leftOut);
          return {
            model,
            system: note === null ? system : `${system}\n\n${note}`,
            messages: fitted.messages,
            tools: specs,
            temperature,
            maxTokens: fitted.maxTokens,
            idempotencyKey: keyOfCall(this.#execution.id, number, cuts),
            ...{ signal, requester },
          };
        },
        recording: (answer, cuts) => {
          const said = this.#said(number, answer, fitTo(cuts).leftOut);
          return {
            rows: [answerRows(this.#services.ids, this.#place, said)],
            isRepeatable: mayAskAgain(answer, tools),
          };
        },
      });
      if (asked.type === "waiting") return { type: "waiting" };
      if (asked.type === "failed") return { type: "failed", error: asked.error };
      const { answer } = asked;
      const { text, toolCalls, reasoning, thoughts } = answer;
      cutsBefore += asked.cuts;
      if (answer.toolCalls.length === 0) return endWith(answer, this.#place.interactionId, maxTokens);
      const answers = await runCalls(this.#calls(tools, signal), number, answer.toolCalls);
      if (answers === null) return { type: "waiting", forPeople: waitsForPeople(this.#journal.steps) };
      steps.push([
        { role: "assistant", text, toolCalls, reasoning, thoughts },
        { role: "tool", answers },
      ]);
    }
    return {
      type: "failed",
      error: `The agent did not finish within its limit of ${this.#input.maxSteps} steps.`,
    };
  }

  /** The tools of MCP servers as they were when the turn began. */
  async #listing(signal: AbortSignal): Promise<McpListing> {
    const entries = mcpEntries(this.#input.tools);
    if (entries.length === 0) return { tools: [], problems: [], impossible: null };
    if (!this.#journal.steps.has("tools")) {
      const { mcp, mayUseServer } = this.#services;
      const { userId, teamId } = this.#execution;
      const mayUse = (serverId: string) => mayUseServer(serverId, { userId, teamId });
      const listing = await listMcpTools(mcp, { userId, teamId }, mayUse, entries, signal);
      await this.#journal.record("tools", { type: "done", output: listing });
    }
    return mcpListing.parse(this.#journal.steps.get("tools")?.output);
  }

  /** How the turn's calls are made. Whether one must be asked for is looked up at each: rules may change meanwhile. */
  #calls(tools: ReadonlyMap<string, Tool>, signal: AbortSignal): CallsTurn {
    const { clock, ids, approvals, meters } = this.#services;
    const { tools: entries, approvals: asking, teamId } = this.#input;
    const floors = floorsOf(approvals, [teamId, this.#execution.teamId]);
    return {
      ...{ journal: this.#journal, clock, ids, facts: this.#facts(), place: this.#place },
      ...{ traceOf: this.#execution.traceOf, meters },
      ...{ startedAt: this.#startedAt, leftMs: this.#leftMs, signal, tools, asking },
      modeOf: ({ spec, server }) => {
        const tool = { id: spec.name, serverId: server?.definition.server?.id ?? null };
        return callMode(tool, { tools: asking.tools, entries }, floors);
      },
    };
  }

  #facts(): TurnFacts {
    const { id, subjectId, userId, teamId } = this.#execution;
    return { executionId: id, interactionId: subjectId, agentId: this.#input.agentId, userId, teamId };
  }

  /** What is there of the answer was written with steps. */
  async #readStarts(): Promise<void> {
    if (this.#journal.steps.size === 0) return;
    for (const { id, started_at } of await readStarts(this.#services.store.db, this.#place))
      this.#startedAt.set(id, started_at);
  }

  /** When calls began that have not come back, by the id of their part. */
  #noteStarts(parts: readonly StoredPart[]): void {
    for (const part of parts) {
      if (part.type === "tool_invocation" && part.started_at) this.#startedAt.set(part.id, part.started_at);
    }
  }

  /** What is shown of one of the model's answers. */
  #said(number: number, { reasoning, text, ...answer }: ModelAnswer, leftOut: Omitted): AnswerWrite {
    const parts: StoredPart[] = [];
    const note = noteForPeople(leftOut);
    if (note !== null) parts.push(noticePart("history_cut", note));
    if (reasoning !== null) {
      parts.push({ id: answerPartId("reasoning", number), type: "reasoning", reasoning });
    }
    if (text !== "") parts.push({ id: answerPartId("text", number), type: "text", text });
    for (const [index, call] of answer.toolCalls.entries()) {
      const times = index === 0 ? { started_at: this.#services.clock.now().toISOString() } : {};
      parts.push(toolPart({ number, index }, call, "running", null, times));
    }
    // Without any text the turn fails, and says why.
    if (answer.finish === "length" && text.trim() !== "")
      parts.push(noticePart("answer_cut", cutOffNote(this.#input.maxTokens)));
    this.#noteStarts(parts);
    return { parts, usage: answer.usage };
  }
}
