import { isInputHeader } from "../../contract/input-headers.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownField } from "../json.ts";

/**
 * Which named input gets which value (§4.3 rules 2 and 3): a body field of its name; else an entry of `pipeline_inputs`,
 * as public clients send them; else a header whose name is the same without regard to case, unless a browser or a proxy
 * sets it by itself. An input that is given nowhere is missing in the answer: its node has the default. The body is plain
 * data, whatever its keys are called.
 * @param inputs their names, in the flow's order
 * @param headers lower-case names
 * @returns the values in the order in which they were sent: those of the body, of the list, of the headers
 */
export function routeInputs(
  inputs: readonly string[],
  body: JsonObject,
  headers: ReadonlyMap<string, string>,
): JsonObject {
  const names = new Set(inputs);
  const given = new Map<string, JsonValue>();
  // What is given first counts. A null is given, in the body as in the list: it beats the others.
  const give = (name: unknown, value: JsonValue | undefined) => {
    if (typeof name === "string" && names.has(name) && !given.has(name) && value !== undefined)
      given.set(name, value);
  };
  for (const [name, value] of Object.entries(body)) give(name, value);
  for (const entry of listOf(body)) give(ownField(entry, "input_name"), ownField(entry, "value"));
  for (const [header, value] of headers) {
    if (!isInputHeader(header)) continue;
    for (const name of inputs) if (name.toLowerCase() === header) give(name, value);
  }
  return Object.fromEntries(given);
}

function listOf(body: JsonObject): readonly JsonObject[] {
  const list = ownField(body, "pipeline_inputs");
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}
