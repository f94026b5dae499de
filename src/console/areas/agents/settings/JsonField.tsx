import { useId } from "react";
import { CodeEditor } from "../../../lib/code-editor/CodeEditor.tsx";
import {
  type JsonReading,
  problemWords,
  readJson,
  readJsonObjects,
} from "../../../lib/code-editor/read-json.ts";
import type { AgentForm } from "./form.ts";
import { useHeldText } from "./useHeldText.ts";

type Props = {
  form: AgentForm;
  label: string;
  path: string;
  value: unknown;
  offReason: string | undefined;
  /** `objects`: only a list of objects will do. */
  wants?: "any" | "objects";
  onValue: (value: unknown) => void;
};

const show = (value: unknown): string => JSON.stringify(value, null, 2) ?? "null";

/** A value as JSON, read while it is typed; what is wrong is said with its line. */
export function JsonField({ form, label, path, value, offReason, wants = "any", onValue }: Props) {
  const errorId = useId();
  const read: (text: string) => JsonReading = wants === "objects" ? readJsonObjects : readJson;
  const { text, failed, setText } = useHeldText<JsonReading>(form, path, value, {
    read,
    show,
    write: onValue,
  });
  const lines = text.split("\n").length;
  return (
    <>
      <CodeEditor
        label={label}
        language="json"
        value={text}
        onChange={setText}
        isReadOnly={offReason !== undefined}
        isInvalid={failed !== null}
        describedBy={failed ? errorId : undefined}
        note={`${lines} ${lines === 1 ? "line" : "lines"}`}
      />
      <p id={errorId} aria-live="polite" className="mt-1 text-secondary text-state-failed-fg empty:mt-0">
        {failed && `${problemWords(failed.problem)}. Kept as you typed it; it can be saved once it is JSON.`}
      </p>
    </>
  );
}
