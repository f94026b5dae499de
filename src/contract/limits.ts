import * as z from "zod/mini";

/**
 * What a request may hold at most (docs/interface.md, section 8). Characters are code points of Unicode, as JSON Schema
 * counts them; so service, console and document count alike. What was kept before a limit is answered as it is, and only
 * what a request sends is measured.
 */
export const textLimits = {
  /** Of an agent, flow, source, rubric, criterion, team, key, file, model. */
  name: 200,
  description: 20_000,
  systemPrompt: 200_000,
  /** What is said to an agent: about a long log that is pasted. */
  message: 200_000,
  /** `metadata.personalization.instructions` */
  instructions: 100_000,
  starterPrompts: 50,
  starterPrompt: 2_000,
  /** Of `metadata`, `tools` and `resources`, each written as JSON. */
  section: 250_000,
  tools: 128,
  toolCallIds: 256,
  /** Of `metadata.approvals.people` */
  approvers: 50,
  sourceIds: 100,
  resources: 1_000,
  /** Of a rubric: what a criterion, tag, data point or sentiment says. */
  note: 10_000,
} as const;

/** Whether a text has at most so many code points; a text that is far too long is not counted. */
export function fits(text: string, maximum: number): boolean {
  if (text.length <= maximum) return true;
  return text.length <= 2 * maximum && [...text].length <= maximum;
}

/**
 * Nothing that a person sees: white space, controls, what is ignored when it is drawn (zero-width, fillers, directions,
 * variation selectors), marks without a letter, and letters and symbols that are drawn as nothing (Braille blank, the null
 * notehead, the blanks of hieroglyphs). All but the last are properties of Unicode.
 */
const invisible =
  /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\u2800\u{1D159}\u{13441}\u{13442}]*$/u;

/** Whether a person sees nothing of this text. */
export const isBlank = (text: string): boolean => invisible.test(text);

/** `1,000,000`. Not by the platform's formatter: its first use takes longer than all else that is set up here. */
const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** A check of a text's length in code points, which JSON Schema shows as `maxLength`. */
function characters(maximum: number): z.core.$ZodCheck<string> {
  const error = `must have at most ${grouped(maximum)} characters`;
  const check = z.refine<string>((text) => fits(text, maximum), { error });
  check._zod.onattach.push(({ _zod }) => {
    _zod.bag.maximum = maximum;
  });
  return check;
}

/** A text of at most so many characters; it may be empty. */
/* @__NO_SIDE_EFFECTS__ */
export function boundedText(maximum: number) {
  return z.string().check(characters(maximum));
}

const notBlank = z.refine<string>((text) => text === "" || !isBlank(text), { error: "must not be blank" });

/** What is said to an agent: not blank as people see it, at most 200,000 characters. */
export const messageText = z
  .string()
  .check(z.minLength(1, "must not be empty"), notBlank, characters(textLimits.message));

/** What something is called: not blank as people see it, at most 200 characters. */
export const name = z
  .string()
  .check(z.minLength(1, "must not be empty"), notBlank, characters(textLimits.name));

/** A name that may also be null or absent; null means absent. */
export const maybeName = z.nullish(name);

/**
 * An array of at most so many items, which every array of a request is: of a longer one no item is looked at, so that a
 * million wrong items are one fault and not a million.
 */
/* @__NO_SIDE_EFFECTS__ */
export function list<T extends z.core.$ZodType>(item: T, maximum: number) {
  return z.array(item).check(z.maxLength(maximum, `must have at most ${grouped(maximum)} items`));
}

/** Whether a value, written as JSON, has at most as many characters as a section of an agent may. */
export function isSectionSized(value: unknown): boolean {
  return fits(JSON.stringify(value) ?? "", textLimits.section);
}

/** A check of a whole section of an agent: its size as JSON. */
export const sectionSize = z.refine<unknown>(isSectionSized, {
  error: `must have at most ${grouped(textLimits.section)} characters as JSON`,
});
