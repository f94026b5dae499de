import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Work } from "../../../lib/workers/serve.ts";
import type { NewLines } from "./run-service.ts";
import { runMethods } from "./run-service.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const input = {
  read: 1,
  runId: "run_hello",
  request: { method: "GET", url: "http://service/api/v1/get_pl_run", headers: {}, body: null },
  have: null,
  limits: { timeoutMs: 120_000, headTimeoutMs: 30_000 },
  given: null,
  isCopied: false,
} as const;
const work = (signal: AbortSignal): Work<NewLines> => ({ signal, tell: () => {}, transfer: [] });

/** Says nothing until it is given up. */
const silent: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
  });

it("C-20: a run of which nothing comes is given up as early as other reads, and not when a long log would be", async () => {
  const ended = vi.fn<(error: unknown) => void>();
  const { signal } = new AbortController();
  void runMethods(silent).read(input, work(signal)).catch(ended);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended.mock.calls).toMatchObject([[{ failure: { kind: "timeout", afterMs: 30_000 } }]]);
});

it("C-20: a long log that has begun may take longer, and is still given up by whoever waits for it", async () => {
  const reader = new AbortController();
  let end = () => {};
  const slow: typeof fetch = async (_, init) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"state":"DONE",'));
          end = () => {
            controller.enqueue(new TextEncoder().encode('"log":["late"]}'));
            controller.close();
          };
          init?.signal?.addEventListener("abort", () => controller.error(init.signal?.reason));
        },
      }),
    );
  const late = runMethods(slow).read(input, work(reader.signal));
  await vi.advanceTimersByTimeAsync(90_000);
  end();
  expect(await late).toMatchObject({ changed: { data: { state: "DONE" }, change: "appended" } });

  const left = runMethods(slow)
    .read(input, work(reader.signal))
    .catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(90_000);
  reader.abort(new Error("left"));
  expect(await left).toMatchObject({ message: "left" });
});
