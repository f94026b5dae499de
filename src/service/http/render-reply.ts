import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Endpoint } from "../../contract/define.ts";
import type { Reply } from "../areas/handler.ts";
import { isFresh } from "../areas/interactions.ts";
import type { Context } from "../context.ts";
import { eventLoopTurn } from "../event-loop-turn.ts";
import type { Limiter } from "../limiter.ts";
import { ServiceError } from "../service-error.ts";
import { type Answer, contentDisposition, emptyAnswer, jsonAnswer, unchangedAnswer } from "./answer.ts";
import { cookieText } from "./cookies.ts";
import type { RequestLike } from "./plain-get.ts";
import type { RequestRecord } from "./request-record.ts";

/** What all answers of a process share. */
export interface RenderParts {
  /** Parse what a function answers by the contract. */
  readonly checkAnswers: boolean;
  /** For answers that are written in pieces. */
  readonly large: Limiter;
}

/** What a function has replied to which request. */
export interface Replied<E extends Endpoint> {
  readonly endpoint: E;
  readonly reply: Reply<E>;
  readonly request: Pick<RequestLike, "headers">;
  readonly record: Pick<RequestRecord, "log">;
  /** The person or team that asks; "" without a credential. */
  readonly who: string;
}

/**
 * A reply as an answer that is not compressed yet.
 * @throws ServiceError `internal` where it is against the contract; a reply in pieces breaks before its last one instead
 */
export function renderReply<E extends Endpoint>(
  context: Context,
  parts: RenderParts,
  { endpoint, reply, request, record, who }: Replied<E>,
): Answer {
  const onBroken = (error: unknown) => record.log.error({ err: error }, "an answer broke off");
  switch (reply.type) {
    case "none":
      return emptyAnswer(endpoint.status);
    case "not-modified":
      return unchangedAnswer(quoted(reply.etag));
    case "stream":
      return {
        ...emptyAnswer(endpoint.status, {
          "content-type": reply.mediaType,
          "content-disposition": contentDisposition("attachment", reply.filename),
        }),
        body: reply.stream,
        onBroken,
      };
    case "pieces": {
      const pieces = parts.checkAnswers ? checkedPieces(endpoint, reply.pieces) : reply.pieces;
      const tag = reply.etag !== undefined && { etag: quoted(reply.etag) };
      const { status, headers } = jsonAnswer(endpoint.status, "", { ...tag });
      const body = Readable.from(inLine(parts.large, who, pieces), { highWaterMark: 1 });
      return { status, headers, body, isText: true, onBroken };
    }
    case "json":
    case "body": {
      const json = reply.type === "json" ? reply.json : JSON.stringify(reply.body);
      if (parts.checkAnswers) checkAnswer(endpoint, json);
      const etag = reply.etag ?? (endpoint.conditional ? tagOf(json) : undefined);
      if (etag !== undefined && isFresh(request.headers.get("if-none-match"), etag)) {
        return unchangedAnswer(quoted(etag));
      }
      return jsonAnswer(endpoint.status, json, {
        ...(etag !== undefined && { etag: quoted(etag) }),
        ...(reply.type === "body" && reply.cookie && { "set-cookie": cookieText(reply.cookie, context) }),
      });
    }
  }
}

/** Begins when there is a place for it, and gives that back whether it is read to its end or not. */
async function* inLine(large: Limiter, who: string, pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  const leave = await large.enter({ share: [who] });
  try {
    await eventLoopTurn();
    for await (const piece of pieces) {
      yield Buffer.from(piece);
      await eventLoopTurn();
    }
  } finally {
    leave();
  }
}

/** All pieces but the last go out at once; the last one only if the whole keeps the contract. */
async function* checkedPieces(endpoint: Endpoint, pieces: AsyncIterable<string>): AsyncGenerator<string> {
  const given: string[] = [];
  for await (const piece of pieces) {
    const before = given.at(-1);
    given.push(piece);
    if (before !== undefined) yield before;
  }
  checkAnswer(endpoint, given.join(""));
  yield given.at(-1) ?? "";
}

/**
 * The tag of an answer whose handler knows none, as of lists: it is another one with each change that the client could see,
 * whatever brought it, and costs those who change something nothing.
 */
function tagOf(json: string): string {
  return createHash("sha256").update(json).digest("base64url").slice(0, 22);
}

/** Weak: the same content goes out in several encodings. */
function quoted(etag: string): string {
  return /^(W\/)?"/.test(etag) ? etag : `W/"${etag}"`;
}

/** What really goes over the wire against the contract, so that a wrong answer is an error here and not at a client. */
function checkAnswer(endpoint: Endpoint, json: string): void {
  if (typeof endpoint.response === "string") throw new Error(`${endpoint.name} must not answer JSON`);
  const result = endpoint.response.safeParse(JSON.parse(json));
  if (result.success) return;
  const [issue] = result.error.issues;
  throw new ServiceError("internal", {
    cause: new Error(
      `${endpoint.name} answers against the contract at ${issue?.path.join(".")}: ${issue?.message}`,
    ),
  });
}
