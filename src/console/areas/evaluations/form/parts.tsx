import Plus from "lucide-react/icons/plus";
import Trash2 from "lucide-react/icons/trash-2";
import { type ReactNode, useState } from "react";
import { Failure } from "../../../lib/failure/Failure.tsx";
import { Button, IconButton } from "../../../ui/Button.tsx";
import { Input } from "../../../ui/Input.tsx";

type Props<Row extends { readonly key: string }> = {
  title: string;
  /** What they are, in one sentence. */
  hint: string;
  rows: readonly Row[];
  most: number;
  problems: ReadonlyMap<string, string>;
  isReadOnly: boolean;
  /** "criterion": for the buttons. */
  what: string;
  empty: (key: string) => Row;
  onChange: (rows: readonly Row[]) => void;
  children: (row: Row, change: (part: Partial<Row>) => void, name: string) => ReactNode;
};

/** A list of things of one kind, with how many of them there may be. */
export function Rows<Row extends { readonly key: string }>(props: Props<Row>) {
  const { title, hint, rows, most, problems, isReadOnly, what, empty, onChange, children } = props;
  return (
    <section aria-label={title} className="border-b px-edge-left py-4">
      <header className="flex items-baseline gap-3">
        <h3 className="font-semibold">{title}</h3>
        <span className="text-muted text-secondary tabular-nums">
          {rows.length} of {most}
        </span>
      </header>
      <p className="max-w-text text-muted text-secondary">{hint}</p>
      <ol className="mt-3 flex flex-col gap-3">
        {rows.map((row, at) => {
          const problem = problems.get(row.key);
          return (
            <li key={row.key} className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                {children(
                  row,
                  (part) => onChange(rows.map((one) => (one.key === row.key ? { ...one, ...part } : one))),
                  `${what} ${at + 1}`,
                )}
                {problem !== undefined && (
                  <p className="mt-1 text-secondary text-state-failed-fg">{problem}</p>
                )}
              </div>
              {!isReadOnly && (
                <IconButton
                  size="small"
                  className="mt-[3px]"
                  label={`Remove ${what} ${at + 1}`}
                  onClick={() => onChange(rows.filter((one) => one.key !== row.key))}
                >
                  <Trash2 />
                </IconButton>
              )}
            </li>
          );
        })}
      </ol>
      {!isReadOnly && (
        <Button
          size="small"
          icon={<Plus />}
          className="mt-3"
          disabledReason={rows.length >= most ? `there may be ${most} at most` : undefined}
          onClick={() => onChange([...rows, empty(`new ${Date.now()} ${rows.length}`)])}
        >
          Add {what}
        </Button>
      )}
    </section>
  );
}

/** The options of a select, with a value that we do not know kept as it came. */
export function options(known: Readonly<Record<string, string>>, value: string) {
  const all = Object.hasOwn(known, value) ? known : { ...known, [value]: value };
  return Object.entries(all).map(([key, words]) => (
    <option key={key} value={key}>
      {words}
    </option>
  ));
}

type WordsProps = { words: readonly string[]; onChange: (words: readonly string[]) => void };

/** Words with commas between them. What is typed stays as it is for as long as it says the words: also a comma at the end. */
export function WordsInput({ words, onChange }: WordsProps) {
  const [typed, setTyped] = useState("");
  const isSame = wordsIn(typed).join() === words.join();
  return (
    <Input
      value={isSame ? typed : words.join(", ")}
      placeholder="all"
      onChange={(event) => {
        setTyped(event.target.value);
        onChange(wordsIn(event.target.value));
      }}
    />
  );
}

const wordsIn = (text: string): readonly string[] =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");

type SaveBarProps = {
  /** Why the last save failed; null where it did not. */
  error: unknown;
  /** What is saved, as the beginning of a sentence: "The rubric". */
  what: string;
  /** What became of the changes so far. */
  note: ReactNode;
  isChanged: boolean;
  onDiscard: () => void;
  isSaving: boolean;
  disabledReason: string | undefined;
  action: string;
  onSave: () => void;
};

/** Saves or discards, at the foot of the form. */
export function SaveBar({ error, what, note, isChanged, onDiscard, isSaving, ...props }: SaveBarProps) {
  return (
    <footer className="sticky bottom-0 z-sticky mt-auto border-t bg-surface">
      {error !== null && <Failure error={error} what={what} />}
      <div className="flex flex-wrap items-center gap-2 px-edge-left py-2.5">
        <span className="mr-auto text-muted text-secondary">{isChanged && note}</span>
        {isChanged && (
          <Button variant="quiet" onClick={onDiscard}>
            Discard
          </Button>
        )}
        <Button
          variant="primary"
          loading={isSaving}
          disabledReason={props.disabledReason}
          onClick={props.onSave}
        >
          {props.action}
        </Button>
      </div>
    </footer>
  );
}
