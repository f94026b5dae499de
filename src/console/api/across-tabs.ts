import type { Query, QueryCache, QueryClient, QueryKey } from "@tanstack/react-query";
import type { AcrossTabs, Ask, Connection, How } from "./connection.ts";
import { type Locks, takeTurn } from "./one-at-a-time.ts";
import type { PlainAnswer } from "./plain-answer.ts";
import { once, type PollPolicy } from "./poll.ts";
import { type Moves, pollState } from "./read.ts";
import { recorded, replayed } from "./replay.ts";

/** How tabs of one browser tell each other something: the part of BroadcastChannel that is used. */
export interface TabChannel {
  postMessage(message: unknown): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  close(): void;
}

/** What the browser gives to tabs that know of each other. */
export interface BetweenTabs {
  readonly locks: Locks;
  readonly channel: (name: string) => TabChannel;
  /** A text from which the given one cannot be found out. */
  readonly digest: (text: string) => Promise<string>;
}

/** An answer as one tab tells it to the others. Times are ms since 1970; tabs of one browser have one clock. */
interface Told {
  readonly askedAt: number;
  readonly receivedAt: number;
  readonly answer: PlainAnswer;
}

/** One question that this tab polls. */
interface Question {
  /** Of its lock and its channel. */
  readonly name: string;
  ask: Ask<unknown>;
  channel: TabChannel | null;
  /** Its answers are too long to be told: each tab asks for itself. */
  isLong: boolean;
  /** What was heard is being read. */
  reading: Promise<unknown> | undefined;
  /** Takes what is heard instead of asking. */
  waiting: ((told: Told) => void) | null;
}

/** How long a tab waits for the one that asks, beside twice what the last answer took, in ms. */
const turnTimeoutMs = 2_000;
/** A tab that has told an answer holds its turn so long, so that none asks again before it has heard it; in ms. */
const lingering = 30;

const nothing = () => {};
const policyOf = ({ meta }: Query): PollPolicy =>
  (meta as { policy?: PollPolicy } | undefined)?.policy ?? once;

/**
 * Lets several tabs of one person that poll the same ask once. Whoever asks holds a lock and tells the answer, as it
 * came, on a channel; the others read it as if they had asked, and their next poll is due later. What is taken was
 * asked after what is there had come, and after everything that was changed in this tab; errors are not told. A person
 * who asks anew, a tab that is hidden, and whoever has waited too long ask for themselves.
 */
export function acrossTabs(
  api: Connection,
  queries: QueryClient,
  { locks, channel, digest }: BetweenTabs,
): AcrossTabs {
  const cache = queries.getQueryCache();
  const { now } = api.clock;
  const questionOf = questionsOf(api, cache, { channel, digest }, hear);
  let changedAt = 0;
  queries.getMutationCache().subscribe(({ mutation }) => {
    const status = mutation?.state.status;
    if (status === "success" || status === "error") changedAt = now();
  });

  const isNews = ({ askedAt }: Told, { state }: Query): boolean =>
    askedAt > Math.max(state.dataUpdatedAt, changedAt) && queries.isMutating() === 0;

  function hear(hash: string, question: Question, told: unknown): void {
    const query = cache.get(hash);
    if (!question.channel || !query || !isTold(told)) return;
    if (question.waiting) {
      if (isNews(told, query)) question.waiting(told);
      return;
    }
    if (!isWatching(query)) {
      // Opened again when it is asked here.
      leave(question);
    } else if (query.state.fetchStatus === "idle" && !question.reading && isNews(told, query)) {
      question.reading = readTold(query, question, told)
        .catch(nothing)
        .finally(() => {
          question.reading = undefined;
        });
    }
  }

  /** Whether this tab would ask by itself sooner or later. */
  function isWatching(query: Query): boolean {
    if (api.polling.hidden() || !query.isActive() || query.state.data === undefined) return false;
    return policyOf(query)(pollState(query), api.polling.clock()) !== false;
  }

  /** @returns what was read; the next poll is due from when the other tab got it */
  async function readTold(query: Query, question: Question, told: Told): Promise<unknown> {
    const next = await question.ask(replayed(api, told.answer), { poll: true, previous: query.state.data });
    const isThere = cache.get(query.queryHash) === query && query.state.fetchStatus === "idle";
    if (!isNews(told, query)) return undefined;
    if (isThere) queries.setQueryData(query.queryKey, next, { updatedAt: told.receivedAt });
    return next;
  }

  /** Asks the service, and tells the others. `turn` waits until no other tab asks, and returns what lets the next. */
  async function lead<T>(
    question: Question,
    ask: Ask<T>,
    how: How<T>,
    turn: () => Promise<() => void> = async () => nothing,
  ): Promise<T> {
    let release = nothing;
    let askedAt = 0;
    let linger = 0;
    const begin = async () => {
      release = await turn();
      askedAt = now();
    };
    // After a refusal a person may be asked for another key: nobody waits for that.
    const { via, copy } = recorded(api, begin, () => release());
    try {
      const value = await ask(via, how);
      const answer = await copy();
      question.isLong = answer === null;
      if (answer && tell(question, { askedAt, receivedAt: now(), answer })) linger = lingering;
      return value;
    } finally {
      // Timers of a tab that was hidden meanwhile may be late by a minute.
      if (linger > 0 && !api.polling.hidden()) api.clock.after(linger, release);
      else release();
    }
  }

  /** Asks when no other tab asks the same, unless the answer is heard before. */
  async function leadOrHear<T>(query: Query, question: Question, ask: Ask<T>, how: How<T>): Promise<T> {
    const turn = new AbortController();
    const giveUp = () => turn.abort(how.signal?.reason);
    if (how.signal?.aborted) giveUp();
    how.signal?.addEventListener("abort", giveUp, { once: true });
    const { tookMs = 0 } = (query.state.data ?? {}) as Partial<Moves>;
    let heard: Told | null = null;
    let isSent = false;
    const waiting = (told: Told) => {
      if (isSent) return;
      heard = told;
      turn.abort();
    };
    question.waiting = waiting;
    try {
      return await lead(question, ask, { ...how, signal: turn.signal }, async () => {
        const release = await takeTurn(
          locks,
          question.name,
          turnTimeoutMs + 2 * tookMs,
          api.clock,
          turn.signal,
        );
        isSent = true;
        return release;
      });
    } catch (error) {
      if (!heard || how.signal?.aborted) throw error;
    } finally {
      how.signal?.removeEventListener("abort", giveUp);
      if (question.waiting === waiting) question.waiting = null;
    }
    const { answer }: Told = heard;
    // Such as a 304 about what this tab does not have.
    return ask(replayed(api, answer), how).catch(() => lead(question, ask, how));
  }

  return async <T>(queryKey: QueryKey, ask: Ask<T>, how: How<T>): Promise<T> => {
    const query = cache.find({ queryKey });
    if (!query || policyOf(query) === once) return ask(api, how);
    const question = await questionOf(query, ask as Ask<unknown>, how.signal).catch(() => null);
    // A browser that gives no channel here, or nobody is signed in: then this says so.
    if (!question) return ask(api, how);
    const read = await question.reading;
    // What was asked anew is asked: for a person, after a change, and after an error, which each tab sees for itself.
    const isPoll = how.poll && !query.state.isInvalidated && queries.isMutating() === 0;
    if (isPoll && read !== undefined) return read as T;
    return isPoll && !question.isLong && !api.polling.hidden()
      ? leadOrHear(query, question, ask, how)
      : lead(question, ask, how);
  };
}

/** The questions that this tab polls, until their answers are needed no more. `hear` is told what other tabs say of one. */
function questionsOf(
  api: Connection,
  cache: QueryCache,
  { channel, digest }: Pick<BetweenTabs, "channel" | "digest">,
  hear: (hash: string, question: Question, told: unknown) => void,
) {
  const questions = new Map<string, Question>();
  let of: { readonly secret: string; readonly identity: Promise<string> } | null = null;
  cache.subscribe(({ type, query: { queryHash } }) => {
    const question = type === "removed" && questions.get(queryHash);
    if (!question) return;
    leave(question);
    questions.delete(queryHash);
  });

  /** The same request is the same question only for who has the same key. */
  return async (query: Query, ask: Ask<unknown>, signal?: AbortSignal): Promise<Question> => {
    const secret = (await api.gate.ready(signal))?.secret ?? "";
    if (of?.secret !== secret) {
      for (const one of questions.values()) leave(one);
      questions.clear();
      of = { secret, identity: digest(`${api.base} ${secret}`) };
    }
    const name = `wheelhouse ${await of.identity} ${query.queryHash}`;
    const known = questions.get(query.queryHash);
    const made = { name, isLong: false, reading: undefined, waiting: null };
    const question: Question = known?.name === name ? known : { ...made, ask, channel: null };
    questions.set(query.queryHash, question);
    question.ask = ask;
    if (!question.channel) {
      question.channel = channel(name);
      question.channel.addEventListener("message", ({ data }) => hear(query.queryHash, question, data));
    }
    return question;
  };
}

function leave(question: Question): void {
  question.channel?.close();
  question.channel = null;
}

function tell(question: Question, told: Told): boolean {
  try {
    question.channel?.postMessage(told);
    return true;
  } catch {
    // Too much for the browser: the others ask for themselves.
    return false;
  }
}

function isTold(data: unknown): data is Told {
  const { askedAt, receivedAt, answer } = (data ?? {}) as Partial<Told>;
  return Number.isFinite(askedAt) && Number.isFinite(receivedAt) && typeof answer?.url === "string";
}

/** Lets the polls of a connection ask once for all tabs, where this browser can. */
export function meet(api: Connection, queries: QueryClient, page: Window & typeof globalThis): void {
  const { locks } = page.navigator;
  const { subtle } = page.crypto;
  if (!subtle || !page.BroadcastChannel) return;
  api.acrossTabs = acrossTabs(api, queries, {
    locks,
    channel: (name) => new page.BroadcastChannel(name),
    digest: async (text) => {
      const bytes = await subtle.digest("SHA-256", new TextEncoder().encode(text));
      return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
    },
  });
}
