import { isJsonObject, type JsonValue } from "../json.ts";

const readCharacters = 100_000;

/**
 * The sentence in which a server says what is wrong, of whatever form its answer is; empty where there is none. No other
 * field is read: whatever else stands in an answer is nobody's business.
 */
export function errorTextOf(body: string): string {
  if (body.length <= readCharacters) {
    try {
      return sentenceIn(JSON.parse(body));
    } catch {
      // Cut off, or no JSON: one may be in it.
    }
  }
  const [, quoted = '""'] =
    /"message"\s*:\s*("(?:[^"\\]|\\.){1,2000}")/.exec(body.slice(0, readCharacters)) ?? [];
  try {
    return String(JSON.parse(quoted));
  } catch {
    return "";
  }
}

/** Where it stands: OpenAI's form first, then those of other servers and of the frameworks that they are made with. */
const fields = ["error", "message", "detail", "msg", "error_message"];

function sentenceIn(value: JsonValue | undefined): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(sentenceIn).find((said) => said !== "") ?? "";
  if (!isJsonObject(value)) return "";
  const said = fields.map((field) => sentenceIn(value[field])).find((one) => one !== "") ?? "";
  // What stands between only says that somebody behind it did not like the request: why is in here.
  const raw = isJsonObject(value.metadata) ? value.metadata.raw : undefined;
  if (said === "" || typeof raw !== "string" || raw === "") return said;
  return `${said}: ${errorTextOf(raw) || raw}`;
}
