import { useEffect, useMemo } from "react";
import { newId } from "../../api/ids.ts";
import { Store } from "../../api/store.ts";
import { useApi } from "../../lib/api.tsx";
import type { Drafts } from "../../lib/history/drafts.ts";
import { useStore } from "../../lib/useStore.ts";

/** A message that waits for the end of a turn. */
export interface Queued {
  /** Also its idempotency key. */
  readonly id: string;
  readonly text: string;
  /** When it was written, in ms since 1970. */
  readonly at: number;
  /** Where it goes; null in one that an earlier console kept. */
  readonly agentId: string | null;
  readonly agentName: string | null;
  /** The team it belongs to; null: only to the person. */
  readonly projectId: string | null;
  /** The page that sends it, and since when. One that was closed meanwhile leaves it so: nobody knows whether it went. */
  readonly sending: { readonly by: string; readonly at: number } | null;
  /** Why it was not taken: it goes no more by itself. */
  readonly problem: string | null;
  /** The person wants it to go now, however the turn ended. */
  readonly isAsked: boolean;
}

type ToQueue = Pick<Queued, "text" | "agentId" | "agentName" | "projectId">;

/** Of the drafts that are messages in wait; after it the conversation. */
const prefix = "outbox ";
const none: readonly Queued[] = [];

/**
 * The messages that wait, by conversation, in order. Kept like drafts, so that they outlive their page, and shared by all
 * tabs: whoever claims one sends it, and nobody else does.
 */
export class Outbox {
  readonly waiting: Store<ReadonlyMap<string, readonly Queued[]>>;
  readonly #drafts: Drafts;
  readonly #now: () => number;
  /** This page among the tabs; another one after a reload. */
  readonly #page = newId();

  constructor(drafts: Drafts, now: () => number) {
    this.#drafts = drafts;
    this.#now = now;
    this.waiting = new Store(this.#read());
  }

  /** Begins to follow what this and other tabs do; the returned function ends it. */
  readonly open = (): (() => void) => {
    const waiting = this.#read();
    // Where nothing waits, nothing changes: a page that was just drawn would be drawn again for it.
    if (waiting.size > 0 || this.waiting.get().size > 0) this.waiting.set(waiting);
    return this.#drafts.subscribe((name) => {
      if (name.startsWith(prefix)) this.waiting.set(this.#read());
    });
  };

  readonly of = (interactionId: string): readonly Queued[] => this.waiting.get().get(interactionId) ?? none;

  readonly add = (interactionId: string, message: ToQueue): Promise<void> => {
    const queued = { ...message, id: newId(), at: this.#now(), sending: null, problem: null, isAsked: false };
    return this.#change(interactionId, (list) => [...list, queued]);
  };

  readonly remove = (interactionId: string, id: string): Promise<void> =>
    this.#change(interactionId, (list) => list.filter((one) => one.id !== id));

  /** Takes one back that is not on its way. @returns false where it is by now, also from another tab, or is gone */
  readonly takeBack = async (interactionId: string, id: string): Promise<boolean> => {
    let isTaken = false;
    await this.#change(interactionId, (list) => {
      const left = list.filter((one) => one.id !== id || stateOfQueued(one, this.#now()) === "sending");
      isTaken = left.length < list.length;
      return left;
    });
    return isTaken;
  };

  /** The person wants it sent now. */
  readonly ask = (interactionId: string, id: string): Promise<void> =>
    this.#alter(interactionId, id, { sending: null, problem: null, isAsked: true });

  /** Takes the first message for this page to send. @returns false where another tab has it, or it is gone */
  readonly claim = async (interactionId: string, id: string): Promise<boolean> => {
    let isMine = false;
    await this.#change(interactionId, (list) => {
      const [first, ...rest] = list;
      isMine = first?.id === id && first.sending === null && first.problem === null;
      if (!isMine || first === undefined) return list;
      return [{ ...first, sending: { by: this.#page, at: this.#now() } }, ...rest];
    });
    return isMine;
  };

  /** It was not taken. @param problem why; null: it waits on */
  readonly release = (interactionId: string, id: string, problem: string | null): Promise<void> =>
    this.#alter(interactionId, id, { sending: null, problem, isAsked: false });

  #alter(interactionId: string, id: string, part: Partial<Queued>): Promise<void> {
    return this.#change(interactionId, (list) =>
      list.map((one) => (one.id === id ? { ...one, ...part } : one)),
    );
  }

  async #change(
    interactionId: string,
    change: (list: readonly Queued[]) => readonly Queued[],
  ): Promise<void> {
    await this.#drafts.change(prefix + interactionId, (kept) => {
      const next = change(parse(kept));
      return next.length === 0 ? undefined : next;
    });
  }

  #read(): ReadonlyMap<string, readonly Queued[]> {
    const lists = this.#drafts
      .names(prefix)
      .map((name) => [name.slice(prefix.length), parse(this.#drafts.get(name))] as const);
    return new Map(lists.filter(([, list]) => list.length > 0));
  }
}

function parse(kept: unknown): readonly Queued[] {
  return Array.isArray(kept) ? kept.flatMap((one) => parseOne(one) ?? []) : none;
}

function parseOne(kept: unknown): Queued | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { id, text, at, agentId, agentName, projectId, sending, problem, isAsked } = kept as Record<
    keyof Queued,
    unknown
  >;
  if (typeof id !== "string" || typeof text !== "string" || typeof at !== "number") return null;
  const textOr = (value: unknown) => (typeof value === "string" ? value : null);
  const by = (sending ?? {}) as { by?: unknown; at?: unknown };
  return {
    id,
    text,
    at,
    agentId: textOr(agentId),
    agentName: textOr(agentName),
    projectId: textOr(projectId),
    sending: typeof by.by === "string" && typeof by.at === "number" ? { by: by.by, at: by.at } : null,
    problem: textOr(problem),
    isAsked: isAsked === true,
  };
}

/** How long a call may take before the page that made it must be gone, in ms. */
const callTimeoutMs = 120_000;
/** Whoever comes back after so long may no longer mean what was written, in ms. */
const longest = 24 * 3_600_000;

/**
 * `waits`: goes by itself when the turn ends. `sending`: is on its way. `unclear`: its page was closed on the way.
 * `refused`: was not taken. `old`: waited so long that its writer is asked first.
 */
export type QueuedState = "waits" | "sending" | "unclear" | "refused" | "old";

/** @param now ms since 1970 */
export function stateOfQueued(one: Queued, now: number): QueuedState {
  if (one.problem !== null) return "refused";
  if (one.sending !== null) return now - one.sending.at < callTimeoutMs ? "sending" : "unclear";
  return one.isAsked || now - one.at < longest ? "waits" : "old";
}

/** The messages that wait for the end of a turn, by conversation, and what can be done with them. */
export function useOutbox(): { outbox: Outbox; waiting: ReadonlyMap<string, readonly Queued[]> } {
  const { drafts, clock } = useApi();
  const outbox = useMemo(() => new Outbox(drafts, clock.now), [drafts, clock]);
  useEffect(() => outbox.open(), [outbox]);
  return { outbox, waiting: useStore(outbox.waiting) };
}
