import { finishedNodes, hasEnded, listRuns, readRun, runEnds, startRun } from "../runs.ts";
import type { Service } from "../service.ts";
import { expect, test } from "../starting.ts";
import { readTurn, sendMessage, startTurn, turnEnds } from "../turns.ts";

/** The whole numbers: `npm run test:long`. */
const long = process.env.WHEELHOUSE_LONG === "1";
/** `npm run test:long` alone: the same with smaller numbers stands in survives.spec.ts, and beside the engine. */
const inLongRun = { tag: "@long" };
const many = (count: number) => Array.from({ length: count }, (_, index) => index);

async function readAll<T>(
  read: (service: Service, id: string) => Promise<T>,
  service: Service,
  ids: string[],
) {
  return await Promise.all(ids.map((id) => read(service, id)));
}

test(
  "S-01: kill -9 in the middle of 25 runs and 25 turns: all end, with one answer, one file, one end",
  inLongRun,
  async ({ start }) => {
    test.setTimeout(600_000);
    const service = await start({ flags: ["--concurrency", "4"] });
    const runs: string[] = [];
    const turns: string[] = [];
    await Promise.all(
      many(25).map(async (n) => {
        runs.push(await startRun(service, n % 5 === 0 ? "flow_nest" : "flow_report"));
        const line = `/write_file {"name":"note-${n}.txt","content":"Turn ${n}"}`;
        turns.push(
          await startTurn(
            service,
            n % 5 === 0 ? `/run_flow {"saved_item_id":"flow_nest","inputs":{}}\n${line}` : line,
          ),
        );
      }),
    );
    const ends = new Map<string, string | null>();
    for (let kill = 0; kill < (long ? 6 : 2); kill++) {
      const before = await readAll(readRun, service, runs);
      for (const run of before.filter(hasEnded)) {
        expect(ends.get(run.run_id) ?? run.finished_ts).toBe(run.finished_ts);
        ends.set(run.run_id, run.finished_ts);
      }
      const open = (await readAll(readTurn, service, turns)).filter(
        ({ state }) => state === "ASYNC_PROCESSING",
      );
      expect(before.filter((run) => !hasEnded(run)).length + open.length).toBeGreaterThan(
        kill === 0 ? 0 : -1,
      );
      await service.crash();
      await service.startAgain();
    }
    const ended = await Promise.all(runs.map((id) => runEnds(service, id, 180)));
    expect(ended.map(({ state }) => state)).toEqual(runs.map(() => "DONE"));
    for (const run of ended) {
      expect(ends.get(run.run_id) ?? run.finished_ts).toBe(run.finished_ts);
      const nodes = finishedNodes(run);
      expect(nodes, run.log.join("\n")).toEqual([...new Set(nodes)]);
    }
    for (const id of turns) {
      const turn = await turnEnds(service, id, 180);
      expect(turn.state).toBe("COMPLETED");
      expect(turn.messages?.map(({ role }) => role)).toEqual(["user", "assistant"]);
      const parts = turn.messages?.flatMap((message) => message.parts) ?? [];
      expect(parts.filter(({ type }) => type === "file")).toHaveLength(1);
      const files = await service.request(
        "GET",
        `/agents/agent_scribe/artifacts?user_id=user_ada&session_id=${id}`,
      );
      const { artifacts }: { artifacts: { session_id: string }[] } = await files.json();
      expect(artifacts.filter((artifact) => artifact.session_id === id)).toHaveLength(1);
    }
    await service.crash();
    await service.startAgain();
    expect(await readAll(readRun, service, runs)).toEqual(ended);
  },
);

test("S-11: of many continuations through two processes exactly one gets the turn", async ({ start }) => {
  test.setTimeout(600_000);
  const first = await start();
  const second = await start({ data: first.data });
  const crowd = long ? 1_000 : 200;
  for (let round = 0; round < (long ? 10 : 1); round++) {
    const id = await startTurn(first, "Hello");
    await turnEnds(first, id);
    // Waits for ten minutes, so that the one who wins has the turn until all others were answered.
    const message = '/run_flow {"saved_item_id":"flow_long","inputs":{}}';
    const answers = await Promise.all(
      many(crowd).map((n) => sendMessage(n % 2 === 0 ? first : second, message, id)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(crowd - 1);
    expect(await refused[0]?.text()).toContain("interaction_not_in_terminal_state");
    const answer = await second.request("GET", `/sessions/${id}`);
    const { session }: { session: { messages: { role: string }[] } } = await answer.json();
    expect(session.messages.filter(({ role }) => role === "user")).toHaveLength(2);
  }
});

test(
  "S-03: a service that stands still longer than its lease loses its runs to another, and doubles none when it wakes",
  inLongRun,
  async ({ start }) => {
    test.setTimeout(600_000);
    const sleeper = await start({ flags: ["--concurrency", "4"] });
    const ids = await Promise.all(
      many(20).map((n) => startRun(sleeper, n % 2 === 0 ? "flow_nest" : "flow_report")),
    );
    const other = await start({ data: sleeper.data });
    sleeper.suspend();
    try {
      const ended = await Promise.all(ids.map((id) => runEnds(other, id, 180)));
      sleeper.resume();
      await sleeper.ready();
      expect(ended.map(({ state }) => state)).toEqual(ids.map(() => "DONE"));
      for (const run of ended) {
        const nodes = finishedNodes(run);
        expect(nodes, run.log.join("\n")).toEqual([...new Set(nodes)]);
      }
      // What the sleeper had in its hands is refused, and it works on: it starts and ends a run of its own.
      await runEnds(sleeper, await startRun(sleeper, "flow_hello", { name: "awake" }));
      expect(await readAll(readRun, sleeper, ids)).toEqual(ended);
    } finally {
      sleeper.resume();
    }
  },
);

test(
  "S-04: twelve flows in flows with one place end although the service is killed at every step that is recorded",
  inLongRun,
  async ({ start }) => {
    test.setTimeout(long ? 3_600_000 : 600_000);
    const service = await start({ flags: ["--concurrency", "1"] });
    const ids = await Promise.all(many(12).map(() => startRun(service, "flow_nest")));
    // Each recorded step of a flow, at every depth, writes a line of its own.
    const steps = async () => (await listRuns(service)).reduce((sum, run) => sum + run.log_lines, 0);
    const over = async () => (await readAll(readRun, service, ids)).every(hasEnded);
    const kills = long ? Number.POSITIVE_INFINITY : 2;
    for (let kill = 0; kill < kills && !(await over()); kill++) {
      const before = await steps();
      await expect
        .poll(async () => (await steps()) > before || (await over()), { timeout: 60_000, intervals: [5] })
        .toBe(true);
      await service.crash();
      await service.startAgain();
    }
    const ended = await Promise.all(ids.map((id) => runEnds(service, id, 180)));
    expect((await listRuns(service)).map(({ state }) => state)).toEqual(Array(36).fill("DONE"));
    for (const run of ended) {
      expect(run.state, run.log.join("\n")).toBe("DONE");
      expect(run.outputs).toEqual({ path: "flow_nest → flow_nest_middle → flow_nest_inner" });
      expect(finishedNodes(run)).toEqual(["wait", "middle", "path"]);
    }
  },
);

test(
  "S-18: a service with a hundred runs ends within thirty seconds of SIGTERM, and all of them go on",
  inLongRun,
  async ({ start }) => {
    test.setTimeout(600_000);
    const service = await start();
    const ids = await Promise.all(
      many(100).map((n) => startRun(service, n % 4 === 0 ? "flow_nest" : "flow_report")),
    );
    const before = Date.now();
    expect(await service.signal("SIGTERM")).toBe(0);
    expect(Date.now() - before).toBeLessThan(30_000);
    await service.startAgain();
    const ended = await Promise.all(ids.map((id) => runEnds(service, id, 180)));
    expect(ended.map(({ state }) => state)).toEqual(ids.map(() => "DONE"));
  },
);
