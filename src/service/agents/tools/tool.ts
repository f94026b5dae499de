import type { AttachedRow } from "../../engine/attached-rows.ts";
import type { NewExecution } from "../../engine/kind.ts";
import type { JsonObject } from "../../json.ts";
import { hashOf } from "../../mcp/definition.ts";
import type { AnsweredAsks, Asks } from "../../mcp/server-question.ts";
import type { ToolSpec } from "../../models/types.ts";
import type { JsonValue } from "../../store/json.ts";
import type { TraceHeaders } from "../../traceparent.ts";
import type { StoredPart } from "../parts.ts";

/** Facts of the turn that its tools may know. */
export interface TurnFacts {
  readonly executionId: string;
  readonly interactionId: string;
  readonly agentId: string;
  /** For whom the turn acts. */
  readonly userId: string | null;
  readonly teamId: string | null;
}

/** One call of a tool. It may be made again after a crash, with the same `key`. */
export interface ToolRun {
  readonly args: JsonObject;
  readonly facts: TurnFacts;
  /** Unique for the call and the same at each attempt: 8 to 128 letters, digits, - and _. */
  readonly key: string;
  /** Of the definition of this very call that a person agreed to; without it nobody was asked. */
  readonly agreedHash?: string | undefined;
  /** What the tool's server asked before in this very call, with the answers. */
  readonly answered: readonly AnsweredAsks[];
  /** Aborted by a kill, a lost lease or the turn's time limit. */
  readonly signal: AbortSignal;
  /** To be sent along to others; undefined: nobody traces the call. */
  readonly trace?: TraceHeaders | undefined;
}

/** A tool as it describes itself, for whoever is asked about a call of it. */
export interface ToolDefinition {
  /** What the model calls it. */
  readonly toolCallId: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Null: the service itself has it. */
  readonly server: { readonly id: string; readonly credentials: "personal" | "team" } | null;
  /** Of all that it says of itself. */
  readonly hash: string;
}

/** What describes a tool, where that is not this service: what it says may be something else at any time. */
export interface ToolServer {
  /** As it was when the turn began. */
  readonly definition: ToolDefinition;
  /** As it is now; null: it is gone. @throws McpError */
  now(facts: TurnFacts, signal: AbortSignal): Promise<ToolDefinition | null>;
}

export type ToolOutcome =
  | {
      readonly type: "done";
      readonly result: JsonValue;
      /** Rows of the call, in the statement that records it. */
      readonly rows?: readonly AttachedRow[];
      /** Shown after the call. */
      readonly parts?: readonly StoredPart[];
    }
  /** Told to the model, which may do something else. */
  | { readonly type: "failed"; readonly error: string }
  /** The tool's server asks people before it goes on: the call is made again with their answers, under the same key. */
  | { readonly type: "asks"; readonly asks: Asks }
  /** The turn waits for this execution without holding a worker; its result is the tool's. */
  | { readonly type: "spawn"; readonly child: NewExecution };

export interface Tool {
  readonly spec: ToolSpec;
  /**
   * A call does no harm before the answer that asks for it is recorded: nobody outside learns of it, and what it leaves is
   * not what a call with other arguments leaves under the same key.
   */
  readonly isRepeatable?: true;
  /** Of a server's tool. */
  readonly server?: ToolServer;
  run(call: ToolRun): Promise<ToolOutcome>;
}

/** What a person is asked about: as it was when the turn began. */
export function definitionOf({ spec, server }: Tool): ToolDefinition {
  if (server !== undefined) return server.definition;
  const { name, description } = spec;
  const parameters: JsonObject = JSON.parse(JSON.stringify(spec.parameters));
  const hash = hashOf({ name, description, parameters });
  return { toolCallId: name, name, description, parameters, server: null, hash };
}

/** As it is now; null: it is gone. @throws McpError */
export async function definitionNow(
  tool: Tool,
  facts: TurnFacts,
  signal: AbortSignal,
): Promise<ToolDefinition | null> {
  return tool.server === undefined ? definitionOf(tool) : await tool.server.now(facts, signal);
}

/** Of one result, in characters of JSON: more would crowd out everything else that the model knows. */
const resultCharacters = 64_000;

/** Results are data of any size: what is too long is cut and says so. */
export function capResult(result: JsonValue): JsonValue {
  const text = typeof result === "string" ? result : JSON.stringify(result);
  if (text.length <= resultCharacters) return result;
  return `${text.slice(0, resultCharacters)}\n… cut: ${text.length} characters in all`;
}
