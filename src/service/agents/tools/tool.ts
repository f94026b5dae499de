import type { NewExecution } from "../../engine/kind.ts";
import type { RowsOfStep } from "../../engine/record-steps.ts";
import type { ToolSpec } from "../../models/types.ts";
import type { JsonValue } from "../../store/json.ts";
import type { JsonRecord } from "../metadata.ts";
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
  readonly args: JsonRecord;
  readonly facts: TurnFacts;
  /** Unique for the call and the same at each attempt: 8 to 128 letters, digits, - and _. */
  readonly key: string;
  /** Aborted by a kill, a lost lease or the turn's time limit. */
  readonly signal: AbortSignal;
}

export type ToolOutcome =
  | {
      readonly type: "done";
      readonly result: JsonValue;
      /** Rows of the call, in the statement that records it. */
      readonly rows?: readonly RowsOfStep[];
      /** Shown after the call. */
      readonly parts?: readonly StoredPart[];
    }
  /** Told to the model, which may do something else. */
  | { readonly type: "failed"; readonly error: string }
  /** The turn waits for this execution without holding a worker; its result is the tool's. */
  | { readonly type: "spawn"; readonly child: NewExecution };

export interface Tool {
  readonly spec: ToolSpec;
  /**
   * A call does no harm before the answer that asks for it is recorded: nobody outside learns of it, and what it leaves is
   * not what a call with other arguments leaves under the same key.
   */
  readonly isRepeatable?: true;
  run(call: ToolRun): Promise<ToolOutcome>;
}

/** Of one result, in characters of JSON: more would crowd out everything else that the model knows. */
export const resultCharacters = 64_000;

/** Results are data of any size: what is too long is cut and says so. */
export function capResult(result: JsonValue): JsonValue {
  const text = typeof result === "string" ? result : JSON.stringify(result);
  if (text.length <= resultCharacters) return result;
  return `${text.slice(0, resultCharacters)}\n… cut: ${text.length} characters in all`;
}
