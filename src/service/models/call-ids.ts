import type { ModelMessage } from "./types.ts";

/**
 * Gives each tool call of a conversation an id that no other call of it has: many models number the calls of every answer
 * anew, and some providers refuse an id that comes twice. An id that comes for the first time stays.
 * @param messages each with tool answers follows the one that asked for them, and answers in the order of its calls
 */
export function withOwnCallIds(messages: readonly ModelMessage[]): ModelMessage[] {
  const taken = new Set<string>();
  const own = (id: string) => {
    let free = id;
    for (let number = 2; taken.has(free); number++) free = `${id}_${number}`;
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
