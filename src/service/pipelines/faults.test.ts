import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { brokenInvariants, expireLeases } from "../../testing/engine.ts";
import { flowHarness } from "../../testing/flows.ts";
import { type Death, mortal } from "../../testing/mortal-journal.ts";
import { until } from "../../testing/until.ts";
import { sweep } from "../engine/sweep.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { listRunFiles } from "./run-files.ts";

test("S-04 a run whose worker dies before or after any of its writes goes on and repeats nothing that it has recorded", async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    response.end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://localhost:${port}`;
  let death: Death = { moment: -1, side: "before", writes: 0, happened: false };
  const harness = await flowHarness({
    outgoing: createOutgoing({ allowPrivate: [`localhost:${port}`] }),
    wrap: (kind) => ({ advance: (execution, journal) => kind.advance(execution, mortal(journal, death)) }),
  });
  const { pool, db } = harness.store;
  await harness.add(
    `
id: flow_sub
name: Sub
owner: user_ada
nodes:
  n: { type: input }
  out: { type: output, value: "sub {{ n.value }}" }
`,
    `
id: flow_main
name: Main
owner: user_ada
nodes:
  call: { type: http, url: "${url}/call" }
  seen: { type: template, text: "{{ call.value }}" }
  way: { type: condition, branches: [{ name: yes, if: "seen.value == 'ok'" }] }
  wait: { type: delay, seconds: 0.02, after: [call], when: way.yes }
  unused: { type: template, text: never, when: way.otherwise }
  kept: { type: template, text: "{{ seen.value }}", after: [wait] }
  sub: { type: flow, flow: flow_sub, inputs: { n: 1 }, after: [wait] }
  many: { type: each, items: [1, 2], concurrency: 1, do: { type: http, url: "${url}/{{ item }}" }, after: [sub] }
  file: { type: file, name: f.txt, content: "{{ many.value | size }}" }
  out: { type: output, value: "{{ sub.value.out }} {{ file.value }}" }
`,
  );
  for (const side of ["before", "after"] as const) {
    for (let moment = 0; ; moment++) {
      death = { moment, side, writes: 0, happened: false };
      calls.length = 0;
      const id = await harness.start("flow_main");
      await until("it has died or ended", async () => {
        const { rows } = await pool.query(
          "select from executions where id = $1 and finished_at is not null",
          [id],
        );
        return death.happened || rows.length > 0;
      });
      if (death.happened) {
        // As if its lease had run out: somebody else takes it up.
        await expireLeases(harness.store, id);
        await sweep(db);
      }
      const { execution, outputs, log } = await harness.end(id);
      expect(execution, `${side} ${moment}`).toMatchObject({ state: "done" });
      expect(outputs).toEqual({ out: "sub 1 f.txt" });
      // One call may have been cut off after it was made and before it was recorded; nothing else is made again.
      expect(calls.length).toBeLessThanOrEqual(death.happened ? 4 : 3);
      expect(new Set(calls)).toEqual(new Set(["/call", "/1", "/2"]));
      expect(log.filter((line) => line === "[unused] skipped")).toHaveLength(1);
      for (const node of ["call", "seen", "way", "wait", "kept", "sub", "many", "file", "out"]) {
        expect(log.filter((line) => line.startsWith(`[${node}] finished`))).toHaveLength(1);
      }
      const { rows } = await pool.query("select count(*)::int as n from executions where root_id = $1", [id]);
      expect(rows).toEqual([{ n: 2 }]);
      if (!death.happened) {
        // All writes have been tried. A run that is told twice of one thing writes once more than others.
        expect(death.writes).toBeLessThanOrEqual(moment);
        expect(moment).toBeGreaterThan(10);
        break;
      }
    }
  }
  expect(await brokenInvariants(harness.store)).toEqual([]);
  await harness.stop();
  server.close();
}, 300_000);

test("S-391: a node whose failure was recorded is not done again by whoever goes on with its run", async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    response.statusCode = 500;
    response.end("no");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  let hasDied = false;
  const harness = await flowHarness({
    outgoing: createOutgoing({ allowPrivate: [`localhost:${port}`] }),
    wrap: (kind) => ({
      advance: (execution, journal) =>
        kind.advance(execution, {
          ...journal,
          async record(key, outcome, options) {
            await journal.record(key, outcome, options);
            if (hasDied || outcome.type !== "failed") return;
            hasDied = true;
            await new Promise<never>(() => {});
          },
        }),
    }),
  });
  await harness.add(`
id: flow_fails
name: Fails
owner: user_ada
nodes:
  call: { type: http, url: "http://localhost:${port}/call" }
  next: { type: http, url: "http://localhost:${port}/next", after: [call] }
`);
  const id = await harness.start("flow_fails");
  await until("it has died", () => hasDied);
  await expireLeases(harness.store, id);
  await sweep(harness.store.db);
  const { execution, log } = await harness.end(id);
  expect([execution.state, execution.error]).toEqual(["failed", expect.stringContaining("500")]);
  expect(calls).toEqual(["/call"]);
  expect(log.filter((line) => line.startsWith("[call] failed"))).toHaveLength(1);
  await harness.stop();
  server.close();
});

test("what a node does outside follows from what is recorded: it could come out differently when it is worked out again", async () => {
  const harness = await flowHarness();
  const { write } = harness.files;
  const recorded: string[] = [];
  vi.spyOn(harness.files, "write").mockImplementation(async (fileId, content) => {
    const steps = await harness.steps(fileId.slice(0, fileId.lastIndexOf("-")));
    recorded.push(...steps.map((step) => step.key).sort());
    return write(fileId, content);
  });
  const { execution } = await harness.run(`
  a: { type: template, text: "{{ 'now' | date: '%s' }}" }
  b: { type: template, text: "{{ a.value }}" }
  file: { type: file, name: f.txt, content: "{{ b.value }}" }
`);
  expect(execution).toMatchObject({ state: "done" });
  expect(recorded).toEqual(["a", "b"]);
  await harness.stop();
});

test("S-04 a file holds what its run says of it, although a worker that was given up writes it once more afterwards", async () => {
  const harness = await flowHarness();
  const { write } = harness.files;
  let late = () => {};
  const released = new Promise<void>((resolve) => {
    late = resolve;
  });
  const writes: Promise<number>[] = [];
  vi.spyOn(harness.files, "write").mockImplementation((fileId, content) => {
    const written =
      writes.length === 0 ? released.then(() => write(fileId, content)) : write(fileId, content);
    writes.push(written);
    return written;
  });
  await harness.add(`
id: flow_draws
name: Draws
owner: user_ada
nodes:
  letters: { type: input }
  file: { type: file, name: f.txt, content: "{{ letters.value | sample: 12 | join }}" }
  out: { type: output, value: "{{ file.size }}" }
`);
  const letters = Array.from({ length: 24 }, (_, n) => "x".repeat(n));
  const id = await harness.start("flow_draws", { letters });
  await until("it is being written", () => writes.length === 1);
  await expireLeases(harness.store, id);
  await sweep(harness.store.db);
  const { execution, outputs } = await harness.end(id);
  expect(execution).toMatchObject({ state: "done" });
  late();
  await Promise.all(writes);
  expect(writes).toHaveLength(2);
  const [file] = await listRunFiles(harness.store.db, id);
  expect([file?.size, await harness.files.size(file?.fileId ?? "")]).toEqual([outputs.out, outputs.out]);
  await harness.stop();
});

test("Twelve nested flows that wait all end although only one may run at a time", async () => {
  const harness = await flowHarness({ concurrency: 1 });
  await harness.add(
    "id: flow_in\nname: I\nowner: user_ada\nnodes:\n  w: { type: delay, seconds: 0.1 }\n  o: { type: output, value: in, after: [w] }\n",
    `
id: flow_mid
name: M
owner: user_ada
nodes:
  w: { type: delay, seconds: 0.1 }
  s: { type: flow, flow: flow_in, after: [w] }
  o: { type: output, value: "mid {{ s.value.o }}" }
`,
    `
id: flow_top
name: T
owner: user_ada
nodes:
  w: { type: delay, seconds: 0.1 }
  s: { type: flow, flow: flow_mid, after: [w] }
  o: { type: output, value: "top {{ s.value.o }}" }
`,
  );
  const ids = await Promise.all(Array.from({ length: 12 }, () => harness.start("flow_top")));
  for (const id of ids) expect((await harness.end(id)).outputs).toEqual({ o: "top mid in" });
  expect(await brokenInvariants(harness.store)).toEqual([]);
  await harness.stop();
});
