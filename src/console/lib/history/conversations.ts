import type { KeyValue } from "./key-value.ts";
import { type KnownConversation, parseKnownConversation } from "./known-conversation.ts";
import { Registry, type SeenFacts } from "./registry.ts";

/** What is known when the first message of a conversation is about to be sent. `id` is the call's idempotency key. */
export interface ConversationToStart {
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string | null;
  readonly projectId: string | null;
  readonly message: string;
}

type Facts = Pick<SeenFacts<KnownConversation>, "agentId" | "agentName" | "name" | "projectId" | "last">;

const nameLength = 80;
/** Enough to show what was asked; the service has the whole of it. */
const askedLength = 20_000;

/**
 * The conversations that this browser knows for one identity: started here, or opened by address. A start is written
 * down before it is sent, so that no reload or crash loses one.
 */
export class Conversations extends Registry<KnownConversation> {
  constructor(store: KeyValue, identity: string, now: () => number = Date.now) {
    super(store, `conversation ${identity} `, parseKnownConversation, now, "interactionId");
  }

  readonly find = (interactionId: string): KnownConversation | undefined =>
    this.list.get().find((one) => one.interactionId === interactionId);

  /** Writes down a conversation before its first message goes out. */
  readonly begin = ({ id, agentId, agentName, projectId, message }: ConversationToStart): Promise<void> =>
    this.take([
      {
        ...this.#blank(id),
        agentId,
        agentName,
        projectId,
        provenance: "started-here",
        start: "sending",
        name: nameOf(message),
        asked: this.#asked(message),
      },
    ]);

  /** The service has started it. */
  readonly started = (id: string, interactionId: string): Promise<void> =>
    this.change(id, { interactionId, start: "started", error: null });

  /** Notes the message that continues a conversation, before it goes out. */
  readonly asked = (interactionId: string, message: string): Promise<void> =>
    this.put(this.#known(interactionId), { asked: this.#asked(message) });

  /** Notes what a read said of a conversation. Creates the record where it is new. */
  readonly saw = (interactionId: string, facts: Facts): Promise<void> =>
    this.see(facts, this.#known(interactionId));

  /** The person begins or ends watching a conversation by hand. */
  readonly watch = (interactionId: string, watched: boolean): Promise<void> =>
    this.put(this.#known(interactionId), { watched });

  #known(interactionId: string): KnownConversation {
    return this.find(interactionId) ?? { ...this.#blank(interactionId), interactionId };
  }

  #blank(id?: string): KnownConversation {
    return {
      ...this.blank(id),
      provenance: "opened",
      interactionId: null,
      agentId: null,
      agentName: null,
      name: null,
      asked: null,
    };
  }

  #asked(message: string): KnownConversation["asked"] {
    return { text: message.slice(0, askedLength), at: this.now() };
  }
}

/** The beginning of a message, on one line. */
function nameOf(message: string): string {
  const line = message.slice(0, 400).replaceAll(/\s+/g, " ").trim();
  return line.length > nameLength ? `${line.slice(0, nameLength - 1)}…` : line;
}
