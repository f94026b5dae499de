import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keys, Service } from "../e2e/service.ts";
import { answersPerSecond, forkBench } from "./process.ts";
import { type Figure, quantile } from "./report.ts";

const runs = 20;

/** Starts runs of a flow. @returns the runs' addresses */
async function startedRuns(service: Service, flow: string, count: number): Promise<string[]> {
  const start = `/start_pipeline?user_id=user_ada&saved_item_id=${flow}`;
  const started = await Promise.all(
    Array.from({ length: count }, async (): Promise<{ run_id: string }> => {
      const answer = await service.request("POST", start, { name: "bench" });
      return answer.json();
    }),
  );
  return started.map(({ run_id }) => `/get_pl_run?run_id=${run_id}&user_id=user_ada`);
}

/** Waits until they are done. */
async function areDone(service: Service, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    let state = "";
    while (state !== "DONE") {
      const run: { state: string } = await (await service.request("GET", address)).json();
      state = run.state;
    }
  }
}

function request(address: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${address} HTTP/1.1\r\nhost: localhost\r\n${lines.join("")}\r\n`;
}

const authorization = `Bearer ${keys.ada}`;

/** The requests of one comparison: the same ones to the service and to the bare server, but for the tag. */
interface Asked {
  readonly name: string;
  readonly status: 200 | 304;
  readonly budget: number | null;
  readonly addresses: readonly string[];
  /** Of the service's answers, for 304. */
  readonly tags: readonly string[];
}

/**
 * `get_pl_run` against a bare `node:http` server that answers the same body: of ended runs with the whole answer (200) and
 * with nothing new (304), and of runs that go on. Service, bare server and load are three processes;
 * the two take turns, so that a busy machine is busy for both.
 */
export async function benchGetRun(rounds = 7): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  const service = await Service.start({ log: openSync(join(folder, "log"), "w") });
  const loader = forkBench("load.ts");
  const figures: Figure[] = [];

  const compare = async ({ name, status, budget, addresses, tags }: Asked): Promise<void> => {
    const first = await service.request("GET", addresses[0] ?? "");
    const bare = forkBench("bare.ts", { BARE_BODY: await first.text() });
    try {
      const [barePort]: [number] = (await once(bare, "message")) as [number];
      const settings = { connections: 100, milliseconds: 1500, status };
      const tag = (value: string) => (status === 304 ? { "if-none-match": value } : {});
      const toBare = addresses.map((path) => request(path, { authorization, ...tag('W/"1"') }));
      const toService = addresses.map((path, n) =>
        request(`/api/v1${path}`, { authorization, ...tag(tags[n] ?? "") }),
      );
      const port = Number(new URL(service.url).port);
      const ours: number[] = [];
      const theirs: number[] = [];
      // The first round warms both up and does not count.
      for (let round = 0; round <= rounds; round++) {
        const ofBare = await answersPerSecond(loader, { ...settings, port: barePort, requests: toBare });
        const ofService = await answersPerSecond(loader, { ...settings, port, requests: toService });
        if (round === 0) continue;
        theirs.push(ofBare);
        ours.push(ofService);
      }
      const rate = (values: readonly number[]) => quantile(values, 0.5);
      figures.push(
        { name, value: rate(ours), unit: "1/s", budget: null, samples: ours },
        { name: `bare, beside ${name}`, value: rate(theirs), unit: "1/s", budget: null, samples: theirs },
        { name: `${name} / bare`, value: rate(ours) / rate(theirs), unit: "", budget, bound: "at least" },
      );
    } finally {
      bare.kill();
    }
  };

  try {
    const ended = await startedRuns(service, "flow_hello", runs);
    await areDone(service, ended);
    const tags = await Promise.all(
      ended.map(async (address) => (await service.request("GET", address)).headers.get("etag") ?? ""),
    );
    await compare({ name: "get_pl_run 200", status: 200, budget: 0.35, addresses: ended, tags });
    await compare({ name: "get_pl_run 304", status: 304, budget: 0.6, addresses: ended, tags });
    // A line a second each: what is given again is looked at each time.
    const going = await startedRuns(service, "flow_long", 5);
    const name = "get_pl_run 200 of runs that go on";
    await compare({ name, status: 200, budget: 0.45, addresses: going, tags: [] });
  } finally {
    loader.kill();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
