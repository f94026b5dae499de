import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, askOnly, countReads } = largeAnswers(() => service);

/** A run of Ada's as it lies in the database. */
async function addRun(id: string, inputs: object): Promise<string> {
  await pool().query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, log_count, log_bytes, started_at, finished_at)
     values ($1, 'pipeline', $1, 0, 'flow', 'user_ada', 'done', $2, 0, 0, now(), now())`,
    [id, JSON.stringify({ name: "Large", inputs })],
  );
  return `/runs/${id}`;
}

describe("the details of a run with large inputs", () => {
  test("S-262: are answered whole, to each encoding", async () => {
    const inputs = { text: '🙂é"\\\n'.repeat(300_000), more: [1, { a: null }] };
    const address = await addRun("run_large", inputs);
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(address, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(await answer.json()).toMatchObject({
        ...{ run_id: "run_large", saved_item_name: "Large", state: "DONE", inputs, sub_runs: [] },
        ...{ parent: null, creator: { id: "user_ada" } },
      });
    }
    const head = await get(address, {}, "HEAD");
    expect([head.status, head.headers.get("etag"), await head.text()]).toEqual([200, null, ""]);
  });

  test("S-262: are read from the database only as fast as the client takes them", async () => {
    const address = await addRun("run_huge", { text: "y".repeat(16_000_000) });
    const reads = countReads('"run_inputs_piece"');
    expect((await (await get(address)).json()).inputs.text).toHaveLength(16_000_000);
    const whole = reads();
    expect(whole).toBeGreaterThan(15);
    const socket = await askOnly(address);
    await until("its first piece", () => reads() > whole);
    // Others read it to its end meanwhile: time enough for the one who stands still.
    await (await get(address)).text();
    expect(reads() - 2 * whole).toBeLessThan(whole / 2);
    socket.destroy();
    vi.restoreAllMocks();
  });

  test("S-262: are cut off where the run is removed meanwhile, and never look shorter", async () => {
    const address = await addRun("run_removed", { text: "z".repeat(5_000_000) });
    const answer = await get(address, { "accept-encoding": "identity" });
    await pool().query("delete from executions where id = 'run_removed'");
    await expect(answer.text()).rejects.toThrow();
  });
});

test("the details of a run with small inputs are read at once, and have their length", async () => {
  const address = await addRun("run_small", { name: "Ada" });
  const answer = await get(address, { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect(await answer.json()).toMatchObject({ inputs: { name: "Ada" } });
});
