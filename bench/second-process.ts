import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keys, Service } from "../e2e/service.ts";
import { answersPerSecond, forkBench } from "./process.ts";
import { type Figure, quantile } from "./report.ts";
import { addWorker, stopped } from "./worker.ts";

const runs = 150;
const parallel = 16;
const startRun = "/start_pipeline?user_id=user_ada&saved_item_id=flow_hello";

/** @returns runs of `flow_hello` per second, from the first start to the end of the last */
async function burst(service: Service): Promise<number> {
  const began = performance.now();
  let left = runs;
  const starter = async () => {
    const ids: string[] = [];
    while (left-- > 0) {
      const answer = await service.request("POST", startRun, { name: "bench" });
      const started: { run_id: string } = await answer.json();
      ids.push(started.run_id);
    }
    return ids;
  };
  const ids = (await Promise.all(Array.from({ length: parallel }, starter))).flat();
  // From the last backwards: most others are over by then, so that polling costs little of what is measured.
  for (const id of ids.reverse()) {
    for (;;) {
      const answer = await service.request("GET", `/get_pl_run?run_id=${id}&user_id=user_ada`);
      const run: { state: string } = await answer.json();
      if (run.state === "DONE") break;
      if (run.state !== "STARTED" && run.state !== "RUNNING") throw new Error(`run ${id} is ${run.state}`);
      await new Promise((wake) => setTimeout(wake, 5));
    }
  }
  return (runs * 1000) / (performance.now() - began);
}

/** Polls of one run per second over all these services, each loaded by a process of its own. */
async function polls(services: readonly Service[]): Promise<number> {
  const [first] = services;
  if (first === undefined) return 0;
  const { run_id }: { run_id: string } = await (
    await first.request("POST", startRun, { name: "bench" })
  ).json();
  const path = `/api/v1/get_pl_run?run_id=${run_id}&user_id=user_ada`;
  const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${keys.ada}\r\n\r\n`;
  const loaders = services.map(() => forkBench("load.ts"));
  try {
    const rates = services.map(({ url }, index) => {
      const load = { connections: 50, milliseconds: 2000, status: 200, requests: [head] };
      const loader = loaders[index];
      if (loader === undefined) throw new Error("no loader");
      return answersPerSecond(loader, { ...load, port: Number(new URL(url).port) });
    });
    return (await Promise.all(rates)).reduce((sum, rate) => sum + rate, 0);
  } finally {
    for (const loader of loaders) loader.kill();
  }
}

/**
 * Runs per second with one process and with a `wheelhouse worker` beside it, in turns; and polls per second with one
 * service and with a second one on the same data. How much a second process brings depends on the cores that are free.
 */
export async function benchSecondProcess(rounds = 4): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  const log = openSync(join(folder, "log"), "w");
  const service = await Service.start({ log });
  const runsBy: Record<"one" | "two", number[]> = { one: [], two: [] };
  const pollsBy: Record<"one" | "two", number[]> = { one: [], two: [] };
  try {
    await burst(service);
    for (let round = 0; round < rounds; round++) {
      runsBy.one.push(await burst(service));
      const worker = await addWorker(service);
      runsBy.two.push(await burst(service));
      await stopped(worker);
    }
    const second = await Service.start({ data: service.data, log });
    for (let round = 0; round < rounds; round++) {
      pollsBy.one.push(await polls([service]));
      pollsBy.two.push(await polls([service, second]));
    }
    await second.signal("SIGTERM");
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return [
    ...growth("runs of flow_hello", "a second worker", runsBy),
    ...growth("get_pl_run 200", "a second service", pollsBy),
  ];
}

function growth(what: string, addition: string, { one, two }: Record<"one" | "two", number[]>): Figure[] {
  const alone = quantile(one, 0.5);
  const both = quantile(two, 0.5);
  return [
    { name: `${what}, one process`, value: alone, unit: "1/s", budget: null, samples: one },
    { name: `${what}, with ${addition}`, value: both, unit: "1/s", budget: null, samples: two },
    { name: `${what}, growth by ${addition}`, value: both / alone, unit: "", budget: null },
  ];
}
