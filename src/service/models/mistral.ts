import type { ProviderSettings } from "./settings.ts";
import type { ModelMessage } from "./types.ts";

const host = /(?:^|\.)mistral\.ai$/;
const name = /(?:mis|mix|pix|vox)tral|(?:mini|magi|code|dev)stral/i;

/** Whether a model is one of Mistral's, also where others serve it: they refuse what all others take. @param model the provider's own name of it */
export function isMistral({ kind, baseUrl }: ProviderSettings, model: string): boolean {
  return kind === "compatible" && (host.test(new URL(baseUrl).hostname) || name.test(model));
}

/** With an answer between what tools answered and what is asked next: of a turn that was stopped there is none. */
export function withAnswers(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.flatMap((message, index): ModelMessage[] => {
    const isUnanswered = message.role === "user" && messages[index - 1]?.role === "tool";
    return isUnanswered ? [{ role: "assistant", text: stopped, toolCalls: [] }, message] : [message];
  });
}

const stopped = "(The turn ended before I could answer.)";
