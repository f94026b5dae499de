import { useState } from "react";
import type { DraftKind } from "../../../lib/drafts/draft.ts";
import { useDraft } from "../../../lib/drafts/useDraft.ts";
import { isObject } from "../../../lib/json/json-value.ts";
import { bodyOfForm, formOfBody, readBody } from "./body.ts";

/** What is typed for one flow and not started yet. The form and the text are two views of one body. */
export interface StartDraft {
  /** The form's values; an input without an entry is left to the flow. */
  readonly values: Readonly<Record<string, string>>;
  /** The text of the JSON tab. */
  readonly text: string;
}

/** What was typed before it was known what is kept goes over it, field by field. */
const startDrafts: DraftKind<StartDraft> = {
  read: (kept) => {
    if (!isObject(kept) || !isObject(kept.values) || typeof kept.text !== "string") return null;
    const texts = Object.entries(kept.values).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
    return { values: Object.fromEntries(texts), text: kept.text };
  },
  join: (kept, typed) => {
    const [old, now] = [readBody(kept.text), readBody(typed.text)];
    return {
      values: { ...kept.values, ...typed.values },
      text: old.ok && now.ok ? JSON.stringify({ ...old.body, ...now.body }, null, 2) : typed.text,
    };
  },
};

const nothing: StartDraft = { values: {}, text: "{}" };

/**
 * The draft of a flow's inputs: kept in this browser while it is typed (a 401, a reload or a crash loses nothing).
 * @param from the run whose inputs it begins with; it has a draft of its own
 * @param given what that run was given
 */
export function useStartDraft(
  flowId: string,
  from: string | undefined,
  given: Readonly<Record<string, unknown>> | null,
) {
  const place = from === undefined ? `start ${flowId}` : `start ${flowId} from ${from}`;
  const [begun] = useState(() => (given ? ofBody(given) : nothing));
  const kept = useDraft(place, startDrafts);
  const draft = kept.draft ?? begun;
  return {
    draft,
    /** Nothing differs from what it began with. */
    isUntouched: draft.text === begun.text,
    setValue: (name: string, value: string | undefined) =>
      kept.change((old) => {
        const before = old ?? begun;
        const { [name]: _, ...others } = before.values;
        const values = value === undefined ? others : { ...before.values, [name]: value };
        return { values, text: JSON.stringify(bodyWith(before, values, name), null, 2) };
      }),
    setText: (text: string) =>
      kept.change((old) => {
        const read = readBody(text);
        return {
          values: read.ok ? formOfBody(read.body, Object.keys(read.body)) : (old ?? begun).values,
          text,
        };
      }),
    /** Back to what it began with. */
    clear: kept.discard,
    beginSend: kept.beginSend,
  };
}

/** The body with one field as it is typed; every other one (numbers, lists, what the form does not show) stays as it is. */
function bodyWith(
  { text }: StartDraft,
  values: StartDraft["values"],
  name: string,
): Readonly<Record<string, unknown>> {
  const read = readBody(text);
  if (!read.ok) return bodyOfForm(values);
  const typed = values[name];
  if (typed !== undefined) return { ...read.body, [name]: typed };
  return Object.fromEntries(Object.entries(read.body).filter(([key]) => key !== name));
}

function ofBody(body: Readonly<Record<string, unknown>>): StartDraft {
  return { values: formOfBody(body, Object.keys(body)), text: JSON.stringify(body, null, 2) };
}
