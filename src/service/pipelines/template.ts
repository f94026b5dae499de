import { Context, Liquid, Output, type Template as Part, toValueSync } from "liquidjs";
import { type JsonObject, type JsonValue, textOf, toJson } from "../json.ts";

/** The text of a template cannot be read, or rendering it went over a limit. The message is for the flow's author. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** What one template reads: `["report", "value"]` for `{{ report.value }}`. Deeper parts are left out. */
export type Reference = readonly [node: string, field?: string];

export interface Template {
  readonly references: readonly Reference[];
  /**
   * A template that is exactly one `{{ … }}` gives the value itself, not its text; any other gives text.
   * Values are data: what looks like a template inside a value stays literal text.
   * @throws TemplateError
   */
  resolve(scope: JsonObject): JsonValue;
}

const limits = { parseLimit: 1_000_000, renderLimit: 1_000, memoryLimit: 20_000_000 };

/** No file access, own properties only, unknown filters refused; neither is changed after these lines. */
const options = { ...limits, templates: {}, ownPropertyOnly: true, strictFilters: true };
const liquid = withoutIncludes(
  new Liquid({ ...options, outputEscape: (value: unknown) => textOf(toJson(value)) }),
);
/** For values as they are, not as text. */
const bare = withoutIncludes(new Liquid(options));

function withoutIncludes(engine: Liquid): Liquid {
  for (const tag of ["include", "render", "layout", "block"]) delete engine.tags[tag];
  return engine;
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
  const parts = parse(liquid, text);
  const output = onlyOutput(text.trim());
  return {
    references: referencesOf(parts),
    resolve: (scope) =>
      guarded(() => {
        if (!output) return liquid.renderSync(parts, scope);
        return toJson(toValueSync(output.value.value(new Context(scope, bare.options))));
      }),
  };
}

/** The one `{{ … }}` that the text is; null for any other text. */
function onlyOutput(text: string): Output | null {
  if (!text.startsWith("{{") || !text.endsWith("}}")) return null;
  const parts = parse(bare, text);
  const [only] = parts;
  return parts.length === 1 && only instanceof Output ? only : null;
}

/**
 * Reads a Liquid condition such as `amount.value > 100 and name.value contains "x"`.
 * @throws TemplateError when it cannot be read
 */
export function parseCondition(text: string): {
  references: readonly Reference[];
  holds(scope: JsonObject): boolean;
} {
  if (/[{}]|%/.test(text)) {
    throw new TemplateError("a condition is written without braces, such as amount.value > 100");
  }
  const parts = parse(liquid, `{% if ${text} %}1{% endif %}`);
  return {
    references: referencesOf(parts),
    holds: (scope) => guarded(() => liquid.renderSync(parts, scope)) === "1",
  };
}

function parse(engine: Liquid, text: string): Part[] {
  return guarded(() => engine.parse(text));
}

function referencesOf(parts: Part[]): Reference[] {
  return liquid.globalVariableSegmentsSync(parts).flatMap(([node, field]) => {
    if (typeof node !== "string") return [];
    return [typeof field === "string" ? [node, field] : [node]] satisfies Reference[];
  });
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new TemplateError(message.replace(/, line:1, col:\d+$/, "").replace(/\s+/g, " "));
  }
}
