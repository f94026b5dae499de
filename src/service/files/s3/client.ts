import { createHash } from "node:crypto";
import type { LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, type Dispatcher, request as send } from "undici";
import type { S3Place } from "../../config.ts";
import { readRetryAfter } from "../../outgoing/retry-after.ts";
import {
  codeOfRefusal,
  connectionError,
  isPassing,
  isSkewed,
  refusalError,
  type S3Action,
  type S3Refusal,
} from "./failure.ts";

export interface S3Request {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "DELETE";
  /** Which right it needs. */
  readonly action: S3Action;
  /** Below the place's prefix; absent: the bucket itself. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** In lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Statuses that are answers although they are no success. */
  readonly expects?: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

export interface S3Answer {
  readonly status: number;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whoever gets it reads or destroys it. */
  readonly body: Readable;
}

/** Sends signed requests to one bucket, each of which may be sent again. */
export interface S3Client {
  /** @throws FilesError; the signal's reason */
  open(request: S3Request): Promise<S3Answer>;
  /** The same with the answer's text, for answers that are short. */
  ask(request: S3Request): Promise<S3Refusal>;
}

/** How long and how often something is tried. In milliseconds. */
export interface S3Limits {
  /** Of a connection. */
  readonly connectMs: number;
  /** Until the answer to a read of a file begins: somebody waits for it. */
  readonly answerMs: number;
  /** Without a byte in either direction, for all else. */
  readonly silenceMs: number;
  readonly attempts: number;
  readonly firstWaitMs: number;
  /** After so long no new attempt is begun. */
  readonly lastBeginMs: number;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Finds the addresses of names; default the system. */
  readonly lookup?: LookupFunction;
}

/** Whoever waits for a file hears within about ten seconds that there is none now. */
export const usualLimits: S3Limits = {
  connectMs: 4_000,
  answerMs: 5_000,
  silenceMs: 15_000,
  attempts: 5,
  firstWaitMs: 200,
  lastBeginMs: 8_000,
  random: Math.random,
};

/** A longer `Retry-After` is not waited for here: whoever asked waits, and asks again. */
const longestWaitMs = 3_000;
const most = { connections: 64, shortAnswer: 2_000_000, refusal: 64 * 1024 };
/** A larger body is sent in pieces, so that silence is told from a slow line. */
const piece = 256 * 1024;
/** A clock that differs by less is not what a refusal is about. In milliseconds. */
const noticedMs = 60_000;
const emptyDigest = createHash("sha256").digest("hex");

/**
 * Not through the guarded fetch of `outgoing`: whoever runs the service names the address, which may be private, and files are
 * longer than what comes from strangers may be.
 * @param limits for tests, which cannot wait so long
 */
export function createS3Client(place: S3Place, limits: S3Limits = usualLimits): S3Client {
  const agent = new Agent({
    connect: { timeout: limits.connectMs, ...(limits.lookup && { lookup: limits.lookup }) },
    connections: most.connections,
    bodyTimeout: limits.silenceMs,
    maxHeaderSize: 64 * 1024,
    // An idle connection must not hold up the end of the process.
    keepAliveTimeout: 4_000,
  });
  /** By how much the store's clock is ahead of this machine's, as far as it minds. In milliseconds. */
  let aheadMs = 0;

  /** Whether the store told its time with a refusal of ours, and it is another than we took it for. */
  function learnsTime({ headers }: S3Refusal): boolean {
    const ms = Date.parse(headers.date ?? "") - Date.now();
    if (Number.isNaN(ms) || Math.abs(ms - aheadMs) < noticedMs) return false;
    aheadMs = ms;
    return true;
  }

  async function attempt(request: S3Request): Promise<Dispatcher.ResponseData> {
    const { method, key, body, signal } = request;
    const isRead = key !== undefined && (method === "GET" || method === "HEAD");
    const { url, headers } = await sign(place, request, new Date(Date.now() + aheadMs));
    const sent = body === undefined || body.length <= piece ? (body ?? null) : Readable.from(piecesOf(body));
    const length = { "content-length": String(body?.length ?? 0) };
    return await send(url, {
      ...{ dispatcher: agent, method, body: sent, signal: signal ?? null },
      headersTimeout: isRead ? limits.answerMs : limits.silenceMs,
      headers: { ...headers, ...(method === "PUT" || method === "POST" ? length : {}) },
    });
  }

  async function open(request: S3Request): Promise<S3Answer> {
    const begun = performance.now();
    const { signal, action, expects = [] } = request;
    for (let tries = 1; ; tries++) {
      let failure: unknown;
      let askedMs = 0;
      try {
        const { statusCode: status, headers: given, body } = await attempt(request);
        const headers = plainHeaders(given);
        if (status >= 200 && status < 300) return { status, headers, body };
        const text = await textOf(body, most.refusal).catch(() => "");
        const refusal = { status, headers, text };
        // What is not there because its bucket is not must not be taken for removed.
        if (expects.includes(status) && codeOfRefusal(refusal) !== "NoSuchBucket")
          return { status, headers, body: Readable.from([Buffer.from(text)]) };
        failure = refusalError(place, action, refusal, new Date());
        // The answer to HEAD does not say why.
        const mayBeSkewed = isSkewed(refusal) || (status === 403 && text === "");
        if (mayBeSkewed && tries < limits.attempts && learnsTime(refusal)) continue;
        if (!isPassing(refusal)) throw failure;
        askedMs = readRetryAfter(headers) ?? 0;
      } catch (error) {
        signal?.throwIfAborted();
        if (error === failure) throw error;
        failure = connectionError(place, error);
      }
      const backoff = limits.firstWaitMs * 2 ** (tries - 1) * (0.5 + limits.random() / 2);
      const waitMs = Math.max(Math.min(backoff, longestWaitMs), askedMs);
      const isLate = performance.now() - begun + waitMs > limits.lastBeginMs;
      if (tries >= limits.attempts || waitMs > longestWaitMs || isLate) throw failure;
      await delay(waitMs, undefined, { signal });
    }
  }

  return {
    open,
    async ask(request) {
      const { status, headers, body } = await open(request);
      try {
        return { status, headers, text: await textOf(body, most.shortAnswer) };
      } catch (error) {
        request.signal?.throwIfAborted();
        throw connectionError(place, error);
      }
    },
  };
}

/** Signed by the digest of its body, which the store compares with what it gets. @param at by the store's clock */
async function sign(place: S3Place, { method, key, query, headers, body }: S3Request, at: Date) {
  const { accessKeyId, secretAccessKey, sessionToken } = place.credentials;
  const digest = body === undefined ? emptyDigest : createHash("sha256").update(body).digest("hex");
  const signed = await new AwsV4Signer({
    ...{ method, url: addressOf(place, key, query), accessKeyId, secretAccessKey },
    headers: { ...headers, "x-amz-content-sha256": digest },
    ...(sessionToken === null ? {} : { sessionToken }),
    ...{ service: "s3", region: place.region },
    datetime: at.toISOString().replaceAll(/[:-]|\.\d{3}/g, ""),
  }).sign();
  return { url: signed.url, headers: Object.fromEntries(signed.headers) };
}

function addressOf(place: S3Place, key = "", query: Readonly<Record<string, string>> = {}): string {
  const url = new URL(place.endpoint);
  const { bucket, prefix } = place;
  const path = key === "" ? "" : prefixed(prefix, key);
  if (place.addressing === "virtual") url.hostname = `${bucket}.${url.hostname}`;
  const base = url.pathname.replace(/\/$/, "");
  url.pathname = place.addressing === "virtual" ? `${base}/${path}` : `${base}/${bucket}/${path}`;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

/** A key as the bucket has it. */
export const prefixed = (prefix: string, key: string) => (prefix === "" ? key : `${prefix}/${key}`);

function* piecesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += piece) yield body.subarray(at, at + piece);
}

function plainHeaders(
  given: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(given))
    if (value !== undefined) headers[name] = typeof value === "string" ? value : value.join(", ");
  return headers;
}

/** @throws where there is more, or where it is cut off */
async function textOf(body: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limit) throw new Error("an answer is longer than such answers are");
  }
  return Buffer.concat(chunks).toString("utf8");
}
