import { useId, useState } from "react";
import { shownName } from "../../lib/shownName.ts";
import { Checkbox } from "../../ui/Checkbox.tsx";
import { Field, NativeSelect, Textarea } from "../../ui/Field.tsx";
import { Input } from "../../ui/Input.tsx";
import { choiceLabel, chosenOf, fieldProblem, type ShownField, type Typed, textOf } from "./form.ts";

type Props = {
  fields: readonly ShownField[];
  typed: Typed;
  /** Whether it was to be sent while a field was wrong: all say so from then on. */
  isTried: boolean;
  /** Why the service refused the value of a field; null where it did not. */
  refusalOf: (name: string) => string | null;
  onType: (typed: Typed) => void;
};

/** The fields of a question, to be filled in. */
export function QuestionFields({ fields, ...wiring }: Props) {
  return (
    <div className="flex max-w-[420px] flex-col gap-3">
      {fields.map((field) => (
        <OneField key={field.name} field={field} {...wiring} />
      ))}
    </div>
  );
}

/** One field; what is wrong with it is said once it was left, or when the answer was to be sent. */
function OneField({
  field,
  typed,
  isTried,
  refusalOf,
  onType,
}: Omit<Props, "fields"> & { field: ShownField }) {
  const [isLeft, setLeft] = useState(false);
  const problem = refusalOf(field.name) ?? (isLeft || isTried ? fieldProblem(field, typed) : null);
  const wiring = {
    ...{ field, typed, onLeave: () => setLeft(true) },
    onType: (text: string) => onType({ ...typed, [field.name]: text }),
  };
  if (field.type === "choices") return <Choices {...wiring} problem={problem} />;
  return (
    <Field
      label={shownName(field.label)}
      required={field.required ?? false}
      aside={field.required ? undefined : "optional"}
      hint={field.help ? shownName(field.help) : boundWords(field)}
      error={problem}
    >
      <Control {...wiring} />
    </Field>
  );
}

type ControlProps = {
  field: ShownField;
  typed: Typed;
  onType: (text: string) => void;
  onLeave: () => void;
};

function Control({ field, typed, onType, onLeave }: ControlProps) {
  const wiring = {
    value: textOf(field, typed),
    "data-field": field.name,
    onChange: ({ target }: { target: { value: string } }) => onType(target.value),
    onBlur: onLeave,
  };
  switch (field.type) {
    case "boolean":
    case "choice":
      return (
        <NativeSelect {...wiring}>
          <option value="">{field.required ? "Choose…" : "No answer"}</option>
          {(field.type === "boolean"
            ? yesOrNo
            : (field.choices ?? []).map((one) => [one, choiceLabel(field, one)])
          ).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </NativeSelect>
      );
    case "long_text":
      return <Textarea {...wiring} rows={4} />;
    case "number":
      return <Input {...wiring} inputMode={field.whole ? "numeric" : "decimal"} autoComplete="off" />;
    case "date":
      return <Input {...wiring} type="date" min={dayOf(field.min)} max={dayOf(field.max)} />;
    default:
      return <Input {...wiring} autoComplete="off" />;
  }
}

/** Some of the choices, each a box of its own. */
function Choices({ field, typed, onType, onLeave, problem }: ControlProps & { problem: string | null }) {
  const chosen = chosenOf(textOf(field, typed));
  const noteId = useId();
  return (
    <fieldset aria-describedby={noteId} className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1 font-medium">{shownName(field.label)}</legend>
      {(field.choices ?? []).map((one) => (
        <Checkbox
          key={one}
          checked={chosen.includes(one)}
          data-field={field.name}
          onBlur={onLeave}
          onChange={({ target }) =>
            onType(
              (field.choices ?? [])
                .filter((other) => (other === one ? target.checked : chosen.includes(other)))
                .join("\n"),
            )
          }
          label={<bdi className="break-words">{shownName(choiceLabel(field, one))}</bdi>}
        />
      ))}
      <p
        id={noteId}
        aria-live="polite"
        className={problem ? "text-secondary text-state-failed-fg" : "text-faint text-secondary"}
      >
        {problem ?? (field.help ? shownName(field.help) : boundWords(field))}
      </p>
    </fieldset>
  );
}

const yesOrNo = [
  ["true", "Yes"],
  ["false", "No"],
];

const dayOf = (bound: unknown): string | undefined => (typeof bound === "string" ? bound : undefined);

/** "From 1 to 14", "At most 20 characters"; nothing where there are no bounds. */
function boundWords({ type, min, max }: ShownField): string | undefined {
  const unit = type === "text" || type === "long_text" ? " characters" : type === "choices" ? " of them" : "";
  const [low, high] = [min ?? null, max ?? null];
  if (low !== null && high !== null) return `From ${low} to ${high}${unit}`;
  if (low !== null) return type === "date" ? `Not before ${low}` : `At least ${low}${unit}`;
  if (high !== null) return type === "date" ? `Not after ${high}` : `At most ${high}${unit}`;
  return undefined;
}
