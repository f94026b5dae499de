import * as z from "zod/mini";
import { fits, isBlank, textLimits } from "./limits.ts";
import { openEnum } from "./open-enum.ts";

/** What a question may ask for. `choice`: one of `choices`; `choices`: some of them; `date`: a day such as `2026-11-25`. */
export const formFieldTypes = [
  "text",
  "long_text",
  "number",
  "boolean",
  "choice",
  "choices",
  "date",
] as const;

/** How many fields a form may have, and characters a `text` and a `long_text` without a bound of their own. */
export const formLimits = { fields: 20, choices: 100, text: 1_000, longText: textLimits.note } as const;

/** The value of a field; null: left empty. */
const formValue = z.nullable(
  z.union(
    [z.string(), z.number(), z.boolean(), z.array(z.string())],
    "must be a text, a number, true, false or a list of texts",
  ),
);
export type FormValue = z.output<typeof formValue>;

/** What was filled in, by the names of the fields. */
export const formValues = z.record(z.string(), formValue);

/** What a `text` of a server's question has to be. */
export const textFormats = ["email", "uri", "date-time"] as const;

/**
 * One field of a small form. `min` and `max` are the bounds of a number, the fewest and most characters of a text, the first
 * and last day of a date, the fewest and most of several choices; null: none.
 */
export const formField = z.object({
  /** Its key in the answer's `values`. */
  name: z.string(),
  type: openEnum(formFieldTypes),
  label: z.string(),
  help: z.nullable(z.string()),
  required: z.boolean(),
  /** What the field has before anybody has typed. Null: nothing. */
  default: formValue,
  min: z.nullable(z.union([z.number(), z.string()])),
  max: z.nullable(z.union([z.number(), z.string()])),
  /** Of a number: no decimals. */
  whole: z.boolean(),
  /** Of a choice: its options in order. Else empty. */
  choices: z.array(z.string()),
  /** What people read in place of each option; null: the options themselves. */
  choice_labels: z.optional(z.nullable(z.array(z.string()))),
  /** What a text has to be; null: anything. */
  format: z.optional(z.nullable(openEnum(textFormats))),
});
export type FormField = z.output<typeof formField>;

/** A field as far as checks need it: also one of which a service says less. */
export type CheckedField = Pick<FormField, "name" | "type"> & Partial<Omit<FormField, "name" | "type">>;

/** A day as dates are written: `2026-11-25`. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const at = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === value;
}

/**
 * What is wrong with a value that is there.
 * @returns the rest of a sentence that begins with the field's name; null where nothing is
 */
export function valueProblem(field: CheckedField, value: unknown): string | null {
  switch (field.type) {
    case "number":
      return numberProblem(field, value);
    case "boolean":
      return typeof value === "boolean" ? null : "must be true or false";
    case "choice":
      return typeof value === "string" && field.choices?.includes(value)
        ? null
        : "must be one of the choices";
    case "choices":
      return choicesProblem(field, value);
    case "date":
      return dateProblem(field, value);
    default:
      return textProblem(field, value);
  }
}

function numberProblem({ min, max, whole }: CheckedField, value: unknown): string | null {
  if (typeof value !== "number" || !Number.isFinite(value)) return "must be a number";
  if (whole && !Number.isSafeInteger(value)) return "must be a whole number";
  if (typeof min === "number" && value < min) return `must be at least ${min}`;
  return typeof max === "number" && value > max ? `must be at most ${max}` : null;
}

function choicesProblem({ choices = [], min, max }: CheckedField, value: unknown): string | null {
  if (!Array.isArray(value) || value.some((one) => !choices.includes(one)) || hasTwice(value))
    return "must be some of the choices, each once";
  if (typeof min === "number" && value.length < min) return `must be at least ${min} of the choices`;
  return typeof max === "number" && value.length > max ? `must be at most ${max} of the choices` : null;
}

const hasTwice = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

function dateProblem({ min, max }: CheckedField, value: unknown): string | null {
  if (!isDay(value)) return "must be a date such as 2026-11-25";
  if (isDay(min) && value < min) return `must not be before ${min}`;
  return isDay(max) && value > max ? `must not be after ${max}` : null;
}

/** What a text of a format looks like, and what is said of one that does not. */
const formats: Readonly<Record<string, { readonly problem: string; fits(text: string): boolean }>> = {
  email: { problem: "must be an email address", fits: (text) => /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(text) },
  uri: {
    problem: "must be an address such as https://example.com",
    fits: (text) => /^[a-z][a-z0-9+.-]*:[^\s]+$/i.test(text),
  },
  "date-time": {
    problem: "must be a time such as 2026-11-25T08:30:00Z",
    fits: (text) =>
      /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i.test(text) &&
      !Number.isNaN(Date.parse(text)),
  },
};

function textProblem({ type, min, max, format }: CheckedField, value: unknown): string | null {
  if (typeof value !== "string") return "must be a text";
  const wanted = typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (wanted !== undefined && !wanted.fits(value)) return wanted.problem;
  if (type !== "long_text" && /[\r\n]/.test(value)) return "must be one line";
  const most = typeof max === "number" ? max : type === "long_text" ? formLimits.longText : formLimits.text;
  if (!fits(value, most)) return `must have at most ${most} characters`;
  return typeof min === "number" && [...value].length < min ? `must have at least ${min} characters` : null;
}

/** Whether nothing was filled in: absent, null, or a text of which a person sees nothing. */
export const isLeftEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === "string" && isBlank(value));

/** What came of checking a whole form. */
export type CheckedForm =
  /** Every field by its name; null where it was left empty. */
  | { readonly ok: true; readonly values: Readonly<Record<string, FormValue>> }
  /** `name`: of the first field that is wrong, as it was sent. */
  | { readonly ok: false; readonly name: string; readonly problem: string };

/**
 * Checks the values of a form against its fields. What the form does not ask for is refused and not dropped: whoever sent it
 * means something by it.
 * @param given as it came from outside
 */
export function checkForm(
  fields: readonly CheckedField[],
  given: Readonly<Record<string, unknown>>,
): CheckedForm {
  const asked = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(given).find((key) => !asked.has(key));
  if (unknown !== undefined) return { ok: false, name: unknown, problem: "is not asked for" };
  const values: [string, FormValue][] = [];
  for (const field of fields) {
    const { name } = field;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (isLeftEmpty(value)) {
      if (field.required) return { ok: false, name, problem: "is required" };
      values.push([name, null]);
      continue;
    }
    const problem = valueProblem(field, value);
    if (problem !== null) return { ok: false, name, problem };
    const kept = formValue.safeParse(value);
    if (kept.success) values.push([name, kept.data]);
  }
  return { ok: true, values: Object.fromEntries(values) };
}
