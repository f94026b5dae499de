import { useState } from "react";
import { sameJson } from "../../../lib/json/json-value.ts";
import type { AgentForm } from "./form.ts";

export type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

/**
 * A value that is typed as text: JSON, a number. What can be read becomes the value at each key; what cannot is kept in
 * the draft as it was typed, and the value stays what it was.
 * @param write takes the value that was read
 */
export function useHeldText<R extends Reading>(
  form: AgentForm,
  path: string,
  value: unknown,
  {
    read,
    show,
    write,
  }: { read: (text: string) => R; show: (value: unknown) => string; write: (value: unknown) => void },
) {
  // As it was typed, for as long as it says what the value is: a space or a trailing zero stays.
  const [typed, setTyped] = useState<{ text: string; value: unknown } | null>(null);
  const held = Object.hasOwn(form.texts, path) ? form.texts[path] : undefined;
  const text = held ?? (typed !== null && sameJson(typed.value, value) ? typed.text : show(value));
  const reading = held === undefined ? null : read(held);
  return {
    text,
    /** Why it cannot be read; null where it can. */
    failed: reading !== null && !reading.ok ? (reading as Extract<R, { ok: false }>) : null,
    setText: (next: string) => {
      const now = read(next);
      if (!now.ok) {
        form.hold(path, next);
        return;
      }
      setTyped({ text: next, value: now.value });
      write(now.value);
    },
  };
}
