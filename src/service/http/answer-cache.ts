import { Readable } from "node:stream";
import type { Lasting } from "../areas/handler.ts";
import { isFresh } from "../areas/interactions.ts";
import { type Identity, isCurrent } from "../credentials/authenticate.ts";
import { hashText } from "../credentials/key.ts";
import { BoundedMap } from "../store/bounded-map.ts";
import type { Moment } from "../store/generation.ts";
import { type Answer, unchangedAnswer } from "./answer.ts";
import { type Packed, pack } from "./plain-get.ts";

/** Why an answer may be given again: who asked is still the same, and the handler says that it holds or is unchanged. */
export interface Cacheable extends Lasting {
  readonly identity: Identity;
  /** As the handler gave it. */
  readonly etag: string;
}

/** An answer as it was given, and the one for those who have it already. */
export interface CachedAnswer {
  readonly cacheable: Cacheable;
  /** Null where only the other is known, or this is too large to be kept. */
  readonly whole: Packed | null;
  readonly unchanged: Packed;
}

const maxEntries = 2_000;
const maxBodyLength = 16 * 1024;

/** Answers that are given again while nothing has changed that they depend on: polls. */
export interface AnswerCache {
  /**
   * The same for the same address with the same credential and encodings; null without a credential. Of the credential it
   * has the hash alone.
   */
  keyOf(url: string, authorization: string | undefined, accepted: string | null): string | null;
  find(key: string | null): CachedAnswer | undefined;
  /** Keeps what its handler said holds; nothing else. @param answer as it goes out, without the request's id */
  keep(key: string | null, answer: Answer): void;
}

/** One for each process, empty. */
export function createAnswerCache(): AnswerCache {
  const cache = new BoundedMap<CachedAnswer>(maxEntries);
  return {
    keyOf: (url, authorization, accepted) =>
      authorization === undefined ? null : `${hashText(authorization)} ${accepted ?? ""} ${url}`,
    find: (key) => (key === null ? undefined : cache.get(key)),
    keep(key, answer) {
      const { cacheable: lasting, headers, body, status } = answer;
      if (key === null || lasting === undefined) return;
      const { identity, etag } = lasting;
      const before = cache.get(key);
      const same = before?.cacheable.etag === etag && before.cacheable.identity === identity;
      const small = body !== null && !(body instanceof Readable) && body.length <= maxBodyLength;
      cache.set(key, {
        cacheable: lasting,
        whole: status === 200 && small ? pack(answer) : same ? before.whole : null,
        unchanged: pack(unchangedAnswer(headers.etag ?? "")),
      });
    },
  };
}

/**
 * @param now was asked for after the request came
 * @returns null when it must be made anew
 */
export function fromCache(
  { cacheable: lasting, whole, unchanged }: CachedAnswer,
  ifNoneMatch: string | undefined,
  now: Moment,
): Packed | null {
  if (!isCurrent(lasting.identity, now) || lasting.holds?.() === false) return null;
  return isFresh(ifNoneMatch ?? null, lasting.etag) ? unchanged : whole;
}
