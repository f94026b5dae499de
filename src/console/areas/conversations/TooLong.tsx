import { fits, isBlank, textLimits } from "../../../contract/limits.ts";
import { counted, grouped } from "../../lib/words.ts";
import { Notice } from "../../ui/Notice.tsx";

/** Why a message cannot be sent as it stands, in the words of a button; undefined where it can. */
export function messageFault(text: string): string | undefined {
  if (isBlank(text)) return "Write a message first";
  return isTooLong(text) ? "Shorten the message first" : undefined;
}

const isTooLong = (text: string) => !fits(text, textLimits.message);

/** Says of a message that is too long by how much; nothing of others. What was typed stays. */
export function TooLong({ text }: { text: string }) {
  if (!isTooLong(text)) return null;
  const more = counted(lengthOf(text) - textLimits.message, "character");
  return (
    <Notice kind="failed" look="box" title={`This message is too long by ${more}.`}>
      A message has at most {grouped(textLimits.message)}: shorten it, or send it in parts.
    </Notice>
  );
}

/** In code points, as the service counts. */
function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}
