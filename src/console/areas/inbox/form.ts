import type { Received } from "../../../contract/define.ts";
import {
  type CheckedField,
  type CheckedForm,
  checkForm,
  type FormValue,
} from "../../../contract/form-fields.ts";
import type { InboxItem } from "../../../contract/inbox.ts";

/** A field of a question's form as it may really come. */
type FieldIn = NonNullable<NonNullable<NonNullable<Received<InboxItem>["form"]>["fields"]>[number]>;
/** One that can be shown and checked. */
export type ShownField = Omit<FieldIn, keyof CheckedField> & CheckedField & { readonly label: string };

/** What is typed into the fields, by their names; what is not there was not touched. */
export type Typed = Readonly<Record<string, string>>;

/** The fields of a question. */
export const fieldsOf = ({ form }: Pick<Received<InboxItem>, "form">): readonly ShownField[] =>
  shownFields(form?.fields);

/** The fields that have a name; an unknown type is a text. */
export function shownFields(fields: readonly (FieldIn | null)[] | null | undefined): readonly ShownField[] {
  return (fields ?? []).flatMap((field): ShownField[] => {
    if (!field?.name) return [];
    const { min = null, max = null, choices } = field;
    const known = { name: field.name, type: field.type ?? "text", required: field.required === true };
    const rules = {
      min,
      max,
      whole: field.whole === true,
      choices: (choices ?? []).flatMap((one) => one ?? []),
    };
    return [
      {
        ...field,
        ...known,
        ...rules,
        default: defaultOf(field),
        choice_labels: (field.choice_labels ?? []).map((one) => one ?? ""),
        format: field.format ?? null,
        help: field.help ?? null,
        label: field.label || field.name,
      },
    ];
  });
}

const defaultOf = ({ default: value = null }: FieldIn): FormValue =>
  Array.isArray(value) ? value.flatMap((one) => one ?? []) : (value as FormValue);

/** What people read of a choice. */
export function choiceLabel({ choices = [], choice_labels: labels }: ShownField, choice: string): string {
  return labels?.[choices.indexOf(choice)] || choice;
}

/** Of several choices those that a text holds, one on each line: as they are kept while they are chosen. */
export const chosenOf = (text: string): string[] => text.split("\n").filter(Boolean);

/** What a field shows: what was typed, else its default. */
export function textOf(field: ShownField, typed: Typed): string {
  if (Object.hasOwn(typed, field.name)) return typed[field.name] ?? "";
  if (Array.isArray(field.default)) return field.default.join("\n");
  return field.default === null || field.default === undefined ? "" : String(field.default);
}

/** What the fields hold, checked by the contract's own rules, as the service does. */
export function checkTyped(fields: readonly ShownField[], typed: Typed): CheckedForm {
  return checkForm(
    fields,
    Object.fromEntries(fields.map((field) => [field.name, typedValue(field, textOf(field, typed))])),
  );
}

/** What is wrong with one field, as a sentence; null where nothing is. */
export function fieldProblem(field: ShownField, typed: Typed): string | null {
  const checked = checkTyped([field], typed);
  return checked.ok ? null : `This ${checked.problem}.`;
}

/** A text that is no number stays one, so that the check says what is wrong. */
function typedValue({ type }: ShownField, text: string): FormValue {
  if (text.trim() === "") return null;
  if (type === "choices") return chosenOf(text);
  if (type === "number") return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === "boolean") return text === "true" || text === "false" ? text === "true" : text;
  return text;
}

/** A value that was filled in, for people. */
export function valueWords(value: unknown, field: ShownField): string {
  if (value === null || value === undefined || value === "") return "left empty";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value))
    return value.map((one) => choiceLabel(field, String(one))).join(", ") || "left empty";
  return field.type === "choice" ? choiceLabel(field, String(value)) : String(value);
}

/** What a field holds, for people. */
export interface FilledRow {
  readonly name: string;
  readonly label: string;
  readonly words: string;
}

/** What was typed, each by what its field is called; by its name where the form has it no more. */
export function typedRows(fields: readonly ShownField[], typed: Typed): readonly FilledRow[] {
  return Object.entries(typed).flatMap(([name, text]) => {
    const field = fields.find((one) => one.name === name);
    const words = field === undefined ? text : valueWords(typedValue(field, text), field);
    return text === "" ? [] : [{ name, label: field?.label ?? name, words }];
  });
}
