import { type JsonObject, type JsonValue, ownField } from "../json.ts";
import { type Definition, inputsOf } from "./definition.ts";

/**
 * Which named input gets which value (§4.3 rules 2 and 3): a body field of its name; else an entry of `pipeline_inputs`,
 * as public clients send them; else a header whose name is the same without regard to case. An input that is given
 * nowhere is missing in the answer: its node has the default. The body is plain data, whatever its keys are called.
 * @param headers lower-case names, credentials and hop-by-hop headers already taken out
 */
export function routeInputs(
  flow: Definition,
  body: JsonObject,
  headers: ReadonlyMap<string, string>,
): JsonObject {
  const given: [string, JsonValue][] = [];
  for (const { name } of inputsOf(flow)) {
    // A body field that is null is given: it beats the others.
    const field = ownField(body, name);
    const value = field === undefined ? (listed(body, name) ?? headers.get(name.toLowerCase())) : field;
    if (value !== undefined) given.push([name, value]);
  }
  return Object.fromEntries(given);
}

function listed(body: JsonObject, name: string): JsonValue | undefined {
  const list = ownField(body, "pipeline_inputs");
  const entry = Array.isArray(list) ? list.find((item) => ownField(item, "input_name") === name) : undefined;
  return ownField(entry, "value");
}
