import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { flowHarness } from "../../testing/flows.ts";
import type { Execution, Journal, Step } from "../engine/kind.ts";
import { readExecution } from "../engine/queries.ts";
import { nodeTypes } from "../nodes/registry.ts";
import type { NodeServices } from "../nodes/services.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { advanceRun } from "./run.ts";

/** One of each type that does more than to work out its result. */
const acting: Readonly<Record<string, object>> = {
  delay: { seconds: 1 },
  file: { name: "f.txt", content: "{{ before.value }}" },
  http: { url: "http://localhost:9/{{ before.value }}" },
  code: { source: "return 1" },
  flow: { flow: "flow_other" },
  each: { items: [1], do: { type: "http", url: "http://localhost:9/{{ item }}" } },
  agent: { agent: "agent_scribe", message: "{{ before.value }}" },
  mcp_tool: { server: "notes", tool: "add" },
  knowledge_search: { query: "{{ before.value }}" },
  approval: { question: "{{ before.value }}" },
};
const actingTypes = nodeTypes.filter(({ isRepeatable }) => !isRepeatable).map(({ type }) => type);

test.each(actingTypes)(
  "before its first write gets through, a run with a node of type %s reaches for nothing",
  async (type) => {
    expect(acting, "the samples above").toHaveProperty(type);
    const reached: string[] = [];
    let happen = () => {};
    const happened = new Promise<void>((resolve) => {
      happen = resolve;
    });
    const reach = (name: string): never => {
      reached.push(name);
      happen();
      throw new Error(`reaches for ${name}`);
    };
    const services = new Proxy({} as NodeServices, {
      get: (_, name) => {
        if (name === "clock") return { now: () => new Date() };
        // What is measured reaches nobody.
        return name === "meters" ? undefined : reach(String(name));
      },
    });
    const steps = new Map<string, Step>();
    const never = () => {
      happen();
      return new Promise<never>(() => {});
    };
    const stop = new AbortController();
    const journal: Journal = {
      ...{ signal: stop.signal, steps, wait: never, spawn: never, log: never, woken: () => never() },
      async record(key, outcome, options) {
        if (!options?.isRepeatable || options.within !== undefined || outcome.type === "failed")
          return never();
        steps.set(key, {
          key,
          state: "done",
          output: outcome.output,
          error: null,
          wakeAt: null,
          childId: null,
        });
      },
    };
    const nodes = [
      { id: "before", node: { type: "template", text: "x" } },
      { id: "acts", node: { type, after: ["before"], ...acting[type] } },
      { id: "out", node: { type: "output", value: "{{ acts.value }}" } },
    ];
    const now = new Date();
    const execution: Execution = {
      ...{ id: "run_ahead", kind: "pipeline", rootId: "run_ahead", parentId: null, depth: 0 },
      ...{ subjectId: "flow_acting", userId: "user_ada", teamId: null },
      input: { name: "Acting", definition: { nodes }, inputs: {} },
      ...{ state: "running", result: null, error: null, logCount: 0, revision: 0 },
      ...{ createdAt: now, startedAt: now, finishedAt: null },
    };
    const run = advanceRun(execution, journal, services, { find: async () => null }).then(
      (outcome) => {
        happen();
        return outcome;
      },
      () => undefined,
    );
    await happened;
    expect(reached).toEqual([]);
    expect([...steps.keys()]).toEqual(["before"]);
    // It waits for that write: it has not ended without one.
    expect(await Promise.race([run, new Promise((resolve) => setImmediate(() => resolve("waits")))])).toBe(
      "waits",
    );
  },
);

test("a flow that acts in one of its branches calls nobody for a start that is refused, and once for one that is not", async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const harness = await flowHarness({ outgoing: createOutgoing({ allowPrivate: [`localhost:${port}`] }) });
  await harness.add(`
id: flow_branch
name: Branch
owner: user_ada
nodes:
  go: { type: input }
  way: { type: condition, branches: [{ name: yes, if: "go.value != ''" }] }
  call: { type: http, url: "http://localhost:${port}/{{ go.value }}", when: way.yes }
  file: { type: file, name: f.txt, content: "{{ call.value }}" }
  out: { type: output, value: "{{ call.value }}", join: any }
`);
  const first = await harness.end(await harness.launch("flow_branch"));
  // From here on it is foreseen that runs of this flow end at once.
  const ahead = await harness.launch("flow_branch");
  expect(await readExecution(harness.store.db, ahead)).toMatchObject({ state: "done" });
  const second = await harness.end(ahead);
  const untimed = (log: readonly string[]) => log.map((line) => line.replace(/\d+ ms$/, "ms"));
  expect(untimed(second.log)).toEqual(untimed(first.log));
  const { pool } = harness.store;
  await pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$;
    create trigger refuse before insert on executions for each row execute function refuse()`);
  await expect(harness.launch("flow_branch", { go: "refused" })).rejects.toThrow("no room");
  await pool.query("drop trigger refuse on executions");
  const { execution, outputs } = await harness.end(await harness.launch("flow_branch", { go: "started" }));
  expect(execution).toMatchObject({ state: "done" });
  expect(outputs).toEqual({ out: "ok" });
  expect(calls).toEqual(["/started"]);
  const { rows } = await pool.query("select execution_id, name from run_files");
  expect(rows).toEqual([{ execution_id: execution.id, name: "f.txt" }]);
  await harness.stop();
  server.close();
});
