import { z } from "zod";
import type { NewExecution, Step } from "../engine/kind.ts";
import { type JsonObject, type JsonValue, textOf } from "../json.ts";
import type { Requester } from "../limiter.ts";
import type { FlowQuestion } from "../questions/flow-question.ts";
import type { TraceHeaders } from "../traceparent.ts";
import { NodeError } from "./node-error.ts";
import type { NodeServices, Tx } from "./services.ts";

/** The id of a node: also its name in the log and in `{{ id.field }}`. */
export const nodeId = z
  .string()
  .max(64, "must be at most 64 characters long")
  .regex(/^[A-Za-z]/, "must start with a letter")
  .regex(/^[A-Za-z0-9_]*$/, "must hold letters, digits and _ only");

/** What every node may say. */
export const commonFields = {
  description: z.string().max(2_000).optional(),
  /** Nodes that must end first although nothing of theirs is read. */
  after: z.array(nodeId).max(100).optional(),
  /** `<node>.<branch>` of a condition or an approval: run only when that branch was taken. */
  when: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*\.[A-Za-z][A-Za-z0-9_]*$/, "must be <condition node>.<branch>")
    .optional(),
  /** `all` (the default): skipped when any node that it reads was skipped. `any`: runs when one of them ran. */
  join: z.enum(["all", "any"]).optional(),
};

/** What nodes that reach outside may say beyond that. */
export const outsideFields = {
  timeout_s: z.number().positive().max(600).optional(),
  /** Tries again after a fault that may pass; the wait doubles each time, with jitter. */
  retries: z
    .strictObject({
      times: z.int().min(1).max(5),
      delay_s: z.number().positive().max(300).default(1),
    })
    .optional(),
};

/** The node's own recorded steps; keys are the node's own business. All writes are fenced by the engine. */
export interface NodeSteps {
  get(key: string): Step | undefined;
  /** The step becomes done after so many milliseconds, and the node is called again. */
  wait(key: string, ms: number, lines?: readonly string[]): Promise<void>;
  /**
   * The step ends as the child ends, and the node is called again.
   * @param more `limitSeconds`: of the child's own time. The step `limit` becomes done when that is over
   */
  spawn(
    key: string,
    child: NewExecution,
    lines?: readonly string[],
    more?: { readonly within?: TransactionWork; readonly limitSeconds?: number | undefined },
  ): Promise<void>;
  /**
   * Asks people. The step becomes done with what they answer (`readFlowAnswer`; where the server of a tool asks
   * `askedInCall`), or as null when nobody has in time, and the node is called again. Steps that ask are called `ask`, and
   * those of servers `question1` and so on.
   */
  ask(key: string, question: FlowQuestion, lines?: readonly string[]): Promise<void>;
  /** Notes that the question of this step was not answered in time. */
  lapse(key: string): Promise<void>;
  record(key: string, output: JsonValue, lines?: readonly string[]): Promise<void>;
  /** Records why a part of the node failed, and with it, a moment later, the node. */
  fail(key: string, error: string): Promise<void>;
}

/** Facts of the run that its nodes may know. */
export interface RunFacts {
  readonly runId: string;
  readonly flowId: string;
  readonly userId: string | null;
  readonly teamId: string | null;
  /** Values that the start gave, by input node. */
  readonly given: JsonObject;
  /** The whole body as sent, for webhook inputs (§4.3 rule 1). */
  readonly body: string;
}

/** One call of a node's function. It is called again after each wait and after a crash: look into `steps` first. */
export interface NodeCall<Config> {
  readonly id: string;
  /** An idempotency key: the same as often as this node, or this item of an `each`, is called, and of nothing else. */
  readonly key: string;
  /** As written in the flow. */
  readonly config: Config;
  /** The same with every template filled in. */
  readonly fields: JsonObject;
  readonly facts: RunFacts;
  readonly services: NodeServices;
  readonly steps: NodeSteps;
  /** Aborted by a kill, a lost lease, the node's time limit or another node's failure. */
  readonly signal: AbortSignal;
  /**
   * The duration limit in milliseconds; null without one. Waits for a place do not count. The signal enforces it, where the node
   * does not time itself.
   */
  readonly timeoutMs: number | null;
  /** Asks for places of this process in the run's name: what it waits for one is not its own time, and is said in the log. */
  readonly requester: Requester;
  /** To be sent along to others; undefined: nobody traces the run. */
  readonly trace: TraceHeaders | undefined;
  /** A log line of this node, written together with its end. */
  say(text: string): void;
  /**
   * Whether a condition holds.
   * @param list the field
   * @throws TemplateError
   */
  holds(list: string, index: number): Promise<boolean>;
  /**
   * Runs the function of the node that a field holds inside this one, with further variables and its own range of step keys.
   * @param signal of this node, or one that is aborted with it
   */
  inner(field: string, name: string, variables: JsonObject, signal: AbortSignal): Promise<NodeResult>;
}

/** `output` holds the fields that others may read; main result under `value`. `within` runs in the recording transaction. */
export type NodeResult =
  | { readonly type: "done"; readonly output: JsonObject; readonly within?: TransactionWork }
  | { readonly type: "waiting" };
export type TransactionWork = (tx: Tx) => Promise<void>;

/** What a node may know that only works out its result. */
export type ValueCall<Config> = Pick<
  NodeCall<Config>,
  "id" | "config" | "fields" | "facts" | "holds" | "say"
>;

/** How other nodes may depend on what came of a node, by `when`. */
export interface Branches<Config> {
  /** The output that names the branch that was taken. */
  readonly field: string;
  /** The names of all. */
  of(config: Config): readonly string[];
  /** What depends on the node and names no branch of it runs only in this one, where there is one. */
  readonly implied?: string;
}

/** One type of node, as the registry keeps it. */
export interface NodeType {
  readonly type: string;
  readonly schema: z.ZodType<{ readonly type: string }>;
  /** The fields that other nodes may read. */
  readonly outputs: readonly string[];
  /** Fields that are no templates. */
  readonly literals: readonly string[];
  /** Lists whose items' `if` are Liquid conditions, which the node itself judges. */
  readonly conditions: readonly string[];
  /** Fields that hold another node's config, which the node itself fills in later, with these further variables. */
  readonly locals: Readonly<Record<string, readonly string[]>>;
  /** Null: it has none. */
  readonly branches: Branches<unknown> | null;
  /** In milliseconds, where the flow says nothing; null: no limit. */
  readonly timeoutMs: number | null;
  /** Whether it keeps to its limit itself, and better than by the wall's clock. */
  readonly timesItself: boolean;
  /** Whether it may return `waiting`. */
  readonly waits: boolean;
  /**
   * Whether it does nothing but work out its result from what the run knows, so that after a crash it may do so again and
   * nobody can tell. Where nothing is said it may not.
   */
  readonly isRepeatable: boolean;
  /** Whether nothing outside of the run learns that it is done: a second time costs no more than the machine's time. */
  readonly staysInside: boolean;
  /** Whether it writes bytes under an id of its own: a worker that was given up may do so after its successor. */
  readonly writesFile: boolean;
  /**
   * Its result, for a node that is repeatable; null for all others.
   * @throws NodeError, TemplateError
   */
  readonly workOut: ((call: ValueCall<unknown>) => JsonObject | Promise<JsonObject>) | null;
  run(call: NodeCall<unknown>): Promise<NodeResult>;
}

type Work<Config> =
  | { readonly workOut?: never; run(call: NodeCall<Config>): Promise<NodeResult> }
  /** In place of `run`, for a node that only works out its result: that makes it repeatable. */
  | { readonly run?: never; workOut(call: ValueCall<Config>): JsonObject | Promise<JsonObject> };

type Definition<S extends z.ZodType<{ readonly type: string }>> = Work<z.output<S>> & {
  readonly type: string;
  readonly schema: S;
  readonly outputs: readonly string[];
  readonly literals?: readonly string[];
  readonly conditions?: readonly string[];
  readonly locals?: Readonly<Record<string, readonly string[]>>;
  readonly branches?: Branches<z.output<S>>;
  readonly timeoutMs?: number;
  readonly timesItself?: true;
  readonly waits?: true;
  /** What is repeatable does in any case. */
  readonly staysInside?: true;
  readonly writesFile?: true;
};

const neverTemplates = ["type", "description", "after", "when", "join", "retries", "timeout_s"];

/** Makes a node type. Its function gets the config as its schema gives it. */
export function defineNode<S extends z.ZodType<{ readonly type: string }>>(
  given: Definition<S>,
): NodeType & { readonly schema: S } {
  const { branches } = given;
  return {
    type: given.type,
    schema: given.schema,
    outputs: given.outputs,
    literals: [...neverTemplates, ...(given.literals ?? [])],
    conditions: given.conditions ?? [],
    locals: given.locals ?? {},
    branches:
      branches === undefined
        ? null
        : { ...branches, of: (config) => branches.of(given.schema.parse(config)) },
    timeoutMs: given.timeoutMs ?? null,
    timesItself: given.timesItself ?? false,
    waits: given.waits ?? false,
    staysInside: given.staysInside ?? given.workOut !== undefined,
    writesFile: given.writesFile ?? false,
    ...workOf(given),
  };
}

function workOf<S extends z.ZodType<{ readonly type: string }>>(
  given: Definition<S>,
): Pick<NodeType, "isRepeatable" | "workOut" | "run"> {
  if (given.workOut === undefined) {
    const { schema, run } = given;
    return {
      isRepeatable: false,
      workOut: null,
      run: (call) => run({ ...call, config: schema.parse(call.config) }),
    };
  }
  const { schema, workOut } = given;
  const value = (call: ValueCall<unknown>) => workOut({ ...call, config: schema.parse(call.config) });
  return { isRepeatable: true, workOut: value, run: async (call) => done(await value(call)) };
}

/** A filled-in field as text. */
export function textField(fields: JsonObject, name: string): string {
  return textOf(fields[name] ?? null);
}

/**
 * A filled-in field as a number within limits.
 * @throws NodeError naming the field
 */
export function numberField(fields: JsonObject, name: string, minimum: number, maximum: number): number {
  const value = fields[name];
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number === "number" && number >= minimum && number <= maximum) return number;
  throw new NodeError(`${name} must be a number from ${minimum} to ${maximum}`);
}

/** The end of a node. @param within writes rows of its own in the transaction that records it */
export function done(output: JsonObject, within?: TransactionWork): NodeResult {
  return within ? { type: "done", output, within } : { type: "done", output };
}

export { NodeError };
