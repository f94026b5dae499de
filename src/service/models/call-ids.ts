import type { ProviderSettings } from "./settings.ts";
import type { ModelMessage } from "./types.ts";

/** The ids of calls that a provider takes, with room for a number. What others take nobody knows; some read meaning from theirs. */
const takes: Readonly<Record<ProviderSettings["kind"], RegExp>> = {
  openai: /^.{1,36}$/su,
  anthropic: /^[A-Za-z0-9_-]+$/,
  compatible: /^/,
};

/**
 * Gives each tool call of a conversation an id that no other call of it has, and that its provider takes: many models number
 * the calls of every answer anew, some providers refuse an id that comes twice, and a conversation may have begun with
 * another provider's model. An id that comes for the first time and is taken stays.
 * @param messages each with tool answers follows the one that asked for them, and answers in the order of its calls
 */
export function withOwnCallIds(
  messages: readonly ModelMessage[],
  kind: ProviderSettings["kind"],
): ModelMessage[] {
  const taken = new Set<string>();
  const own = (id: string) => {
    const given = takes[kind].test(id) ? id : "call";
    let free = given;
    for (let number = 2; taken.has(free); number++) free = `${given}_${number}`;
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
