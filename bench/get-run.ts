import { once } from "node:events";
import { mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keys, Service } from "../e2e/service.ts";
import { answersPerSecond, forkBench } from "./process.ts";
import { type Figure, quantile } from "./report.ts";

const runs = 20;

/** Starts runs of `flow_hello` and waits until they are done. @returns the runs' addresses */
async function finishedRuns(service: Service): Promise<string[]> {
  const start = "/start_pipeline?user_id=user_ada&saved_item_id=flow_hello";
  const started = await Promise.all(
    Array.from({ length: runs }, async (): Promise<{ run_id: string }> => {
      const answer = await service.request("POST", start, { name: "bench" });
      return answer.json();
    }),
  );
  const addresses = started.map(({ run_id }) => `/get_pl_run?run_id=${run_id}&user_id=user_ada`);
  for (const address of addresses) {
    let state = "";
    while (state !== "DONE") {
      const run: { state: string } = await (await service.request("GET", address)).json();
      state = run.state;
    }
  }
  return addresses;
}

function request(address: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${address} HTTP/1.1\r\nhost: localhost\r\n${lines.join("")}\r\n`;
}

/**
 * `get_pl_run` of finished runs, with the whole answer (200) and with nothing new (304), against a bare `node:http` server
 * that answers the same body. Service, bare server and load are three processes; the two take turns, so that a busy
 * machine is busy for both.
 */
export async function benchGetRun(rounds = 7): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));
  const service = await Service.start({ log: openSync(join(folder, "log"), "w") });
  const addresses = await finishedRuns(service);
  const first = await service.request("GET", addresses[0] ?? "");
  const bare = forkBench("bare.ts", { BARE_BODY: await first.text() });
  const [barePort]: [number] = (await once(bare, "message")) as [number];
  const loader = forkBench("load.ts");
  const authorization = `Bearer ${keys.ada}`;
  const tags = await Promise.all(
    addresses.map(async (address) => (await service.request("GET", address)).headers.get("etag") ?? ""),
  );
  const port = Number(new URL(service.url).port);
  const figures: Figure[] = [];
  try {
    for (const [status, budget] of [
      [200, 0.35],
      [304, 0.6],
    ] as const) {
      const settings = { connections: 100, milliseconds: 1500, status };
      const toBare = addresses.map((path) =>
        request(path, { authorization, ...(status === 304 ? { "if-none-match": 'W/"1"' } : {}) }),
      );
      const toService = addresses.map((address, n) =>
        request(`/api/v1${address}`, {
          authorization,
          ...(status === 304 ? { "if-none-match": tags[n] ?? "" } : {}),
        }),
      );
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
      const share = quantile(ours, 0.5) / quantile(theirs, 0.5);
      figures.push(
        {
          name: `get_pl_run ${status}`,
          value: quantile(ours, 0.5),
          unit: "1/s",
          budget: null,
          samples: ours,
        },
        { name: `bare ${status}`, value: quantile(theirs, 0.5), unit: "1/s", budget: null, samples: theirs },
        { name: `get_pl_run ${status} / bare`, value: share, unit: "", budget, bound: "at least" },
      );
    }
  } finally {
    loader.kill();
    bare.kill();
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
