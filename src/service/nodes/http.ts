import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue, jsonExcess, textOf } from "../json.ts";
import { OutgoingError } from "../outgoing/outgoing.ts";
import { commonFields, defineNode, done, NodeError, outsideFields, textField } from "./node.ts";

const header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, "is no header name");
/** Set by the client itself; a flow that sets them could smuggle a second request. */
const reserved = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "upgrade",
  "te",
  "trailer",
]);
/** Answers that a later attempt may turn into another. */
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/** Sends one HTTP request through the guarded client. An answer of 400 and above fails the node. */
export const http = defineNode({
  type: "http",
  schema: z.strictObject({
    type: z.literal("http"),
    ...commonFields,
    ...outsideFields,
    url: z.string().min(1).max(10_000),
    method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]).default("GET"),
    headers: z.record(header, z.string()).default({}),
    /** Text is sent as it is; anything else as JSON. */
    body: z.json().optional(),
    /** Go on with the answer whatever its status is. */
    allow_errors: z.boolean().default(false),
  }),
  outputs: ["value", "status", "headers"],
  literals: ["method", "allow_errors"],
  timeoutMs: 30_000,
  async run({ config, fields, services, signal, requester, say, trace }) {
    const url = textField(fields, "url");
    const { headers: own, body } = requestOf(fields, config.method);
    // What the flow says of the trace itself holds.
    const headers = "traceparent" in own || "tracestate" in own ? own : { ...trace, ...own };
    const answer = await services.outgoing
      .request({ url, method: config.method, headers, body, signal, requester })
      .catch((error: unknown) => {
        if (error instanceof OutgoingError) {
          throw new NodeError(error.message, { passing: error.passing, cause: error });
        }
        throw error;
      });
    say(`${config.method} ${new URL(url).host} answered ${answer.status}`);
    if (answer.status >= 400 && !config.allow_errors) {
      throw new NodeError(`${new URL(url).host} answered ${answer.status}`, {
        passing: passing.has(answer.status),
      });
    }
    return done({ value: parsedBody(answer), status: answer.status, headers: answer.headers });
  },
});

function requestOf(
  fields: JsonObject,
  method: string,
): { headers: Record<string, string>; body: string | null } {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(isJsonObject(fields.headers) ? fields.headers : {})) {
    const text = textOf(value);
    if (reserved.has(name.toLowerCase())) throw new NodeError(`the header ${name} cannot be set`);
    if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) {
      throw new NodeError(
        `the header ${name} holds a character that headers cannot hold, such as a line break`,
      );
    }
    headers[name.toLowerCase()] = text;
  }
  const { body = null } = fields;
  const reads = method === "GET" || method === "HEAD";
  // A template that came out empty is no body.
  if (body === null || (reads && body === "")) return { headers, body: null };
  if (reads) throw new NodeError(`a ${method} request cannot have a body`);
  if (typeof body !== "string") headers["content-type"] ??= "application/json";
  return { headers, body: textOf(body) };
}

function parsedBody(answer: { headers: JsonObject; text: string }): JsonValue {
  const type = textOf(answer.headers["content-type"] ?? null);
  // An answer to HEAD and one that has nothing to say may name a type all the same.
  if (answer.text === "" || !/^application\/([\w.+-]+\+)?json\b/i.test(type)) return answer.text;
  const excess = jsonExcess(answer.text);
  if (excess !== null) throw new NodeError(`the answer has more than ${excess}: ask for a part of it`);
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new NodeError("the answer says that it is JSON, but is not");
  }
}
