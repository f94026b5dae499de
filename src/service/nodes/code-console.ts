import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten";

/** Of one node, in all; further lines are counted only. */
const maxLines = 10_000;
const maxCharacters = 8_000_000;
/** The longest line, in characters; the log itself has room for no more. */
const maxLineLength = 8_000;

/** What the code has logged, up to a limit. */
export interface Lines {
  add(text: string): void;
  /** Says how many were left out. */
  end(): void;
}

/** @param send takes lines as they come, with line breaks between them */
export function createLines(send: (text: string) => void): Lines {
  let lines = 0;
  let characters = 0;
  let leftOut = 0;
  return {
    add(text) {
      const all = text.split("\n").map(short);
      let room = Math.min(all.length, maxLines - lines);
      let size = 0;
      for (let at = 0; at < room; at++) {
        size += all[at]?.length ?? 0;
        if (characters + size > maxCharacters) room = at;
      }
      leftOut += all.length - room;
      if (room === 0) return;
      // What comes after one that was left out would look as if it came right after the last that is there.
      if (leftOut > 0) lines = maxLines;
      else lines += room;
      characters += size;
      send(all.slice(0, room).join("\n"));
    },
    end() {
      if (leftOut === 0) return;
      const what = leftOut === 1 ? "line is" : "lines are";
      send(`${leftOut.toLocaleString("en")} further ${what} left out`);
    },
  };
}

const short = (line: string) =>
  line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength - 100)}… (${line.length} characters)`;

/** As text for the log: of the sandbox's own, as some values run code of theirs when they are looked at. */
const shown = `(({ stringify }, String, Error) => (value) => {
  try {
    if (typeof value === "string") return value;
    if (value instanceof Error) return String(value);
    const json = stringify(value, (key, inner) => typeof inner === "bigint" ? String(inner) : inner);
    if (typeof value === "bigint" || typeof json !== "string" || value !== value) return String(value);
    return json;
  } catch {
    return String(value);
  }
})(JSON, String, Error)`;

/**
 * `console.log` and its siblings, all into the log; values other than text as JSON. They give nothing back and throw
 * nothing: whatever a function of ours returned or threw would be the code's.
 * @param isOver the code has to end: it only does outside of what it has shown, so nothing is shown any more
 * @returns what is to be disposed of before the context
 */
export function defineConsole(context: QuickJSContext, lines: Lines, isOver: () => boolean): QuickJSHandle {
  const toText = context.unwrapResult(context.evalCode(shown, "console.js"));
  const show = (value: QuickJSHandle): string => {
    const result = context.callFunction(toText, context.undefined, value);
    if (result.error) {
      result.error.dispose();
      return unshown;
    }
    return result.value.consume((text) => textOf(context, text) ?? unshown);
  };
  const console = context.newObject();
  for (const name of ["log", "info", "warn", "error", "debug"]) {
    const write = context.newFunction(name, (...values) => {
      if (isOver()) return;
      try {
        lines.add(values.map(show).join(" "));
      } catch {
        lines.add(unshown);
      }
    });
    write.consume((handle) => context.setProp(console, name, handle));
  }
  console.consume((handle) => context.setProp(context.global, "console", handle));
  return toText;
}

const unshown = "(a value that cannot be shown)";

/** The text that a handle is; null for anything else. */
export function textOf(context: QuickJSContext, handle: QuickJSHandle): string | null {
  return context.typeof(handle) === "string" ? context.getString(handle) : null;
}
