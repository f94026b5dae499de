import { describe, expect, it } from "vitest";
import { brokenInvariants } from "../../testing/engine.ts";
import { until } from "../../testing/until.ts";
import { killableWorkers } from "../../testing/worker.ts";

const { app: service, startWorker } = killableWorkers();
const held = (until: Promise<void>) =>
  ({ type: "held", until, answer: { type: "text", text: "Too late." } }) as const;
const never = new Promise<void>(() => {});

describe("a turn that another process has in its hands", () => {
  it("is stopped from here, and its worker is free for the next one", async () => {
    const app = service();
    await startWorker();
    // As many as the worker takes at once: it is free again only if it lets go of what was stopped.
    const turns = 5;
    app.model.otherwise(() => held(never));
    const ids = await Promise.all(
      Array.from({ length: turns }, async (_, at) => (await app.start(`Turn ${at}`)).body.interaction_id),
    );
    await until("all turns at the model", () => app.model.calls.length >= turns);
    const answers = await Promise.all(
      ids.map((id) => app.call("kim", "POST", `/interactions/${id}/stop`, {})),
    );
    expect(answers.map(({ body }) => body.stopped)).toEqual(ids.map(() => true));
    app.model.otherwise(() => ({ type: "text", text: "Good." }));
    const { body } = await app.start("The next one");
    expect(await app.settled(body.interaction_id)).toMatchObject({ state: "COMPLETED", response: "Good." });
    for (const id of ids) {
      expect(await app.settled(id)).toMatchObject({ state: "FAILED", error_message: "Stopped by Kim Test." });
    }
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  }, 120_000);

  it("stays stopped when its worker is killed -9 meanwhile, and when another one comes", async () => {
    const app = service();
    const worker = await startWorker();
    const before = app.model.calls.length;
    app.model.otherwise(() => held(never));
    const { body } = await app.start("Stop me");
    const id = body.interaction_id;
    await until("the turn at the model", () => app.model.calls.length > before);
    const stopping = app.call("kim", "POST", `/interactions/${id}/stop`, {});
    worker.kill("SIGKILL");
    expect((await stopping).body).toEqual({ interaction_id: id, stopped: true, state: "FAILED" });
    app.model.otherwise(() => ({ type: "text", text: "Good." }));
    await startWorker();
    const next = await app.start("And now", { interaction_id: id });
    expect(next.status).toBe(202);
    const status = await app.settled(id);
    expect(status.messages.map(({ content }: { content: string | null }) => content)).toEqual([
      "Stop me",
      null,
      "And now",
      "Good.",
    ]);
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  }, 120_000);
});
