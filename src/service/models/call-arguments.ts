import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** Whether a line of an answer has arguments of calls as they are; they are the text of their JSON elsewhere. */
export const hasPlainArguments = (line: string): boolean => /"arguments"\s*:\s*\{/.test(line);

/** A piece of an answer with the arguments of its calls as text. */
export function withTextArguments(piece: JsonObject): JsonObject {
  const textOf = (call: JsonObject) => {
    const { function: called } = call;
    if (!isJsonObject(called) || !isJsonObject(called.arguments)) return call;
    return { ...call, function: { ...called, arguments: JSON.stringify(called.arguments) } };
  };
  const choices = eachObject(piece.choices, (choice) => {
    const { delta } = choice;
    return isJsonObject(delta)
      ? { ...choice, delta: { ...delta, tool_calls: eachObject(delta.tool_calls, textOf) } }
      : choice;
  });
  return { ...piece, choices };
}

/** A list with its objects changed. */
export function eachObject(
  list: JsonValue | undefined,
  change: (one: JsonObject, index: number) => JsonObject,
): JsonValue {
  if (!Array.isArray(list)) return list ?? null;
  return list.map((one: JsonValue, index) => (isJsonObject(one) ? change(one, index) : one));
}

/** What a model has given as arguments; the JSON of it may have come as a text once more. */
export function unpacked(given: unknown): unknown {
  if (typeof given !== "string") return given;
  try {
    const inner: unknown = JSON.parse(given);
    return isJsonObject(inner) ? inner : given;
  } catch {
    return given;
  }
}
