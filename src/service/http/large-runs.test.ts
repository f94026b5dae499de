import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasBegun, largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, askOnly, countReads } = largeAnswers(() => service);

/** A run of Ada's as it lies in the database. */
async function addRun(id: string, inputs: object, more: object = {}): Promise<string> {
  await pool().query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, log_count, log_bytes, started_at, finished_at)
     values ($1, 'pipeline', $1, 0, 'flow', 'user_ada', 'done', $2, 0, 0, now(), now())`,
    [id, JSON.stringify({ name: "Large", inputs, ...more })],
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

/** A run whose node `text` took this in, and gave it. */
function addNodes(id: string, given: unknown): Promise<string> {
  const nodes = [
    { id: "given", node: { type: "input" } },
    { id: "text", node: { type: "template", text: "{{ given.value }}" } },
  ];
  return addRun(id, { given }, { definition: { nodes } });
}

describe("a node's values that are large", () => {
  test("S-264: are answered whole, to each encoding", async () => {
    const given = { text: '🙂é"\\\n'.repeat(300_000), more: [1, [], {}, { a: null, b: [true] }] };
    const address = await addNodes("run_values", given);
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(`${address}/nodes/text?whole=true`, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      const { inputs, output } = await answer.json();
      const value = { text: given };
      const known = { known: true, reason: null, beginning: null };
      expect(inputs).toEqual({ ...known, value, size: JSON.stringify(value).length });
      expect(output).toEqual({ ...known, value: { value: given }, size: inputs.size + 1 });
    }
    const etag = (await get(`${address}/nodes/text?whole=true`, {}, "HEAD")).headers.get("etag") ?? "";
    const again = await get(`${address}/nodes/text?whole=true`, { "if-none-match": etag });
    expect([etag, again.status]).toEqual(['W/"0"', 304]);
  });

  test("S-264: are cut to their beginning where they are not asked for whole", async () => {
    const given = ["a".repeat(10), "b".repeat(3_000_000)];
    const address = await addNodes("run_cut", given);
    const { inputs } = await (await get(`${address}/nodes/text`)).json();
    const text = JSON.stringify({ text: given });
    expect(inputs).toMatchObject({ known: true, value: null, size: text.length });
    expect(inputs.beginning).toBe(text.slice(0, 65_536));
  });

  test("S-264: are in memory only while a part of them is written, and not while a client stands still", async () => {
    const address = await addNodes("run_still", "y".repeat(9_000_000));
    const reads = countReads('"run_bytes"');
    await (await get(`${address}/nodes/text?whole=true`)).text();
    const whole = reads();
    expect(whole).toBeGreaterThan(16);
    const sockets = await Promise.all(
      Array.from({ length: 5 }, () => askOnly(`${address}/nodes/text?whole=true`)),
    );
    // Each of them stands still in the middle, and yet there is room for another one to the end.
    await until("their first parts", () => sockets.every(hasBegun));
    await (await get(`${address}/nodes/text?whole=true`)).text();
    expect(reads() - 2 * whole).toBeLessThan(5 * (whole / 2));
    for (const socket of sockets) socket.destroy();
    vi.restoreAllMocks();
  });
});

test("the details of a run with small inputs are read at once, and have their length", async () => {
  const address = await addRun("run_small", { name: "Ada" });
  const answer = await get(address, { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect(await answer.json()).toMatchObject({ inputs: { name: "Ada" } });
});
