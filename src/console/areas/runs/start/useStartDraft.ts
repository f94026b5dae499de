import { useCallback, useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { useKept } from "../../../lib/drafts/useDraft.ts";
import { bodyOfForm, formOfBody, readBody } from "./body.ts";

/** What is typed for one flow and not started yet. The form and the text are two views of one body. */
export interface StartDraft {
  /** The form's values; an input without an entry is left to the flow. */
  readonly values: Readonly<Record<string, string>>;
  /** The text of the JSON tab. */
  readonly text: string;
}

const parse = (value: unknown): StartDraft | null => {
  if (value === null || typeof value !== "object") return null;
  const { values, text } = value as { values?: unknown; text?: unknown };
  if (typeof text !== "string" || values === null || typeof values !== "object") return null;
  const texts = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return { values: Object.fromEntries(texts), text };
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
  const { drafts } = useApi();
  const place = from === undefined ? `start ${flowId}` : `start ${flowId} from ${from}`;
  const [begun] = useState(() => (given ? ofBody(given) : nothing));
  const [draft, setDraft] = useState(() => parse(drafts.get(place)) ?? begun);
  useKept(place, (kept) => {
    const found = parse(kept);
    if (found) setDraft(found);
  });
  const keep = useCallback(
    (next: StartDraft) => {
      setDraft(next);
      void drafts.set(place, next, joinDrafts);
    },
    [drafts, place],
  );

  return {
    draft,
    /** Nothing differs from what it began with. */
    isUntouched: draft.text === begun.text,
    setValue: (name: string, value: string | undefined) => {
      const { [name]: _, ...others } = draft.values;
      const values = value === undefined ? others : { ...draft.values, [name]: value };
      keep({ values, text: JSON.stringify(bodyWith(draft, values, name), null, 2) });
    },
    setText: (text: string) => {
      const read = readBody(text);
      keep({ values: read.ok ? formOfBody(read.body, Object.keys(read.body)) : draft.values, text });
    },
    /** Back to what it began with. */
    clear: () => {
      setDraft(begun);
      void drafts.remove(place);
    },
    /** This was sent: it is no draft any more, unless it was changed since. */
    settle: (sent: StartDraft) => void drafts.settle(place, sent),
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

/** What was kept, with what was typed before that was known over it, field by field. */
function joinDrafts(kept: unknown, typed: unknown): unknown {
  const [before, after] = [parse(kept), parse(typed)];
  if (!before || !after) return after ?? before ?? undefined;
  const [old, now] = [readBody(before.text), readBody(after.text)];
  return {
    values: { ...before.values, ...after.values },
    text: old.ok && now.ok ? JSON.stringify({ ...old.body, ...now.body }, null, 2) : after.text,
  };
}
