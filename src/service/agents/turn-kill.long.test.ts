import { describe, expect, it } from "vitest";
import { brokenInvariants } from "../../testing/engine.ts";
import type { ModelCallSeen } from "../../testing/fake-model-server.ts";
import { until } from "../../testing/until.ts";
import { killableWorkers } from "../../testing/worker.ts";

const { app: service, startWorker, workers } = killableWorkers();

/** Writes one file, then says so: what it has seen of the conversation decides, as with a real model. */
function decide(call: ModelCallSeen) {
  const answered = call.messages.at(-1)?.role === "tool";
  const args = JSON.stringify({ name: "log.txt", content: "Fair wind." });
  return answered
    ? ({ type: "text", text: "Written." } as const)
    : ({ type: "tools", calls: [{ name: "write_file", args }] } as const);
}

async function countBy(table: "artifacts" | "artifact_versions" | "messages"): Promise<number> {
  const { rows } = await service().context.store.pool.query(`select count(*)::int as count from ${table}`);
  return rows[0]?.count;
}

describe("S-01: kill -9 of the worker in the middle of turns", () => {
  it("leaves each turn with exactly one answer and exactly one file, and ends that never change", async () => {
    const app = service();
    app.model.otherwise(decide);
    const turns = 100;
    const started = await Promise.all(
      Array.from({ length: turns }, (_, index) => app.start(`Turn ${index}`)),
    );
    const ids = started.map(({ body }) => body.interaction_id);
    const calls = () => app.model.calls.length;
    for (let kill = 1; kill <= 5; kill++) {
      const worker = await startWorker();
      const before = calls();
      await until("some calls of the model", () => calls() >= before + turns / 5);
      worker.kill("SIGKILL");
    }
    await startWorker();
    const { db } = app.context.store;
    const open = () => db.selectFrom("interactions").select("id").where("state", "=", "processing").execute();
    await until("the end of all turns", async () => (await open()).length === 0, 120_000);
    const statuses = await Promise.all(ids.map((id) => app.settled(id)));
    expect(statuses.map(({ state, response }) => `${state} ${response}`)).toEqual(
      ids.map(() => "COMPLETED Written."),
    );
    expect([
      await countBy("messages"),
      await countBy("artifacts"),
      await countBy("artifact_versions"),
    ]).toEqual([turns * 2, turns, turns]);
    expect(statuses.every(({ messages }) => messages[1].parts.length === 3)).toBe(true);
    expect(await brokenInvariants(app.context.store)).toEqual([]);
    // Two calls for each turn, and at most one more for each that was cut off.
    expect(calls()).toBeLessThanOrEqual(turns * 2 + workers.length * 5);
    const ends = () =>
      db
        .selectFrom("executions")
        .select(["id", "finished_at"])
        .where("subject_id", "in", ids)
        .orderBy("id")
        .execute();
    const first = await ends();
    workers.at(-1)?.kill("SIGKILL");
    await startWorker();
    // A turn that the new worker ends shows that it had the others before it as well.
    const { body } = await app.start("One more");
    await app.settled(body.interaction_id);
    expect(await ends()).toEqual(first);
  }, 300_000);
});
