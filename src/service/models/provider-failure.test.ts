import { describe, expect, it } from "vitest";
import { chatStream } from "../../testing/model-streams.ts";
import { failureOf, modelTests } from "../../testing/model-tests.ts";

const secret = "sk-canary-0123456789abcdef";
const json = "application/json";

const { server, ask } = modelTests({ openai: "gpt", anthropic: "claude", local: "fake", key: secret });

interface Raw {
  readonly status?: number;
  readonly contentType?: string;
  readonly body: string;
}

function failureBy(raw: Raw, model = "local/fake") {
  server.next({ type: "raw", ...raw });
  return failureOf(ask({ model }));
}

const refusal = (status: number, body: unknown): Raw => {
  return { status, contentType: json, body: typeof body === "string" ? body : JSON.stringify(body) };
};

describe("the cause, as whichever server says it", () => {
  const openRouter = (status: number, raw: string) =>
    refusal(status, {
      error: { message: "Provider returned error", code: status, metadata: { raw, provider_name: "X" } },
    });

  it.each([
    ["Ollama", refusal(400, { error: "out of memory" }), "local answered 400: out of memory"],
    [
      "Ollama that has no such model",
      refusal(404, { error: "model 'x' not found" }),
      "local answered 404 (it does not know this model): model 'x' not found",
    ],
    ["FastAPI", refusal(400, { detail: "Not allowed" }), "local answered 400: Not allowed"],
    [
      "FastAPI that does not know a field",
      refusal(422, { detail: [{ type: "extra", loc: ["body"], msg: "Extra inputs are not permitted" }] }),
      "local answered 422: Extra inputs are not permitted",
    ],
    [
      "Mistral",
      refusal(422, { object: "error", message: { detail: [{ msg: "Field required" }] } }),
      "local answered 422: Field required",
    ],
    ["vLLM", refusal(400, { object: "error", message: "Too hot" }), "local answered 400: Too hot"],
    ["Gemini", refusal(400, [{ error: { code: 400, message: "API key not valid." } }]), "API key not valid."],
    [
      "OpenRouter of who answered for it",
      openRouter(400, JSON.stringify({ error: { message: "At most 1 image." } })),
      "local answered 400: Provider returned error: At most 1 image.",
    ],
    ["OpenRouter in words", openRouter(429, "Come back later."), "Provider returned error: Come back later."],
  ])("%s", async (_, raw, words) => {
    expect((await failureBy(raw)).message).toContain(words);
  });

  it("holds no key, wherever it stands (S-50)", async () => {
    const said = [
      refusal(400, { error: `Bad ${secret}` }),
      refusal(400, { detail: `Bad ${secret}` }),
      openRouter(400, `Bad ${secret}`),
      { body: `data: {"error":"Bad ${secret}"}\n\n` },
      { contentType: json, body: JSON.stringify({ error: `Bad ${secret}` }) },
    ];
    for (const raw of said) expect((await failureBy(raw)).message).toMatch(/Bad \[key\]$/);
  });

  it("a request that is too long is made shorter, in whichever form that is said", async () => {
    const words = "This model's maximum context length is 4096 tokens.";
    for (const raw of [
      refusal(400, { error: words }),
      openRouter(400, JSON.stringify({ error: { message: words } })),
      { body: `data: {"error":${JSON.stringify(words)}}\n\n` },
      { contentType: json, body: JSON.stringify({ error: { message: words, code: 400 } }) },
    ]) {
      expect((await failureBy(raw)).failure).toBe("too_long");
    }
  });
});

describe("an address that is not that of the API", () => {
  const page = { contentType: "text/html", body: "<!doctype html><title>No model here</title>" };
  it.each([
    ["answers with a page that it is not there", { status: 404, ...page }, "answered 404"],
    ["answers with nothing", { status: 404, contentType: "text/plain", body: "" }, "answered 404"],
    ["answers as FastAPI does", refusal(404, { detail: "Not Found" }), "answered 404"],
    ["answers with a page of its own", page, "answered with a web page"],
  ])("%s", async (_, raw, words) => {
    for (const [model, label] of [
      ["local/fake", "local"],
      ["openai/gpt", "OpenAI"],
      ["anthropic/claude", "Anthropic"],
    ] as const) {
      const { message } = await failureBy(raw, model);
      expect(message).toContain(`${label} ${words}`);
      expect(message).toContain("the address that the operator set is not that of its API");
    }
  });
});

describe("an answer that was none", () => {
  it.each(["local/fake", "openai/gpt", "anthropic/claude"])("with 200 says why: %s", async (model) => {
    const error = { message: "Insufficient credits", code: 402 };
    const refused = await failureBy({ contentType: json, body: JSON.stringify({ error }) }, model);
    expect(refused).toMatchObject({ failure: "refused", retryable: false });
    expect(refused.message).toContain("answered 402: Insufficient credits");
    const other = await failureBy({ contentType: json, body: '{"error":"The engine is dead"}' }, model);
    expect(other).toMatchObject({ failure: "broken", retryable: true });
    expect(other.message).toContain("The engine is dead");
  });

  const begun = chatStream([{ content: "Good" }]).split("\n\n")[0];
  it.each([
    ["a text", { error: "CUDA out of memory" }],
    ["vLLM's object", { object: "error", message: "CUDA out of memory", code: 500 }],
    ["a piece without choices", { choices: null, error_message: "CUDA out of memory" }],
    ["a piece with choices", { choices: [], error: "CUDA out of memory" }],
  ])("in the middle of the stream says why, where that is %s", async (_, piece) => {
    const error = await failureBy({ body: `${begun}\n\ndata: ${JSON.stringify(piece)}\n\n` });
    expect(error).toMatchObject({ failure: "broken", retryable: true });
    expect(error.message).toBe("local broke off its answer: CUDA out of memory");
  });
});

describe("what no other try will change", () => {
  it("a quota that is used up is not taken for too many requests at once", async () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const error = { message, type: "insufficient_quota", code: "insufficient_quota" };
    const failure = await failureBy(refusal(429, { error }), "openai/gpt");
    expect(failure).toMatchObject({ failure: "refused", retryable: false });
    expect(failure.message).toBe(`OpenAI answered 429 (its quota is used up): ${message}`);
  });

  it.each([
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 142 instead.",
    "'tools' : maximum number of items is 128",
    "You may not include more than 128 tools in your request.",
    "Too many tools: 300",
  ])("too many tools: says what to do about it (%s)", async (message) => {
    const failure = await failureBy(refusal(400, { error: { message } }), "openai/gpt");
    expect(failure.retryable).toBe(false);
    expect(failure.message).toBe(
      `OpenAI answered 400: ${message} The agent has too many tools for this model: let it use fewer in its settings.`,
    );
  });

  it("a tool that is refused for something else is not one too many", async () => {
    const message = "Invalid 'tools[3].function.description': string too long.";
    const failure = await failureBy(refusal(400, { error: { message } }), "openai/gpt");
    expect(failure.message).toBe(`OpenAI answered 400: ${message}`);
  });
});
