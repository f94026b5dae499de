import {
  type Template as Part,
  type PropertyAccessToken,
  type Token,
  TypeGuards,
  toValueSync,
} from "liquidjs";

/** What one template reads: `["report", "value"]` for `{{ report.value }}`. Deeper parts are left out. */
export type Reference = readonly [node: string, field?: string];

/** What an expression has, as it stands in a tag or, not yet made ready, inside of another one. */
interface Filtered {
  readonly initial: { readonly postfix: readonly Token[] };
  readonly filters: readonly { readonly args: readonly (Token | readonly [string?, Token?])[] }[];
}

/**
 * What parts of a template read that they do not define themselves, each once. Liquid finds the same, but looks for line and
 * column of each place from the beginning of the text on, which takes minutes for a long one.
 */
export function referencesOf(parts: readonly Part[]): Reference[] {
  const found = new Map<string, Set<string | undefined>>();
  const assigned = new Set<string>();
  const blocks: ReadonlySet<string>[] = [];
  const isOwn = (name: string) => assigned.has(name) || blocks.some((names) => names.has(name));
  const visit = (part: Part) => {
    for (const argument of part.arguments?.() ?? []) {
      for (const access of accessesOf(argument)) {
        const [node, field] = segmentsOf(access);
        if (typeof node !== "string" || isOwn(node)) continue;
        const fields = found.get(node) ?? new Set();
        found.set(node, fields.add(typeof field === "string" ? field : undefined));
      }
    }
    for (const { content } of part.localScope?.() ?? []) assigned.add(content);
    if (!part.children) return;
    blocks.push(new Set(part.blockScope?.()));
    for (const child of toValueSync(part.children(false, true))) visit(child);
    blocks.pop();
  };
  for (const part of parts) visit(part);
  return [...found].flatMap(([node, fields]) =>
    [...fields].map((field): Reference => (field === undefined ? [node] : [node, field])),
  );
}

/**
 * Everything in an expression that is read by a path, also inside of the path of another.
 * @param expression undefined: a tag has none after a word such as `reversed`
 */
function* accessesOf(expression: Token | Filtered | undefined): Generator<PropertyAccessToken> {
  if (expression === undefined) return;
  if ("initial" in expression) {
    for (const token of expression.initial.postfix) yield* accessesOf(token);
    for (const argument of expression.filters.flatMap(({ args }) => args)) {
      yield* accessesOf("kind" in argument ? argument : argument[1]);
    }
  } else if (TypeGuards.isRangeToken(expression)) {
    yield* accessesOf(expression.lhs);
    yield* accessesOf(expression.rhs);
  } else if (TypeGuards.isPropertyAccessToken(expression)) {
    yield expression;
    for (const segment of segmentsOf(expression)) {
      if (typeof segment === "object") yield* accessesOf(segment);
    }
  }
}

/** The path of what is read; one inside of brackets has a path of its own, unless it is the beginning. */
function* segmentsOf({ props }: PropertyAccessToken): Generator<string | number | PropertyAccessToken> {
  for (const [at, prop] of props.entries()) {
    if (TypeGuards.isPropertyAccessToken(prop)) {
      if (at === 0) yield* segmentsOf(prop);
      else yield prop;
    } else if (
      TypeGuards.isQuotedToken(prop) ||
      TypeGuards.isNumberToken(prop) ||
      TypeGuards.isWordToken(prop)
    ) {
      yield prop.content;
    }
  }
}
