import type { ProviderSettings } from "./settings.ts";

/** What a model can take, in its own tokens. */
export interface ModelLimits {
  /** Of a request and its answer together. */
  readonly context: number;
  /** Of a request alone, at most. */
  readonly input: number;
  /** Of an answer, at most; null: not known. */
  readonly output: number | null;
  /** How many of its tokens one of `estimateTokens` may be. */
  readonly margin: number;
  /** Whether each request must name the most tokens of its answer. */
  readonly namesOutput: boolean;
  /** Whether it reads nothing of earlier turns; absent: it reads them. */
  readonly readsOneTurn?: true;
  /** Whether it is told with its answers what it thought before them; absent: it is not. */
  readonly tellsReasoning?: true;
}

type Size = Partial<Pick<ModelLimits, "context" | "input" | "output">>;

/** By the beginning of the name, the first that fits; what their makers publish. */
const openai: readonly (readonly [name: string, size: Size])[] = [
  ["gpt-5-chat", { context: 128_000, output: 16_384 }],
  ["gpt-5", { context: 400_000, input: 272_000, output: 128_000 }],
  ["gpt-4.1", { context: 1_047_576, output: 32_768 }],
  ["gpt-4o", { context: 128_000, output: 16_384 }],
  ["gpt-4-turbo", { context: 128_000, output: 4_096 }],
  ["gpt-4", { context: 8_192, output: 8_192 }],
  ["gpt-3.5", { context: 16_385, output: 4_096 }],
  ["o1", { context: 200_000, output: 100_000 }],
  ["o3", { context: 200_000, output: 100_000 }],
  ["o4", { context: 200_000, output: 100_000 }],
];
const anthropic: readonly (readonly [name: string, size: Size])[] = [
  ["claude-3-5", { output: 8_192 }],
  ["claude-3-7", { output: 64_000 }],
  ["claude-3", { output: 4_096 }],
  ["claude-opus-4-5", { output: 64_000 }],
  ["claude-opus-4-1", { output: 32_000 }],
  ["claude-opus-4-2", { output: 32_000 }],
  ["claude-opus-4-0", { output: 32_000 }],
  ["claude-", { output: 64_000 }],
];

/** Of models that nobody has told us more about. */
const assumed = { openai: 128_000, anthropic: 200_000, compatible: 128_000 } as const;
/** Their tokenizers make more tokens of a text than the one that estimates were measured with, or are not known. */
const margins = { openai: 1.1, anthropic: 1.35, compatible: 1.3 } as const;

/**
 * The limits of one model of a provider. What the operator says of the context comes first, then what is known of the
 * model, then what is assumed.
 */
export function limitsOf({ kind, contextTokens }: ProviderSettings, model: string): ModelLimits {
  const table = kind === "openai" ? openai : kind === "anthropic" ? anthropic : [];
  const known = table.find(([name]) => model.startsWith(name))?.[1] ?? {};
  const context = contextTokens ?? known.context ?? assumed[kind];
  return {
    context,
    input: contextTokens ?? known.input ?? context,
    output: known.output ?? null,
    margin: margins[kind],
    namesOutput: kind === "anthropic",
  };
}

/** The built-in model reads its newest message alone, and everything fits. */
export const offlineLimits: ModelLimits = {
  context: 100_000_000,
  input: 100_000_000,
  output: null,
  margin: 1,
  namesOutput: false,
  readsOneTurn: true,
};

/**
 * How many tokens a request may have, so that its answer has room.
 * @param maxTokens the most tokens of the answer, where they are set; else an eighth of the context is kept for it
 */
export function inputTokens({ context, input, output }: ModelLimits, maxTokens: number | null): number {
  const wanted = maxTokens === null ? context / 8 : Math.min(maxTokens, context / 2);
  return Math.floor(Math.min(input, context - Math.min(wanted, output ?? wanted)));
}

/**
 * The most tokens of an answer that a request names; null: it leaves them to the model.
 * @param maxTokens as they are set for the agent; null: the model's own
 * @param used tokens of the request
 */
export function outputTokens(limits: ModelLimits, maxTokens: number | null, used: number): number | null {
  const { context, output, namesOutput } = limits;
  if (maxTokens === null && !namesOutput) return null;
  // A request and the answer that it allows must fit together, or it is refused.
  const left = Math.max(1_024, Math.floor(context - used));
  return maxTokens === null
    ? Math.min(output ?? 4_096, left)
    : Math.min(maxTokens, output ?? maxTokens, left);
}
