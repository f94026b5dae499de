import { type NodeValue, wholeValue } from "../../contract/run-nodes.ts";
import type { JsonValue } from "../json.ts";
import type { Known } from "../pipelines/node-values.ts";
import { longest } from "../pipelines/run-parts.ts";
import { measureJson, partOfJson } from "./json-pieces.ts";

/** Characters of a value that go out together: for each such part it is worked out again. */
const partLength = 1_000_000;

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

/** Reads or works out a value, and uses it; it is in memory for that long alone. */
export type ReadValue = <T>(use: (value: Known<JsonValue>) => Promise<T>) => Promise<T>;

/**
 * The same as JSON text in parts, of a value of any length. Between two parts nothing of it is in memory: it comes out the same
 * each time.
 * @throws Error in the middle where it can no longer be read
 */
export async function* wholePieces(read: ReadValue): AsyncGenerator<string> {
  let size = 0;
  for (let from: number | null = 0; from !== null; ) {
    const begun: number = from;
    const part = await read(async (value) =>
      value.known ? await partOfJson(value.value, begun, partLength) : value.why,
    );
    if (typeof part === "string") {
      if (begun > 0) throw new Error(`a value can no longer be read: ${part}`);
      yield JSON.stringify(unknown(part));
      return;
    }
    yield `${begun === 0 ? '{"known":true,"reason":null,"beginning":null,"value":' : ""}${part.text}`;
    size += part.text.length;
    from = part.next;
  }
  yield `,"size":${size}}`;
}
