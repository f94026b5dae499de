import { isMistral } from "./mistral.ts";
import type { ProviderSettings } from "./settings.ts";
import type { ModelMessage } from "./types.ts";

/** How the calls of a conversation are named for one model. */
export interface CallIds {
  /** The ids that it takes. */
  readonly takes: RegExp;
  /** Another id in the place of one that it does not take, or that is there already; numbers from 1 until one is free. */
  readonly make: (id: string, number: number) => string;
}

/** With room for a number. What servers that only speak the protocol take nobody knows; some read meaning from theirs. */
const takes: Readonly<Record<ProviderSettings["kind"], RegExp>> = {
  openai: /^.{1,36}$/su,
  anthropic: /^[A-Za-z0-9_-]+$/,
  compatible: /^/,
};

/** Mistral's models refuse any id that is not as theirs. */
const mistral: CallIds = {
  takes: /^[A-Za-z0-9]{9}$/,
  make: (_, number) => `call${number.toString().padStart(5, "0")}`,
};

/** @param model the provider's own name of it */
export function callIdsOf(provider: ProviderSettings, model: string): CallIds {
  if (isMistral(provider, model)) return mistral;
  const { kind } = provider;
  return { takes: takes[kind], make: (id, number) => (number === 1 ? id : `${id}_${number}`) };
}

/**
 * Gives each tool call of a conversation an id that no other call of it has, and that its provider takes: many models number
 * the calls of every answer anew, some providers refuse an id that comes twice, and a conversation may have begun with
 * another provider's model. An id that comes for the first time and is taken stays.
 * @param messages each with tool answers follows the one that asked for them, and answers in the order of its calls
 */
export function withOwnCallIds(messages: readonly ModelMessage[], { takes, make }: CallIds): ModelMessage[] {
  const taken = new Set<string>();
  const own = (id: string) => {
    const isTaken = takes.test(id);
    let free = isTaken ? id : make("call", 1);
    for (let number = 2; taken.has(free); number++) free = make(isTaken ? id : "call", number);
    taken.add(free);
    return free;
  };
  let asked: readonly string[] = [];
  return messages.map((message) => {
    if (message.role === "assistant") {
      const toolCalls = message.toolCalls.map((call) => ({ ...call, id: own(call.id) }));
      asked = toolCalls.map(({ id }) => id);
      return { ...message, toolCalls };
    }
    if (message.role === "user") return message;
    return {
      ...message,
      answers: message.answers.map((answer, index) => ({ ...answer, id: asked[index] ?? answer.id })),
    };
  });
}
