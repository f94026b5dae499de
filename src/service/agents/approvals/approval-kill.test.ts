import { describe, expect, it } from "vitest";
import { answer, askedOnce, askingAgent } from "../../../testing/approvals.ts";
import { brokenInvariants } from "../../../testing/engine.ts";
import { until } from "../../../testing/until.ts";
import { killableWorkers } from "../../../testing/worker.ts";

const { app: service, startWorker } = killableWorkers();
const message = '/write_file {"name":"a.txt","content":"Fair wind."}';

async function filesOf(id: string): Promise<unknown[]> {
  const { body } = await service().call("kim", "GET", `/artifacts?session_id=${id}`);
  return body.artifacts.map((one: { filename: string; major_version: number }) => [
    one.filename,
    one.major_version,
  ]);
}

describe("S-69: a question whose worker is killed -9", () => {
  it("waits on, is answered while nobody works, and its call is made once by whoever comes next", async () => {
    const app = service();
    const agent = await askingAgent(app);
    const first = await startWorker();
    const { id, item } = await askedOnce(app, message, { gummie_id: agent });
    first.kill("SIGKILL");
    await until("the worker is gone", () => first.signalCode !== null);
    expect((await app.call("kim", "GET", `/sessions/${id}`)).body.session.state).toBe("approval_required");
    expect((await answer(app, item, { answer: "approve" })).status).toBe(200);
    expect(await filesOf(id)).toEqual([]);
    await startWorker();
    expect((await app.settled(id)).state).toBe("COMPLETED");
    expect(await filesOf(id)).toEqual([["a.txt", 1]]);
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  }, 120_000);

  it("waits on with another worker, which takes up the answers to all that the dead one had asked", async () => {
    const app = service();
    const agent = await askingAgent(app);
    const before = await startWorker();
    const waiting = await Promise.all(
      Array.from({ length: 12 }, () => askedOnce(app, message, { gummie_id: agent })),
    );
    const second = await startWorker();
    before.kill("SIGKILL");
    // Each is answered while one worker dies and the other goes on.
    await Promise.all(waiting.map(({ item }) => answer(app, item, { answer: "approve" })));
    second.kill("SIGKILL");
    await startWorker();
    for (const { id } of waiting) {
      expect((await app.settled(id)).state).toBe("COMPLETED");
      expect(await filesOf(id)).toEqual([["a.txt", 1]]);
    }
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  }, 120_000);
});
