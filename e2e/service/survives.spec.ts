import { finishedNodes, hasEnded, readRun, runEnds, startRun } from "../runs.ts";
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
