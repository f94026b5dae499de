import {
  Context,
  defaultOperators,
  Liquid,
  Parser,
  type Template as Part,
  type TopLevelToken,
} from "liquidjs";
import { isJsonObject, type JsonObject, type JsonValue, textOf, toJsonValue } from "../json.ts";
import { jsonPieces } from "../json-pieces.ts";
import { checkContains, checkFilter, isMoreThan, limits } from "./template-limits.ts";
import { holdsText } from "./text-search.ts";

/**
 * Liquid as templates may use it: no file access, own properties only, unknown filters refused, and whatever it does can be
 * left after a step of a few dozen milliseconds at most.
 */
export interface TemplateEngine {
  /** @throws what Liquid says of a text that cannot be read */
  parse(text: string): Part[];
  /** For one rendering. */
  context(scope: JsonObject): Context;
  /** The steps of a rendering; they return its text. */
  render(parts: Part[], scope: JsonObject): Iterator<unknown, string, unknown>;
}

/** The text of a template, with values put in as text. */
export const texts = createEngine({
  // Liquid works through the steps of what this returns as it does with those of its own filters.
  outputEscape: asText as unknown as (value: unknown) => string,
});
/** For values as they are. */
export const values = createEngine({});

/** What nobody writes: Liquid ends a tag at its delimiter also inside of quotes. */
export const endOfCondition = "\u0003";
/** For conditions, in whose quotes there may be anything else. */
export const conditions = createEngine({ tagDelimiterRight: endOfCondition });

const { contains = () => false } = defaultOperators;

function createEngine(more: ConstructorParameters<typeof Liquid>[0]): TemplateEngine {
  const liquid = new Liquid({
    ...{ parseLimit: limits.characters, renderLimit: Number.POSITIVE_INFINITY },
    ...{ templates: {}, ownPropertyOnly: true, strictFilters: true },
    operators: {
      ...defaultOperators,
      contains: (list, item, context) => {
        checkContains(list, item);
        if (typeof list === "string" && typeof item === "string") return holdsText(list, item);
        return contains(list, item, context);
      },
    },
    ...more,
  });
  for (const tag of ["include", "render", "layout", "block"]) delete liquid.tags[tag];
  for (const [name, filter] of Object.entries(liquid.filters)) {
    const { handler, raw } = typeof filter === "function" ? { handler: filter, raw: false } : filter;
    liquid.registerFilter(name, {
      raw,
      handler(value: unknown, ...given: unknown[]) {
        checkFilter(name, value, given);
        return handler.call(
          { ...this, context: renderings.get(this.context)?.seenByFilters ?? this.context },
          value,
          ...given,
        );
      },
    });
  }
  // What is captured inside of a template is written as its text is.
  const { renderer } = liquid;
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (parts, context, emitter = createText(renderings.get(context))) =>
    renderTemplates(parts, context, emitter);
  const context = (scope: JsonObject) => {
    // Its own: `increment` and `decrement` count in what they are given, which other fields read too.
    const made = new Context({ ...scope }, liquid.options);
    let used = 0;
    const countUpTo = (most: number, what: string) => (count: number) => {
      if (count > most) throw new Error(`${what} more than ${most.toLocaleString("en")} ${unit}`);
      used += Math.max(0, Number(count) || 0);
      if (used > limits.memory)
        throw new Error(`filters and ranges make more than ${limits.memory.toLocaleString("en")} ${unit}`);
    };
    // Beside filters only ranges make much.
    made.memoryLimit.use = countUpTo(limits.range, "a range makes");
    const memoryLimit = { value: { use: countUpTo(limits.atOnce, "a filter takes or makes") } };
    const seenByFilters: Context = Object.create(made, { memoryLimit });
    renderings.set(made, { seenByFilters, written: 0 });
    return made;
  };
  return {
    parse: (text) => new TemplateParser(liquid).parse(text),
    context,
    render: (parts, scope) => renderer.renderTemplates(parts, context(scope)),
  };
}

/** Liquid's own takes each token from the beginning of a list, and with many that moves all others each time. */
class TemplateParser extends Parser {
  override parseTokens(tokens: TopLevelToken[]): Part[] {
    return super.parseTokens(Backwards.from(tokens.reverse()));
  }
}

class Backwards<T> extends Array<T> {
  override shift(): T | undefined {
    return this.pop();
  }
}

const unit = "characters or items";

interface Rendering {
  /** Filters may make more at once than a range may. */
  readonly seenByFilters: Context;
  /** Characters of all that was written, captured or not. */
  written: number;
}

const renderings = new WeakMap<Context, Rendering>();

/** Collects a text of a limited length. */
function createText(rendering: Pick<Rendering, "written"> = { written: 0 }) {
  return {
    buffer: "",
    write(part: unknown) {
      const text = plainText(part);
      rendering.written += text.length;
      if (rendering.written > limits.text) throw new Error("the text is longer than 10,000,000 characters");
      this.buffer += text;
    },
  };
}

/** What is written raw, as Liquid does it: nothing for what is missing, the items of a list one after the other. */
function plainText(part: unknown): string {
  if (typeof part === "string") return part;
  if (!Array.isArray(part)) return part === null || part === undefined ? "" : String(part);
  if (isMoreThan(part, limits.values, limits.text)) throw new Error("a list is too long to be written raw");
  return part.map(plainText).join("");
}

/** Values are data: what looks like a template inside a value stays literal text. */
function* asText(value: unknown): Generator<undefined, string> {
  if (typeof value === "string") return value;
  if (!isPlain(value)) return textOf(toJsonValue(value));
  const text = createText();
  for (const piece of jsonPieces(value)) {
    text.write(piece);
    yield;
  }
  return text.buffer;
}

/** Whether it is a list or an object as JSON has them, and nothing of Liquid's own. */
export function isPlain(value: unknown): value is JsonObject | readonly JsonValue[] {
  return Array.isArray(value) || (isJsonObject(value) && Object.getPrototypeOf(value) === Object.prototype);
}
