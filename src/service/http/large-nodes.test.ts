import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RunNode } from "../../contract/run-nodes.ts";
import { largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, readAsTaken, countReads } = largeAnswers(() => service);

/** What is written as JSON six times as long as it is. */
const description = "\u0001".repeat(2_000);

const named = (count: number) => Array.from({ length: count }, (_, at) => `n${at}_`.padEnd(64, "x"));
const ids = (nodes: readonly RunNode[]) => nodes.map(({ id }) => id);
const needsOf = (at: number) => named(at).slice(-200);

/** So many nodes, of which each needs the two hundred before it. */
function flowOf(count: number) {
  const nodes = named(count).map((id, at) => {
    const needs = needsOf(at);
    const text = needs.slice(0, 100).map((read) => `{{ ${read}.value }}`);
    return { id, node: { type: "template", text: text.join(""), after: needs.slice(100), description } };
  });
  return { nodes };
}

/** A run of Ada's that waits for the last of so many nodes; each has started a run. */
async function addRun(word: string, count: number): Promise<string> {
  const version = `of ${count}`;
  await pool().query("insert into flow_versions (hash, definition) values ($1, $2) on conflict do nothing", [
    version,
    JSON.stringify(flowOf(count)),
  ]);
  await pool().query(
    `insert into executions (id, kind, root_id, depth, subject_id, user_id, state, input, log_count, log_bytes, started_at)
     select case at when 0 then $1 else $1 || '_' || at end, 'pipeline', $1, 0, 'flow', 'user_ada', 'waiting', $2, 0, 0, now()
       from generate_series(0, $3::integer) as at`,
    [word, JSON.stringify({ name: "Large", version, inputs: {} }), count],
  );
  await pool().query(
    `with nodes as (select * from unnest($2::text[]) with ordinality as node (id, at))
     insert into steps (execution_id, key, state, output, finished_at, child_id)
     select $1, id || '/run', 'done', '{}'::json, now(), $1 || '_' || at from nodes
      union all
     select $1, id, 'done', '{}', now(), null from nodes where at < $3`,
    [word, named(count), count],
  );
  return `/runs/${word}/nodes`;
}

describe("many nodes of a run with long words", () => {
  test("S-286: are answered whole, to each encoding, with the tag and 304 of few", async () => {
    const address = await addRun("whole", 500);
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(address, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      expect(answer.headers.get("etag")).toBe('W/"0"');
      const { nodes, ...more } = await answer.json();
      expect(more).toEqual({ run_id: "whole", state: "RUNNING", readable: true });
      expect(ids(nodes)).toEqual(named(500));
      expect(nodes[498]).toMatchObject({ state: "done", run_id: "whole_499", description });
      expect(nodes[499]).toEqual({
        ...{ id: named(500)[499], type: "template", description, state: "running", tries: 1, most_tries: 1 },
        needs: needsOf(499).map((node) => ({ node, branch: null })),
        ...{ waits: [], waits_count: 0, began_at: null, ended_at: null, error: null, items: null },
        ...{ run_id: "whole_500", interaction_id: null, agent_id: null },
      });
    }
    expect((await get(address, { "if-none-match": 'W/"0"' })).status).toBe(304);
  });

  test("S-286: are written only as fast as the client takes them, and what they started is read so", async () => {
    const text = await readAsTaken(await addRun("huge", 500), "started_by_nodes", 40);
    expect(ids(JSON.parse(text).nodes)).toEqual(named(500));
  });

  test("S-286: are those of one moment, whatever the run does meanwhile", async () => {
    const address = await addRun("moment", 500);
    const reads = countReads("started_by_nodes");
    const answer = await get(address, { "accept-encoding": "identity" });
    await until("the first nodes", () => reads() > 2);
    await pool().query(
      "update executions set state = 'done', finished_at = now(), revision = 1 where id = 'moment'",
    );
    await pool().query(
      "insert into steps (execution_id, key, state, output, finished_at) values ('moment', $1, 'done', '{}', now())",
      [named(500)[499]],
    );
    const { state, nodes } = await answer.json();
    expect([state, nodes[498].state, nodes[499].state]).toEqual(["RUNNING", "done", "running"]);
    const later = await get(address, { "if-none-match": answer.headers.get("etag") ?? "" });
    const now = await later.json();
    expect([later.headers.get("etag"), now.state, now.nodes[499].state]).toEqual(['W/"1"', "DONE", "done"]);
    vi.restoreAllMocks();
  });

  test("S-286: are cut off where the run is removed meanwhile, and never look shorter", async () => {
    const address = await addRun("removed", 500);
    const reads = countReads("started_by_nodes");
    const answer = await get(address, { "accept-encoding": "identity" });
    await until("the first nodes", () => reads() > 2);
    await pool().query("delete from executions where root_id = 'removed'");
    await expect(answer.text()).rejects.toThrow();
    vi.restoreAllMocks();
  });
});

test("few nodes of a run are read at once, and have their length", async () => {
  const answer = await get(await addRun("short", 10), { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  const { nodes, ...more } = await answer.json();
  expect(more).toEqual({ run_id: "short", state: "RUNNING", readable: true });
  expect(ids(nodes)).toEqual(named(10));
});
