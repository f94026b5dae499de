import { describe, expect, it } from "vitest";
import { modelTests } from "../../testing/model-tests.ts";
import { inputTokens, outputTokens } from "./limits.ts";
import { ModelError } from "./model-error.ts";
import { readModelSettings } from "./settings.ts";

const { server, ask, limits } = modelTests({
  openai: "gpt-5.1, gpt-4.1, gpt-4o, something-new",
  anthropic: "claude-sonnet-4-5, claude-opus-4-1",
  local: "fake",
  environment: { WHEELHOUSE_OPENAI_COMPATIBLE_CONTEXT: "32768" },
});

describe("what a model can take", () => {
  it.each([
    ["openai/gpt-5.1", 400_000, 272_000],
    ["openai/gpt-4.1", 1_047_576, 1_014_808],
    ["openai/gpt-4o", 128_000, 112_000],
    ["openai/something-new", 128_000, 112_000],
    ["anthropic/claude-sonnet-4-5", 200_000, 175_000],
    ["local/fake", 32_768, 28_672],
  ])("of %s is %i tokens, and %i of them for a request", (model, context, request) => {
    expect(limits(model).context).toBe(context);
    expect(inputTokens(limits(model), null)).toBe(request);
  });

  it("leaves room for the answer that an agent's max_tokens allows, and for a request in any case", () => {
    expect(inputTokens(limits("local/fake"), 8_000)).toBe(24_768);
    expect(inputTokens(limits("local/fake"), 1_000_000)).toBe(16_384);
    expect(inputTokens(limits("anthropic/claude-opus-4-1"), 1_000_000)).toBe(168_000);
  });

  it.each(["many", "10", "1e9.5", "-4000"])("is refused where the operator says %j", (tokens) => {
    const environment = {
      WHEELHOUSE_OPENAI_COMPATIBLE_URL: "http://localhost:1/v1",
      WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "m",
      WHEELHOUSE_OPENAI_COMPATIBLE_CONTEXT: tokens,
    };
    expect(() => readModelSettings(environment)).toThrow("WHEELHOUSE_OPENAI_COMPATIBLE_CONTEXT");
  });
});

describe("a provider that refuses a request for its length", () => {
  const says = [
    [
      "OpenAI",
      400,
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
    ],
    [
      "OpenAI, newer",
      400,
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
    ],
    [
      "OpenAI, by the minute",
      429,
      "Request too large for gpt-4.1 on tokens per min (TPM): Limit 30000, Requested 41000. The input or output tokens must be reduced in order to run successfully.",
    ],
    ["Anthropic", 400, "prompt is too long: 210334 tokens > 200000 maximum"],
    [
      "Anthropic, with the answer",
      400,
      "input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    ],
    [
      "vLLM",
      400,
      "This model's maximum context length is 32768 tokens. However, you requested 40000 tokens (39000 in the messages, 1000 in the completion).",
    ],
    ["llama.cpp", 400, "the request exceeds the available context size, try increasing it"],
    ["Groq", 400, "Please reduce the length of the messages or completion."],
    ["Mistral", 400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"],
    [
      "Google",
      400,
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ],
    ["TGI", 422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096."],
  ] as const;
  it.each(says)("is understood: %s", async (_, status, message) => {
    server.next({ type: "status", status, message });
    const error = await ask().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ failure: "too_long", retryable: false });
    expect(String(error)).toContain(message.slice(0, 60));
  });

  it.each([
    [400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens.", "refused"],
    [400, "Invalid schema for function write_file", "refused"],
    [429, "Rate limit reached for gpt-4.1", "busy"],
    [503, "The server is overloaded", "unavailable"],
  ])("is told apart from other refusals: %i %s", async (status, message, failure) => {
    server.next({ type: "status", status, message });
    expect(await ask().catch((reason: unknown) => reason)).toMatchObject({ failure });
  });
});

describe("the most tokens of an answer", () => {
  it.each([
    ["are what the agent says", "local/fake", 500, 500],
    ["are the model's own where nobody says more", "local/fake", null, null],
    ["are named for a provider that demands it", "anthropic/claude-opus-4-1", null, 32_000],
    ["are no more than the model has", "anthropic/claude-opus-4-1", 1_000_000, 32_000],
    ["are no more than the request leaves of what the model can take", "local/fake", 1_000_000, 31_768],
  ])("%s", async (_, model, set, sent) => {
    const most = outputTokens(limits(model), set, 1_000);
    expect(most).toBe(sent);
    // The test's server does not speak Anthropic's protocol, but hears what it is asked.
    await ask({ model, maxTokens: most }).catch(() => null);
    expect(server.calls.at(-1)?.maxTokens).toBe(sent);
  });

  it("shrink where the conversation nearly fills what the model can take", () => {
    expect(outputTokens(limits("anthropic/claude-sonnet-4-5"), null, 170_000)).toBe(30_000);
  });
});
