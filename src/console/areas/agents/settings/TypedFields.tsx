import ArrowDown from "lucide-react/icons/arrow-down";
import ArrowUp from "lucide-react/icons/arrow-up";
import X from "lucide-react/icons/x";
import { useRef, useState } from "react";
import { CodeEditor } from "../../../lib/code-editor/CodeEditor.tsx";
import {
  type JsonReading,
  problemWords,
  readJson,
  readJsonObjects,
} from "../../../lib/code-editor/read-json.ts";
import { sameJson } from "../../../lib/json/json-value.ts";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Textarea } from "../../../ui/Field.tsx";
import { MenuItem, MoreMenu } from "../../../ui/Menu.tsx";
import { type AgentForm, guard } from "./form.ts";

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
  const read: (text: string) => JsonReading = wants === "objects" ? readJsonObjects : readJson;
  const { text, failed, setText } = useHeldText<JsonReading>(form, path, value, {
    read,
    show,
    write: onValue,
  });
  return (
    <CodeEditor
      label={label}
      language="json"
      value={text}
      onChange={setText}
      isReadOnly={offReason !== undefined}
      problem={
        failed && `${problemWords(failed.problem)}. Your text is kept; it can be saved once it is valid JSON.`
      }
      note={counted(text.split("\n").length, "line")}
    />
  );
}

type Reading = { readonly ok: true; readonly value: unknown } | { readonly ok: false };

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

type TextListProps = {
  label: string;
  /** One of them: "Starter prompt". */
  itemLabel: string;
  items: readonly string[];
  offReason: string | undefined;
  onItems: (items: readonly string[]) => void;
};

/** Texts in an order: written in place, moved by buttons, added at the end. */
export function TextList({ label, itemLabel, items, offReason, onItems }: TextListProps) {
  const all = useRef<HTMLDivElement>(null);
  const isOff = offReason !== undefined;
  const focusAt = (at: number) =>
    requestAnimationFrame(() => {
      const text = all.current?.querySelectorAll("textarea")[at];
      // After the last of them was removed.
      (text ?? all.current?.querySelector("button"))?.focus();
    });
  const move = (from: number, to: number) => {
    const next = items.filter((_, at) => at !== from);
    onItems([...next.slice(0, to), items[from] ?? "", ...next.slice(to)]);
  };
  return (
    <div ref={all}>
      {items.length === 0 ? (
        <p className="text-muted">None</p>
      ) : (
        <ul aria-label={label} className="grid gap-1.5">
          {items.map((item, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: texts have no identity but their place
            <li key={at} className="flex items-start gap-0.5">
              <Textarea
                aria-label={`${itemLabel} ${at + 1}`}
                rows={1}
                value={item}
                {...guard(offReason)}
                onChange={(event) =>
                  onItems(items.map((one, place) => (place === at ? event.target.value : one)))
                }
              />
              {!isOff && (
                <MoreMenu label={`More for ${itemLabel.toLowerCase()} ${at + 1}`}>
                  <MenuItem disabled={at === 0} icon={<ArrowUp />} onSelect={() => move(at, at - 1)}>
                    Move up
                  </MenuItem>
                  <MenuItem
                    disabled={at === items.length - 1}
                    icon={<ArrowDown />}
                    onSelect={() => move(at, at + 1)}
                  >
                    Move down
                  </MenuItem>
                  <MenuItem
                    icon={<X />}
                    onSelect={() => {
                      onItems(items.filter((_, place) => place !== at));
                      focusAt(Math.max(0, at - 1));
                    }}
                  >
                    Remove
                  </MenuItem>
                </MoreMenu>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isOff && (
        <Button
          size="small"
          variant="quiet"
          className="mt-1.5 -ml-2"
          onClick={() => {
            onItems([...items, ""]);
            focusAt(items.length);
          }}
        >
          Add one
        </Button>
      )}
    </div>
  );
}
