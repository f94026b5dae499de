import { newId } from "../api/ids.ts";
import { Store } from "../api/store.ts";
import type { KeyValue } from "./key-value.ts";
import { type KnownConversation, parseKnownConversation } from "./known-conversation.ts";

/** What is known when the first message of a conversation is about to be sent. `id` is the call's idempotency key. */
export interface ConversationToStart {
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string | null;
  readonly projectId: string | null;
  readonly message: string;
}

type Facts = Partial<Pick<KnownConversation, "agentId" | "agentName" | "name" | "projectId">> & {
  readonly last?: { readonly state: string | null; readonly createdTs: string | null };
};

const kept = 2_000;
const nameLength = 80;
/** Enough to show what was asked; the service has the whole of it. */
const askedLength = 20_000;

/**
 * The conversations that this browser knows for one identity: started here, or opened by address. A start is written
 * down before it is sent, so that no reload or crash loses one.
 */
export class Conversations {
  /** Newest first. */
  readonly list = new Store<readonly KnownConversation[]>([]);
  readonly #store: KeyValue;
  readonly #prefix: string;
  readonly #now: () => number;
  #loaded: Promise<void> | null = null;

  constructor(store: KeyValue, identity: string, now: () => number = Date.now) {
    this.#store = store;
    this.#prefix = `conversation ${identity} `;
    this.#now = now;
  }

  /** Reads what is kept, once. Corrupted entries are thrown away; a start cut off by a reload becomes `unclear`. */
  readonly load = (): Promise<void> => {
    this.#loaded ??= this.#read();
    return this.#loaded;
  };

  readonly find = (interactionId: string): KnownConversation | undefined =>
    this.list.get().find((one) => one.interactionId === interactionId);

  /** Writes down a conversation before its first message goes out. */
  readonly begin = ({ id, agentId, agentName, projectId, message }: ConversationToStart): Promise<void> =>
    this.#put({
      ...this.#blank(id),
      agentId,
      agentName,
      projectId,
      provenance: "started-here",
      start: "sending",
      name: nameOf(message),
      asked: this.#asked(message),
    });

  /** The service has started it. */
  readonly started = (id: string, interactionId: string): Promise<void> =>
    this.#change(id, { interactionId, start: "started", error: null });

  /** @param surely the service said no; false: nothing came back, so it may have started */
  readonly failed = (id: string, surely: boolean, error: string | null): Promise<void> =>
    this.#change(id, { start: surely ? "refused" : "unclear", error });

  /** Notes the message that continues a conversation, before it goes out. */
  readonly asked = (interactionId: string, message: string): Promise<void> => {
    const base = this.find(interactionId) ?? { ...this.#blank(newId()), interactionId };
    return this.#put({ ...base, asked: this.#asked(message) });
  };

  /** Notes what a read said of a conversation. Creates the record where it is new. */
  readonly saw = async (interactionId: string, facts: Facts): Promise<void> => {
    const { last, ...rest } = facts;
    const known = this.find(interactionId);
    const base = known ?? { ...this.#blank(newId()), interactionId };
    const next: KnownConversation = {
      ...base,
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value != null)),
      ...(last && { last: { ...last, seenAt: this.#now() } }),
    };
    if (known && sameButSeenAt(known, next)) return;
    await this.#put(next);
  };

  /** Takes a conversation off the list; the conversation itself is not touched. */
  readonly forget = async (id: string): Promise<void> => {
    this.list.set(this.list.get().filter((one) => one.id !== id));
    await this.#store.remove([this.#prefix + id]);
  };

  #blank(id: string): KnownConversation {
    return {
      id,
      interactionId: null,
      start: "started",
      provenance: "opened",
      agentId: null,
      agentName: null,
      name: null,
      projectId: null,
      knownAt: this.#now(),
      asked: null,
      last: null,
      error: null,
    };
  }

  #asked(message: string): KnownConversation["asked"] {
    return { text: message.slice(0, askedLength), at: this.#now() };
  }

  async #read(): Promise<void> {
    const bad: string[] = [];
    const found: KnownConversation[] = [];
    const fresh = new Set(this.list.get().map((one) => one.id));
    for (const [key, value] of await this.#store.read(this.#prefix)) {
      const one = parseKnownConversation(value);
      if (!one) bad.push(key);
      else if (!fresh.has(one.id)) found.push(one.start === "sending" ? { ...one, start: "unclear" } : one);
    }
    const all = [...this.list.get(), ...found].sort((a, b) => b.knownAt - a.knownAt);
    this.list.set(all.slice(0, kept));
    const old = all.slice(kept).map((one) => this.#prefix + one.id);
    if (bad.length + old.length > 0) await this.#store.remove([...bad, ...old]);
  }

  async #change(id: string, part: Partial<KnownConversation>): Promise<void> {
    const one = this.list.get().find((known) => known.id === id);
    if (one) await this.#put({ ...one, ...part });
  }

  async #put(one: KnownConversation): Promise<void> {
    const others = this.list.get().filter((known) => known.id !== one.id);
    this.list.set([one, ...others].sort((a, b) => b.knownAt - a.knownAt));
    await this.#store.write(this.#prefix + one.id, one);
  }
}

/** The beginning of a message, on one line. */
export function nameOf(message: string): string {
  const line = message.slice(0, 400).replaceAll(/\s+/g, " ").trim();
  return line.length > nameLength ? `${line.slice(0, nameLength - 1)}…` : line;
}

function sameButSeenAt(a: KnownConversation, b: KnownConversation): boolean {
  const plain = (one: KnownConversation) =>
    JSON.stringify({ ...one, last: one.last && { ...one.last, seenAt: 0 } });
  return plain(a) === plain(b);
}
