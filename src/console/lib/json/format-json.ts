/** A text in quotes, punctuation, or any other value. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;
/** What cannot be seen, or turns the reading direction. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Deeper than this nothing is set further to the right: the indents of a hostile text would be the most of it. */
const deepest = 40;

/**
 * JSON on lines of its own, so that it can be read and compared line by line. It works on the text: numbers of any length
 * and keys that come twice stay as they were written. Characters that cannot be seen are written as `\u202e`, which says the
 * same to whoever reads the JSON (C-08).
 */
export function formatJson(text: string): string {
  let depth = 0;
  let out = "";
  let before = "";
  const newLine = () => `\n${"  ".repeat(Math.min(depth, deepest))}`;
  for (const [found] of text.matchAll(token)) {
    const opened = before === "{" || before === "[";
    if (found === "}" || found === "]") {
      depth = Math.max(0, depth - 1);
      out += opened ? found : newLine() + found;
    } else {
      if (opened || before === ",") out += newLine();
      out += found === ":" ? ": " : found.replaceAll(invisible, escaped);
      if (found === "{" || found === "[") depth += 1;
    }
    before = found;
  }
  return out;
}

const escaped = (one: string): string =>
  [...Array(one.length).keys()]
    .map((at) => `\\u${one.charCodeAt(at).toString(16).padStart(4, "0")}`)
    .join("");
