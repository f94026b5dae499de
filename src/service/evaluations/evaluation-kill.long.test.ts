import { describe, expect, it } from "vitest";
import { brokenInvariants } from "../../testing/engine.ts";
import { until } from "../../testing/until.ts";
import { killableWorkers } from "../../testing/worker.ts";

const { app: service, startWorker } = killableWorkers();

describe("S-02: kill -9 of the worker in the middle of evaluations", () => {
  it("leaves each turn with exactly one result, and asks again only what was cut off", async () => {
    const app = service();
    const criterion = { id: "kind", name: "Kind", prompt: "The tone is kind.", type: "voice_tone" };
    const change = { enabled: true, frequency: "per_turn", criteria: [criterion] };
    await app.call("kim", "PATCH", "/agents/agent_kim/evaluation-config", change);
    const verdict = { summary: "Fine.", call_successful: "success" };
    const criteria = [{ id: "kind", result: "success", rationale: "Message 2." }];
    const judged = () =>
      app.model.calls.filter(({ messages }) => JSON.stringify(messages).includes("BEGIN ")).length;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.otherwise((call) => {
      if (!JSON.stringify(call.messages).includes("BEGIN ")) return { type: "text", text: "Hello." };
      const answer = { type: "text", text: JSON.stringify({ ...verdict, criteria }) } as const;
      // The first ones get no answer before their worker is dead.
      return judged() <= 3 ? { type: "held", until: held, answer } : answer;
    });
    const turns = 12;
    const started = await Promise.all(
      Array.from({ length: turns }, (_, index) => app.start(`Turn ${index}`)),
    );
    const first = await startWorker();
    await until("calls of the judge", () => judged() >= 5);
    first.kill("SIGKILL");
    release();
    await startWorker();
    const { db } = app.context.store;
    const rows = () => db.selectFrom("evaluation_results").selectAll().execute();
    await until(
      "the end of all evaluations",
      async () => (await rows()).filter(({ status }) => status === "completed").length >= turns,
      120_000,
    );
    const all = await rows();
    expect(all.map(({ status, grade, turn }) => `${status} ${grade} ${turn}`)).toEqual(
      Array(turns).fill("completed pass 1"),
    );
    expect(all.map(({ interaction_id }) => interaction_id).sort()).toEqual(
      started.map(({ body }) => body.interaction_id).sort(),
    );
    // One call each, and one more for each that the dead worker had in its hands.
    expect(judged()).toBeLessThanOrEqual(turns + 5);
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  }, 300_000);
});
