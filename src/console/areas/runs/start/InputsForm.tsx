import { type ReactNode, useId } from "react";
import type { Received } from "../../../../contract/define.ts";
import type { FlowInput } from "../../../../contract/flow-inputs.ts";
import { Field, Textarea } from "../../../ui/Field.tsx";
import { Input } from "../../../ui/Input.tsx";
import { valueWord } from "../run-row.ts";
import type { ReadBody } from "./body.ts";
import type { NamedInput, Otherwise, Routing } from "./routing.ts";

export interface FormInput extends NamedInput {
  /** What the flow says of it. */
  readonly description: string | null;
  /** `text` or `file`, or the service's own word. */
  readonly type: string;
}

type Props = {
  inputs: readonly FormInput[];
  /** Only what is to be sent: an input without an entry is left to the flow. */
  values: Readonly<Record<string, string>>;
  onChange: (name: string, value: string | undefined) => void;
  /** What is said under a field in place of what it is and what an empty one means; null: that. */
  noteOf?: (input: FormInput) => ReactNode;
};

/** One field for each named input. A field that is empty is not sent, and says so. */
export function InputsForm({ inputs, values, ...rest }: Props) {
  return (
    <div className="flex flex-col gap-4">
      {inputs.map((input) => (
        <FormRow key={input.name} input={input} value={values[input.name]} {...rest} />
      ))}
    </div>
  );
}

type RowProps = Pick<Props, "onChange" | "noteOf"> & { input: FormInput; value: string | undefined };

function FormRow({ input, value, onChange, noteOf }: RowProps) {
  const id = useId();
  const isSent = value !== undefined && value !== "";
  const field = {
    id,
    value: value ?? "",
    "aria-describedby": `${id}-note`,
    placeholder: placeholderOf(input),
    ...(input.otherwise?.isRequired && { "aria-required": true }),
    onChange: (event: { target: { value: string } }) => {
      const typed = event.target.value;
      onChange(input.name, typed === "" ? undefined : typed);
    },
  };
  return (
    <div className="grid gap-x-4 gap-y-1 sm:grid-cols-[128px_minmax(0,1fr)]">
      <label htmlFor={id} className="min-w-0 pt-1.5">
        <span className="block truncate font-medium text-mono leading-4" title={input.name}>
          {input.name}
        </span>
        <span className="text-faint text-secondary">
          {input.isFile ? "file name" : input.type}
          {input.otherwise?.isRequired && <span className="text-state-stopped-fg">, required</span>}
        </span>
      </label>
      <div className="min-w-0">
        {input.isFile ? (
          <Input {...field} isMono />
        ) : (
          <Textarea {...field} rows={1} className="min-h-control resize-none!" />
        )}
        <p id={`${id}-note`} className="break-words pt-1 text-faint text-secondary">
          {noteOf?.(input) ?? noteOn(input, isSent)}
        </p>
      </div>
    </div>
  );
}

function placeholderOf({ otherwise }: FormInput): string {
  if (otherwise === undefined) return "flow default";
  return otherwise.isRequired ? "" : otherwise.text;
}

function noteOn(input: FormInput, isSent: boolean): string {
  const sentences = [
    input.description ?? "",
    input.isFile ? "The name of a file the flow can access; nothing is uploaded" : "",
    isSent ? "" : unsentWords(input),
  ];
  return sentences
    .filter((sentence) => sentence !== "")
    .map((sentence) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`))
    .join(" ");
}

/** What an empty field means. */
function unsentWords({ otherwise }: FormInput): string {
  if (otherwise === undefined) return "If empty, the flow uses its default";
  if (otherwise.isRequired) return "Required";
  return otherwise.text === "" ? "Optional, no default" : "If empty, the flow uses this default";
}

type JsonBodyProps = { text: string; onChange: (text: string) => void; read: ReadBody; routing: Routing };

/** The body as it is sent, written by hand. */
export function JsonBody({ text, onChange, read, routing }: JsonBodyProps) {
  const misspelt = routing.strays.filter((stray) => stray.meant !== null);
  return (
    <Field
      label="Body"
      aside="sent as is"
      hint={misspelt
        .map((stray) => `There is no input ${stray.name}. Did you mean ${stray.meant}?`)
        .join(" ")}
      error={!read.ok && `${read.problem}: check line ${read.line}.`}
    >
      <Textarea
        isMono
        rows={8}
        spellCheck={false}
        autoCapitalize="none"
        className="min-h-40 text-mono-json"
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
    </Field>
  );
}

/** The inputs that a service tells of a flow, as the form shows them. */
export function formInputs(
  inputs: readonly (Received<FlowInput> | null)[] | null | undefined,
): readonly FormInput[] {
  return (inputs ?? []).flatMap((input) => {
    if (!input?.name) return [];
    const type = input.data_type ?? "string";
    return [
      {
        name: input.name,
        isFile: type === "file",
        type: type === "string" ? "text" : type,
        description: input.description ?? null,
        ...otherwiseOf(input),
      },
    ];
  });
}

/** Services that do not tell whether an input is required tell nothing of its default either. */
function otherwiseOf(input: Received<FlowInput>): { otherwise?: Otherwise } {
  if (typeof input.required !== "boolean") return {};
  const { required } = input;
  return {
    otherwise: required ? { isRequired: true } : { isRequired: false, text: valueWord(input.default) },
  };
}
