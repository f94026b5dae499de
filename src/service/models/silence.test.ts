import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { modelRequest, modelSettings } from "../../testing/model-tests.ts";
import { createModels } from "./models.ts";

const piece = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "1", choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;

/** A model whose answer comes in these pieces; those before the last have been read by the time that it has been asked. */
async function asked(...pieces: readonly (string | Promise<string>)[]) {
  let wanted = () => {};
  const isLastWanted = new Promise<void>((resolve) => {
    wanted = resolve;
  });
  let next = 0;
  const answering = (signal: AbortSignal | null | undefined): UnderlyingDefaultSource<Uint8Array> => ({
    start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason)),
    async pull(controller) {
      const at = next++;
      if (at === pieces.length - 1) wanted();
      const text = await pieces[at];
      if (text === undefined) controller.close();
      else controller.enqueue(new TextEncoder().encode(text));
    },
  });
  const fetch = async (_: unknown, init?: RequestInit) => {
    const body = new ReadableStream(answering(init?.signal), { highWaterMark: 0 });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const settings = modelSettings("http://127.0.0.1:9/v1", { local: "fake" });
  const answer = createModels(settings, { fetch }).ask(modelRequest());
  const outcome = answer.then(({ text }) => text).catch((error: Error) => error.message);
  await isLastWanted;
  return { outcome };
}

// The SDK's packages load with the first call, which takes time of the real clock.
beforeAll(async () => {
  await (await asked(piece("Good.", "stop"))).outcome;
});
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

it("a model may think for minutes without a word before its answer begins, as OpenAI's and local ones do", async () => {
  let say = (_: string) => {};
  const word = new Promise<string>((resolve) => {
    say = resolve;
  });
  const { outcome } = await asked(word);
  vi.advanceTimersByTime(240_000);
  say(piece("Good.", "stop"));
  expect(await outcome).toBe("Good.");
});

it("one that never begins is given up, and one that falls silent within its answer is sooner", async () => {
  const never = new Promise<string>(() => {});
  const silent = await asked(never);
  vi.advanceTimersByTime(300_000);
  expect(await silent.outcome).toBe("local sent nothing for 290 seconds.");
  const begun = await asked(piece("Go"), never);
  vi.advanceTimersByTime(100_000);
  expect(await begun.outcome).toBe("local sent nothing for 90 seconds.");
});
