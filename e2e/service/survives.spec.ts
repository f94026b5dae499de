import { finishedNodes, hasEnded, listRuns, readRun, runEnds, startRun } from "../runs.ts";
import { keys } from "../service.ts";
import { expect, test } from "../starting.ts";

test("a service killed in the middle of 50 runs ends all of them after a restart, none twice", async ({
  start,
}) => {
  test.setTimeout(600_000);
  const first = await start({ flags: ["--concurrency", "4"] });
  const ids = await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      startRun(first, n % 5 === 0 ? "flow_nest" : "flow_hello", { name: `n${n}` }),
    ),
  );
  const before = await Promise.all(ids.map((id) => readRun(first, id)));
  expect(before.some((run) => !hasEnded(run))).toBe(true);
  await first.crash();

  const second = await start({ data: first.data });
  const after = await Promise.all(ids.map((id) => runEnds(second, id, 180)));
  expect(after.map((run) => run.state)).toEqual(ids.map(() => "DONE"));
  for (const run of after) {
    const finished = finishedNodes(run);
    expect(finished, run.log.join("\n")).toEqual([...new Set(finished)]);
  }
  for (const run of before.filter(hasEnded)) {
    const again = after.find((one) => one.run_id === run.run_id);
    expect(again?.finished_ts).toBe(run.finished_ts);
    expect(again?.log).toEqual(run.log);
  }
  const listed: { runs: { run_id: string }[] } = await (
    await second.request("GET", "/runs?page_size=100&saved_item_id=flow_hello")
  ).json();
  expect(listed.runs.filter((run) => ids.includes(run.run_id))).toHaveLength(40);
});

test("a service asked to end does so in order, and its runs go on at the next start", async ({ start }) => {
  const first = await start();
  const id = await startRun(first, "flow_nest");
  await expect.poll(async () => (await readRun(first, id)).log.length).toBeGreaterThan(0);
  const before = Date.now();
  expect(await first.signal("SIGTERM")).toBe(0);
  expect(Date.now() - before).toBeLessThan(30_000);

  const second = await start({ data: first.data });
  expect((await runEnds(second, id)).state).toBe("DONE");
});

test("S-380: deliveries that are sent again with their keys, as a kill took the answers, each have started one run", async ({
  start,
}) => {
  const service = await start({ flags: ["--concurrency", "4"] });
  /** @returns the id of its run */
  const deliver = async (n: number): Promise<string> => {
    const address = `${service.url}/api/v1/start_pipeline?user_id=user_ada&saved_item_id=flow_report`;
    const headers = { authorization: `Bearer ${keys.ada}`, "idempotency-key": `delivery-${n}` };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify({ delivery: n }) });
    const body: { run_id: string } = await answer.json();
    expect(answer.status, JSON.stringify(body)).toBe(200);
    return body.run_id;
  };
  const listed = async () => (await listRuns(service)).map(({ run_id }) => run_id);
  const deliveries = Array.from({ length: 20 }, (_, n) => n);
  const before = await listed();
  const answered = deliveries.map((n) => deliver(n).catch(() => null));
  await expect.poll(async () => (await listed()).length, { intervals: [0] }).toBeGreaterThan(before.length);
  await service.crash();
  const first = await Promise.all(answered);
  await service.startAgain();

  // Twice at once, while those of before are still at work.
  const [again, more] = await Promise.all([1, 2].map(() => Promise.all(deliveries.map(deliver))));
  expect(again).toEqual(more);
  expect(again).toEqual(first.map((answer, n) => answer ?? again?.[n]));
  const started = (await listRuns(service)).filter(({ run_id }) => !before.includes(run_id));
  expect(started.map(({ run_id }) => run_id).sort()).toEqual(again?.toSorted());
  const ends = await Promise.all(started.map(({ run_id }) => runEnds(service, run_id, 180)));
  expect(ends.map(({ state }) => state)).toEqual(deliveries.map(() => "DONE"));
  expect(await Promise.all(deliveries.map(deliver))).toEqual(again);
});
