import { useCallback, useState } from "react";
import { useApi } from "../../../components/api-context.tsx";
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

/**
 * The draft of a flow's inputs: kept in this browser while it is typed (a 401, a reload or a crash loses nothing),
 * begun with `given` where something is to be filled in.
 */
export function useStartDraft(flowId: string, given: Readonly<Record<string, unknown>> | null) {
  const { drafts } = useApi();
  const place = `start ${flowId}`;
  const [draft, setDraft] = useState<StartDraft>(() =>
    given ? ofBody(given) : (parse(drafts.get(place)) ?? { values: {}, text: "{}" }),
  );
  const keep = useCallback(
    (next: StartDraft) => {
      setDraft(next);
      void drafts.set(place, next);
    },
    [drafts, place],
  );
  const clear = useCallback(() => {
    setDraft({ values: {}, text: "{}" });
    void drafts.remove(place);
  }, [drafts, place]);

  return {
    draft,
    setValue: (name: string, value: string | undefined) => {
      const { [name]: _, ...others } = draft.values;
      const values = value === undefined ? others : { ...draft.values, [name]: value };
      // What the form does not show (numbers, lists, other fields) stays as the text has it.
      const read = readBody(draft.text);
      const rest = read.ok
        ? Object.entries(read.body).filter(([key]) => !(key in draft.values) && key !== name)
        : [];
      keep({ values, text: JSON.stringify({ ...Object.fromEntries(rest), ...bodyOfForm(values) }, null, 2) });
    },
    setText: (text: string) => {
      const read = readBody(text);
      keep({ values: read.ok ? formOfBody(read.body, Object.keys(read.body)) : draft.values, text });
    },
    clear,
  };
}

function ofBody(body: Readonly<Record<string, unknown>>): StartDraft {
  return { values: formOfBody(body, Object.keys(body)), text: JSON.stringify(body, null, 2) };
}
