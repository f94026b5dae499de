import { type FormEvent, useState } from "react";
import { type Command, readCommands, toolWords, writeCommand } from "../../../contract/command.ts";
import { DiscardButtons, useDiscardQuestion } from "../../lib/DiscardQuestion.tsx";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { PlainText } from "../../lib/markdown/MarkdownText.tsx";
import { type Find, noFind } from "../../lib/markdown/Marked.tsx";
import { SecretWarning, useSecretCheck } from "../../lib/secret-warning/SecretWarning.tsx";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Field, Textarea } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { messageFault, TooLong } from "./TooLong.tsx";

type Props = {
  /** The tool, with the values to begin with. */
  command: Command;
  agent: string;
  /** What the button does: "Send", "Queue message". */
  action: string;
  onSend: (text: string) => void;
  onClose: () => void;
};

/** A form behind words: what it sends is what the built-in model understands, and nobody has to write that. */
export function CommandForm({ command, agent, action, onSend, onClose }: Props) {
  const fields = fieldsOf(command);
  const [typed, setTyped] = useState<ReadonlyMap<string, FieldValue>>(new Map());
  const shownOf = (field: CommandField) => typed.get(keyOf(field)) ?? shownIn(command, field);
  const text = writeCommand(
    filled(
      command,
      fields.map((field) => [field, shownOf(field)] as const),
    ),
  );
  const fault =
    fields.map((field) => faultOf(field, shownOf(field))).find((one) => one !== null) ?? messageFault(text);
  const { secret, allow } = useSecretCheck(text);
  const [isWarned, setWarned] = useState(false);
  const [offered] = useState(text);
  const question = useDiscardQuestion(text !== offered, onClose);
  const done = () => {
    onSend(text);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    question.keep();
    if (fault !== undefined) return;
    if (secret !== null) setWarned(true);
    else done();
  };
  return (
    <Dialog
      isNarrow
      onClose={question.close}
      title={toolWords(command.tool)}
      description={`${agent} runs this when you send it.`}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        {fields.map((field) => (
          <OneField
            key={keyOf(field)}
            field={field}
            value={shownOf(field)}
            onChange={(value) => setTyped((old) => new Map(old).set(keyOf(field), value))}
          />
        ))}
        <TooLong text={text} />
        {secret && isWarned && (
          <SecretWarning
            secret={secret}
            action="Send anyway"
            onAllow={() => {
              if (allow() === null && fault === undefined) done();
            }}
          >
            Anyone who can read this conversation would see it, and so would the model.
          </SecretWarning>
        )}
        {question.isAsking ? (
          <div className="flex items-center justify-end gap-2">
            <span role="alert" className="min-w-0 flex-1">
              What you typed is not sent.
            </span>
            <DiscardButtons action="Discard" onKeep={question.keep} onDiscard={onClose} />
          </div>
        ) : (
          <div className="flex justify-end gap-2">
            <Button variant="quiet" onClick={question.close}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" disabledReason={fault} reasonAs="title">
              {action}
            </Button>
          </div>
        )}
      </form>
    </Dialog>
  );
}

const keyOf = ({ path }: CommandField) => path.join("\n");

type FieldProps = { field: CommandField; value: FieldValue; onChange: (value: FieldValue) => void };

function OneField({ field, value, onChange }: FieldProps) {
  const { label, kind } = field;
  if (kind === "boolean") {
    return (
      <Checkbox label={label} checked={value === true} onChange={(event) => onChange(event.target.checked)} />
    );
  }
  const own = {
    value: String(value),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field label={label} {...(kind === "lines" && { hint: "One per line" })}>
      {kind === "line" || kind === "number" ? (
        <Input {...own} {...(kind === "number" && { inputMode: "decimal" as const })} />
      ) : (
        <Textarea {...own} />
      )}
    </Field>
  );
}

/** One value of a command, as a form asks for it. */
interface CommandField {
  /** Where it stands in the arguments. */
  readonly path: readonly string[];
  readonly label: string;
  /** `lines`: a list of texts, one a line. */
  readonly kind: "line" | "text" | "number" | "boolean" | "lines";
}

type FieldValue = string | boolean;

const labels: Readonly<Record<string, string>> = {
  saved_item_id: "Flow",
  url: "Address",
  query: "Search for",
};
const longNames = new Set(["content", "text", "csv", "message", "body", "prompt"]);
const deepest = 3;

/** The values that a form can ask for; others stay in the command as they are. */
function fieldsOf({ args }: Command): readonly CommandField[] {
  return inside(args, []);
}

function inside(object: Readonly<Record<string, unknown>>, path: readonly string[]): readonly CommandField[] {
  return Object.entries(object).flatMap(([key, value]): readonly CommandField[] => {
    const at = [...path, key];
    const kind = kindOf(key, value);
    if (kind !== null) return [{ path: at, label: labelOf(key), kind }];
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject && at.length < deepest ? inside({ ...value }, at) : [];
  });
}

function kindOf(key: string, value: unknown): CommandField["kind"] | null {
  if (typeof value === "string") {
    return longNames.has(key) || value.includes("\n") || value.length > 80 ? "text" : "line";
  }
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts ? "lines" : null;
}

function labelOf(key: string): string {
  if (Object.hasOwn(labels, key)) return labels[key] ?? key;
  const words = key.replaceAll(/[_-]+/g, " ").trim();
  return words === "" ? key : words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a field shows at first. */
function shownIn(command: Command, { path, kind }: CommandField): FieldValue {
  const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], command.args);
  if (kind === "boolean") return value === true;
  return Array.isArray(value) ? value.join("\n") : String(value);
}

/** Why a field cannot be sent so; null where it can. */
function faultOf({ label, kind }: CommandField, value: FieldValue): string | null {
  if (kind === "line" && String(value).trim() === "") return `Fill in ${label}`;
  if (kind === "number" && (String(value).trim() === "" || !Number.isFinite(Number(value))))
    return `${label} must be a number`;
  return null;
}

/** The command with what was typed in. */
function filled(command: Command, values: readonly (readonly [CommandField, FieldValue])[]): Command {
  const args = structuredClone(command.args) as Record<string, unknown>;
  for (const [{ path, kind }, value] of values) {
    const holder = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, args);
    holder[path.at(-1) ?? ""] = typed(kind, value);
  }
  return { ...command, args };
}

function typed(kind: CommandField["kind"], value: FieldValue): unknown {
  if (kind === "number") return Number(value);
  if (kind !== "lines") return value;
  return String(value)
    .split("\n")
    .filter((line) => line.trim() !== "");
}

/**
 * What a person said. A message of commands for the built-in model is laid out in words; while something is searched for it
 * stands as it was sent, so that each hit is where it was found.
 */
export function Said({ text, find = noFind }: { text: string; find?: Find }) {
  const commands = find.text === "" && text.length < longest ? readCommands(text) : null;
  if (commands === null) return <PlainText text={text} find={find} />;
  // Of the same line twice one is enough to read.
  const each = new Map(commands.map((command) => [writeCommand(command), command]));
  return (
    <div className="flex flex-col gap-2" title={text.slice(0, 1_000)}>
      {[...each].map(([line, command]) => (
        <CommandWords key={line} command={command} />
      ))}
    </div>
  );
}

const longest = 100_000;

function CommandWords({ command }: { command: Command }) {
  const fields = fieldsOf(command);
  const isWhole =
    fields.length === Object.keys(command.args).length || fields.some(({ path }) => path.length > 1);
  return (
    <div>
      <p className="font-medium">{toolWords(command.tool)}</p>
      {fields.length > 0 && (
        <dl className="grid grid-cols-[minmax(64px,auto)_minmax(0,1fr)] gap-x-3 gap-y-0.5">
          {fields.map((field) => (
            <div key={field.path.join("\n")} className="col-span-2 grid grid-cols-subgrid items-baseline">
              <dt className="text-muted text-secondary">{field.label}</dt>
              <dd className="max-h-[200px] min-w-0 overflow-y-auto whitespace-pre-wrap break-words">
                {valueWords(shownIn(command, field))}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {!isWhole && <JsonView value={command.args} label="Values" find={noFind} />}
    </div>
  );
}

function valueWords(value: string | boolean): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return value === "" ? "(empty)" : value;
}
