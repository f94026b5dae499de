import { z } from "zod";
import { type FormField, formLimits, isDay, textFormats } from "../../contract/form-fields.ts";
import { plainWords } from "./plain-words.ts";

/** The fields of a form that a server asks for, or why it is not shown to anybody: the rest of a sentence. */
export type ReadFields =
  | { readonly ok: true; readonly fields: readonly FormField[] }
  | { readonly ok: false; readonly why: string };

const option = z.object({ const: z.string(), title: z.string() });
const property = z.looseObject({
  type: z.enum(["string", "number", "integer", "boolean", "array"]),
  title: z.string().optional(),
  description: z.string().optional(),
  format: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(option).optional(),
  items: z.object({ enum: z.array(z.string()).optional(), anyOf: z.array(option).optional() }).optional(),
  default: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
});
type Property = z.output<typeof property>;

const requestedSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()),
  required: z.array(z.string()).optional(),
});

/** Characters of a label and of what is said below a field. */
const labelLength = 200;
const helpLength = 600;
const choiceLength = 200;

/**
 * Reads the schema of a form (Model Context Protocol, "Elicitation"): flat, of texts, numbers, booleans and choices. What it
 * says beyond that is the server's to check. A field that asks for a secret makes the whole form one that is not shown.
 */
export function readFields(schema: unknown): ReadFields {
  const parsed = requestedSchema.safeParse(schema);
  if (!parsed.success) return unreadable;
  const { properties, required = [] } = parsed.data;
  const entries = Object.entries(properties);
  if (entries.length > formLimits.fields)
    return { ok: false, why: `asks for more than ${formLimits.fields} fields` };
  const fields: FormField[] = [];
  for (const [name, given] of entries) {
    const one = property.safeParse(given);
    // A name is part of an address in the page and of an error's `param`.
    if (!one.success || !/^[\w.-]{1,100}$/.test(name)) return unreadable;
    if (isSecret(name, one.data)) return { ok: false, why: "asks for a secret" };
    const field = fieldOf(name, one.data, required.includes(name));
    if (field === null) return unreadable;
    fields.push(field);
  }
  return { ok: true, fields };
}

const unreadable: ReadFields = { ok: false, why: "asks for something that no form here can show" };

const secretWords =
  /\b(pass ?words?|pass ?phrases?|pass ?codes?|passwd|pwd|secrets?|tokens?|api ?keys?|private ?keys?|access ?keys?|secret ?keys?|credentials?|(credit |debit )?card (numbers?|no)|cardnumber|cvv|cvc|pin( ?codes?)?|otp|one time (codes?|passwords?)|2fa|ssn|social security( numbers?)?|seed phrases?|recovery (codes?|phrases?))\b/i;

/** Whether a field asks for what must never be typed into a form of ours: by its name, its words or its format. */
function isSecret(name: string, { title = "", description = "", format }: Property): boolean {
  if (format === "password") return true;
  // `apiKey`, `api_key` and `API-KEY` are the same words; a look-alike in full width is, too.
  const words = [name, title, description].map((text) =>
    plainWords(text, helpLength)
      .normalize("NFKC")
      .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
      .replaceAll(/[\s_.-]+/g, " "),
  );
  return words.some((text) => secretWords.test(text));
}

/** @returns null for choices that cannot be shown */
function fieldOf(name: string, schema: Property, required: boolean): FormField | null {
  const { type, title, description, format } = schema;
  const options = optionsOf(schema);
  if (options === null || (type === "array" && options.values.length === 0)) return null;
  const common = {
    name,
    label: oneLine(title || name, labelLength),
    help: description ? oneLine(description, helpLength) : null,
    required,
    whole: type === "integer",
    choices: [...options.values],
    choice_labels: options.labels,
    format: null,
  };
  const fallback = schema.default ?? null;
  if (type === "array")
    return { ...common, type: "choices", default: fallback, ...bounds(schema.minItems, schema.maxItems) };
  if (options.values.length > 0) return { ...common, type: "choice", default: fallback, ...bounds() };
  if (type === "boolean") return { ...common, type, default: fallback, ...bounds() };
  if (type !== "string")
    return { ...common, type: "number", default: fallback, ...bounds(schema.minimum, schema.maximum) };
  if (format === "date")
    return { ...common, type: "date", default: isDay(fallback) ? fallback : null, ...bounds() };
  const known = textFormats.find((one) => one === format) ?? null;
  const words = typeof fallback === "string" ? plainWords(fallback, formLimits.longText) : null;
  const isLong = known === null && (schema.maxLength ?? 0) > formLimits.text;
  const most = Math.min(schema.maxLength ?? formLimits.text, isLong ? formLimits.longText : formLimits.text);
  return {
    ...common,
    type: isLong ? "long_text" : "text",
    format: known,
    default: words,
    ...bounds(schema.minLength, most),
  };
}

const bounds = (min?: number, max?: number) => ({ min: min ?? null, max: max ?? null });

/** @returns null where an option is none that a person could see and choose */
function optionsOf({ enum: values, enumNames, oneOf, items }: Property) {
  const titled = oneOf ?? items?.anyOf;
  const plain = titled?.map((one) => one.const) ?? values ?? items?.enum ?? [];
  const names = titled?.map((one) => one.title) ?? (values !== undefined ? enumNames : undefined);
  const isShown = (text: string) => text.length <= choiceLength && plainWords(text, choiceLength) === text;
  if (plain.length > formLimits.choices || !plain.every((one) => isShown(one) && !/\n/.test(one)))
    return null;
  const labels = names?.length === plain.length ? names.map((one) => oneLine(one, choiceLength)) : null;
  return { values: plain, labels };
}

const oneLine = (text: string, length: number) => plainWords(text, length).replaceAll(/\s+/g, " ").trim();
