import { Output, TypeGuards, toValueSync } from "liquidjs";
import { type JsonObject, type JsonValue, toJsonValue } from "../json.ts";
import type { Requester } from "../limiter.ts";
import { runInSlices, SlicesError, type Steps } from "../time-slices.ts";
import { conditions, endOfCondition, isPlain, texts, values } from "./template-engine.ts";
import { isMoreThan, limits } from "./template-limits.ts";
import { type Reference, referencesOf } from "./template-references.ts";

/** The text of a template cannot be read, or rendering it went over a limit. The message is for the flow's author. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

export interface Template {
  readonly references: readonly Reference[];
  /**
   * A template that is exactly one `{{ … }}` gives the value itself, not its text; any other gives text.
   * Values are data: what looks like a template inside a value stays literal text.
   * @param requester in whose name it is filled in: what takes long takes turns with that of others
   * @throws TemplateError; the signal's reason
   */
  resolve(scope: JsonObject, requester: Requester): Promise<JsonValue>;
}

/** Whether the text has anything to fill in. */
export function isTemplate(text: string): boolean {
  return text.includes("{{") || text.includes("{%");
}

/**
 * Reads a Liquid template.
 * @throws TemplateError when it cannot be read
 */
export function parseTemplate(text: string): Template {
  const parts = guarded(() => texts.parse(text));
  const filled = parts.filter(({ token }) => !TypeGuards.isHTMLToken(token));
  const output = filled.length === 1 ? onlyOutput(text.trim()) : null;
  return {
    references: guarded(() => referencesOf(parts)),
    resolve: (scope, requester) =>
      output ? outcomeOf(output, scope, requester) : inTime(texts.render(parts, scope), requester),
  };
}

/** The one `{{ … }}` that the text is; null for any other text. */
function onlyOutput(text: string): Output | null {
  if (!text.startsWith("{{") || !text.endsWith("}}")) return null;
  const parts = guarded(() => values.parse(text));
  const [only] = parts;
  return parts.length === 1 && only instanceof Output ? only : null;
}

async function outcomeOf({ value }: Output, scope: JsonObject, requester: Requester): Promise<JsonValue> {
  const steps = value.value(values.context(scope));
  const { postfix } = value.initial;
  const [only] = postfix;
  if (value.filters.length === 0 && postfix.length === 1 && TypeGuards.isPropertyAccessToken(only)) {
    // What another node gave goes on as it is, however large.
    const found = guarded(() => toValueSync(steps));
    return isPlain(found) ? found : copyOf(found);
  }
  const found = await inTime(steps, requester);
  if (isMoreThan(found, limits.values, limits.text)) {
    const [values, characters] = [limits.values, limits.text].map((most) => most.toLocaleString("en"));
    throw new TemplateError(`what comes out has more than ${values} values or ${characters} characters`);
  }
  return copyOf(found);
}

/** As JSON has it: Liquid's own values and what is missing in a list are none. */
const copyOf = (found: unknown) => (typeof found === "string" ? found : guarded(() => toJsonValue(found)));

export interface Condition {
  readonly references: readonly Reference[];
  /** @throws TemplateError; the signal's reason */
  holds(scope: JsonObject, requester: Requester): Promise<boolean>;
}

/** A text in quotes, as Liquid reads it: what stands in it is data. */
const quoted = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/gs;

/**
 * Reads a Liquid condition such as `amount.value > 100 and name.value contains "x"`.
 * @throws TemplateError when it cannot be read
 */
export function parseCondition(text: string): Condition {
  if (/[{}%]/.test(text.replace(quoted, "")) || text.includes(endOfCondition)) {
    throw new TemplateError("a condition is written without braces, such as amount.value > 100");
  }
  const parts = guarded(() => conditions.parse(`{% if ${text} ${endOfCondition}1{% endif ${endOfCondition}`));
  return {
    references: guarded(() => referencesOf(parts)),
    holds: async (scope, requester) => (await inTime(conditions.render(parts, scope), requester)) === "1",
  };
}

async function inTime<T>(steps: Steps<T>, requester: Requester): Promise<T> {
  try {
    return await runInSlices(steps, requester, limits.ms);
  } catch (error) {
    requester.signal?.throwIfAborted();
    if (error instanceof SlicesError)
      throw new TemplateError(`the template took longer than ${limits.ms / 1_000} s`);
    throw asTemplateError(error);
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asTemplateError(error);
  }
}

function asTemplateError(error: unknown): TemplateError {
  const message = error instanceof Error ? error.message : String(error);
  return new TemplateError(message.replace(/, line:1, col:\d+$/, "").replace(/\s+/g, " "));
}
