import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasBegun, largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, askOnly, countReads, readAsTaken } = largeAnswers(() => service);

/** A run as it lies in the database. */
async function addRun(id: string, inputs: object, more: object = {}, user = "user_ada"): Promise<string> {
  await pool().query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, log_count, log_bytes, started_at, finished_at)
     values ($1, 'pipeline', $1, 0, 'flow', $3, 'done', $2, 0, 0, now(), now())`,
    [id, JSON.stringify({ name: "Large", inputs, ...more }), user],
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
    const text = await readAsTaken(address, '"run_inputs_piece"', 15);
    expect(JSON.parse(text).inputs.text).toHaveLength(16_000_000);
  });

  test("S-262: are cut off where the run is removed meanwhile, and never look shorter", async () => {
    const address = await addRun("run_removed", { text: "z".repeat(5_000_000) });
    const answer = await get(address, { "accept-encoding": "identity" });
    await pool().query("delete from executions where id = 'run_removed'");
    await expect(answer.text()).rejects.toThrow();
  });
});

/** A run whose node `text` took this in, and gave it. */
function addNodes(id: string, given: unknown, user?: string): Promise<string> {
  const nodes = [
    { id: "given", node: { type: "input" } },
    { id: "text", node: { type: "template", text: "{{ given.value }}" } },
  ];
  return addRun(id, { given }, { definition: { nodes } }, user);
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

  test("S-264: are worked out as often for one that stands still as for others, who are answered beside it", async () => {
    const given = "y".repeat(9_000_000);
    const [address, others] = [
      await addNodes("run_still", given),
      await addNodes("run_other", given, "user_grace"),
    ];
    const reads = countReads('"run_bytes"');
    const socket = await askOnly(`${address}/nodes/text?whole=true`);
    await until("its first part", () => hasBegun(socket));
    // Whoever stands still has room for nine megabytes: so much more of the same person waits.
    const second = await askOnly(`${address}/nodes/text?whole=true`);
    const third = await askOnly(`${address}/nodes/text?whole=true`);
    await until("all three have asked", () => reads() >= 4);
    const other = await service.call(service.keys.grace, "GET", `${others}/nodes/text?whole=true`);
    expect((await other.json()).output.value.value).toHaveLength(given.length);
    expect([hasBegun(second), hasBegun(third)]).toEqual([false, false]);
    expect(reads()).toBe(6);
    socket.destroy();
    await until("the second is answered when the first has gone", () => hasBegun(second));
    second.destroy();
    third.destroy();
    expect((await get(`${address}/nodes/text`)).status).toBe(200);
    vi.restoreAllMocks();
  });
});

test("the details of a run with small inputs are read at once, and have their length", async () => {
  const address = await addRun("run_small", { name: "Ada" });
  const answer = await get(address, { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect(await answer.json()).toMatchObject({ inputs: { name: "Ada" } });
});

test("S-281: a list of runs with many inputs is answered whole, to each encoding, with the tag of its text", async () => {
  const long = '🙂é"\\\n'.repeat(100);
  const inputs = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`input_${at}`, long]));
  for (let at = 1; at <= 20; at++) await addRun(`run_many_${at}`, inputs);
  const address = "/runs?page_size=100&search=run_many_";
  for (const encoding of ["identity", "gzip", "br, gzip"]) {
    const answer = await get(address, { "accept-encoding": encoding });
    expect(answer.headers.get("content-length")).toBeNull();
    const text = await answer.text();
    const { runs } = JSON.parse(text);
    expect(runs).toHaveLength(20);
    expect(runs[19].inputs.input_199).toBe(`${[...long].slice(0, 200).join("")}…`);
    const tag = createHash("sha256").update(text).digest("base64url").slice(0, 22);
    expect(answer.headers.get("etag")).toBe(`W/"${tag}"`);
    expect((await get(address, { "if-none-match": `W/"${tag}"` })).status).toBe(304);
  }
});
