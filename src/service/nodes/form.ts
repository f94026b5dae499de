import { z } from "zod";
import {
  type FormField,
  type FormValue,
  formLimits,
  isDay,
  isLeftEmpty,
  valueProblem,
} from "../../contract/form-fields.ts";
import { isJsonObject, type JsonObject, type JsonValue, textOf } from "../json.ts";
import { NodeError } from "./node-error.ts";

/** A field's name is read as `{{ ask.answers.name }}`: nothing that every object has. */
const fieldName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must hold letters, digits and _ only, and start with a letter")
  .refine((name) => !(name in {}), { error: "is a word of the language: choose another name" });

const common = {
  name: fieldName,
  /** What people read; without it the name. */
  label: z.string().min(1).max(200).optional(),
  help: z.string().max(2_000).optional(),
  required: z.boolean().default(false),
};

const length = z.int().min(0).max(formLimits.longText).optional();
const day = z.string().refine(isDay, { error: "must be a date such as 2026-11-25" }).optional();

/** The fields of a form, as a flow says them. A `default` may be a template. */
const field = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("text"),
    ...common,
    default: z.string().optional(),
    min: length,
    max: length,
  }),
  z.strictObject({
    ...{ type: z.literal("long_text"), ...common, default: z.string().optional() },
    ...{ min: length, max: length },
  }),
  z.strictObject({
    ...{ type: z.literal("number"), ...common, default: z.union([z.number(), z.string()]).optional() },
    ...{ min: z.number().optional(), max: z.number().optional() },
    /** No decimals. */
    whole: z.boolean().optional(),
  }),
  z.strictObject({
    ...{ type: z.literal("boolean"), ...common, default: z.union([z.boolean(), z.string()]).optional() },
  }),
  z.strictObject({
    ...{ type: z.literal("choice"), ...common, default: z.string().optional() },
    choices: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(formLimits.choices)
      .refine((all) => new Set(all).size === all.length, { error: "must not name a choice twice" }),
  }),
  z.strictObject({ type: z.literal("date"), ...common, default: z.string().optional(), min: day, max: day }),
]);
type Written = z.output<typeof field>;

/** A small form: fields by different names. */
export const formFields = z
  .array(field.refine(hasRoom, { path: ["max"], error: "must not be less than min" }))
  .max(formLimits.fields)
  .superRefine((fields, context) => {
    for (const [index, { name }] of fields.entries())
      if (fields.findIndex((other) => other.name === name) < index)
        context.addIssue({ code: "custom", path: [index, "name"], message: `"${name}" is there twice` });
  });

function hasRoom(written: Written): boolean {
  if (written.type === "boolean" || written.type === "choice") return true;
  const { min, max } = written;
  return min === undefined || max === undefined || min <= max;
}

/**
 * The fields as people see them, with every template filled in.
 * @param filled the same fields with their templates filled in
 * @throws NodeError naming the field whose default its own bounds refuse
 */
export function askedFields(
  fields: z.output<typeof formFields>,
  filled: JsonValue | undefined,
): readonly FormField[] {
  return fields.map((written, index) => {
    const texts = Array.isArray(filled) && isJsonObject(filled[index]) ? filled[index] : {};
    const { name, type, required } = written;
    const asked: FormField = {
      ...{ name, type, required, label: shownText(texts, "label") || name },
      help: shownText(texts, "help") || null,
      ...boundsOf(written),
      whole: type === "number" && written.whole === true,
      choices: type === "choice" ? written.choices : [],
      default: null,
    };
    const value = defaultOf(type, texts.default ?? null);
    if (value === null) return asked;
    const problem = valueProblem(asked, value);
    if (problem !== null) throw new NodeError(`the default of the field "${name}" ${problem}`);
    return { ...asked, default: value };
  });
}

function boundsOf(written: Written): Pick<FormField, "min" | "max"> {
  if (written.type === "boolean" || written.type === "choice") return { min: null, max: null };
  return { min: written.min ?? null, max: written.max ?? null };
}

const shownText = (texts: JsonObject, name: string): string => textOf(texts[name] ?? null).slice(0, 2_000);

/** What a template gave, as the field's type has it; null where that is nothing. */
function defaultOf(type: Written["type"], given: JsonValue): FormValue {
  const isText = type === "text" || type === "long_text" || type === "choice" || type === "date";
  const value = isText || typeof given === "string" ? textOf(given) : given;
  if (isLeftEmpty(value)) return null;
  if (isText || typeof value !== "string") return typeof value === "object" ? textOf(value) : value;
  const read = value.trim();
  if (type === "number") return Number.isFinite(Number(read)) ? Number(read) : read;
  return read === "true" || read === "false" ? read === "true" : read;
}
