/** What a model has written in one answer, and what of it was thought. */
interface Divided {
  readonly text: string;
  readonly thought: string;
}

const begin = "<think>";
const end = "</think>";

/**
 * Divides an answer in which its server has left what an open model thinks before it speaks.
 * @param isCut whether the answer may have ended before the thought did
 */
export function divideThought(text: string, isCut: boolean): Divided {
  const isBegun = text.trimStart().startsWith(begin);
  const at = text.indexOf(end);
  if (at < 0) return isBegun && isCut ? { text: "", thought: thoughtIn(text) } : { text, thought: "" };
  const [before, after] = [text.slice(0, at), text.slice(at + end.length)];
  // Where the template has begun the thought in the model's place, only its end is written: on a line of its own.
  const isAlone = `${before.split("\n").at(-1)}${after.split("\n", 1)[0]}`.trim() === "";
  if (!isBegun && (before.includes(begin) || !isAlone)) return { text, thought: "" };
  return { text: after.trimStart(), thought: thoughtIn(before) };
}

const thoughtIn = (text: string) => text.trim().replace(begin, "").trim();
