import { type NodeValue, wholeValue } from "../../contract/run-nodes.ts";
import type { JsonValue } from "../json.ts";
import { inSteps, measureJson } from "../json-pieces.ts";
import type { Known } from "../pipelines/node-values.ts";
import { longest } from "../pipelines/run-parts.ts";

const unknown = (why: string): NodeValue => ({
  ...{ known: false, reason: why, value: null, size: null, beginning: null },
});

/** A value, cut where it is long. */
export async function showValue(value: Known<JsonValue>): Promise<NodeValue> {
  if (!value.known) return unknown(value.why);
  const { size, beginning } = await measureJson(value.value, wholeValue);
  return size <= wholeValue ? shown(value.value, size) : { ...shown(null, size), beginning };
}

/** A value as it is; null where it is long, and `wholePieces` has it. */
export async function showWhole(value: Known<JsonValue>): Promise<NodeValue | null> {
  if (!value.known) return unknown(value.why);
  const { size } = await measureJson(value.value, 0);
  return size <= longest ? shown(value.value, size) : null;
}

const shown = (value: JsonValue, size: number): NodeValue => ({
  ...{ known: true, reason: null, value, size, beginning: null },
});

/** The same as JSON text in pieces, of a value of any length. */
export async function* wholePieces(value: Known<JsonValue>): AsyncGenerator<string> {
  if (!value.known) return yield JSON.stringify(unknown(value.why));
  yield '{"known":true,"reason":null,"beginning":null,"value":';
  let size = 0;
  for await (const piece of inSteps(value.value)) {
    size += piece.length;
    yield piece;
  }
  yield `,"size":${size}}`;
}
