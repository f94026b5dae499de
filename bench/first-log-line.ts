import { Service } from "../e2e/service.ts";
import { type Figure, quantile } from "./report.ts";

interface Started {
  readonly run_id: string;
}
interface Run {
  readonly log: readonly string[];
  readonly created_ts: string;
}

/**
 * From the moment a run is recorded (`created_ts`) to the time stamp of its first log line, and from the start call's
 * answer until a poll over HTTP shows that line. `flow_hello`, one run after the other.
 */
export async function benchFirstLogLine(rounds = 60): Promise<Figure[]> {
  const service = await Service.start();
  const inside: number[] = [];
  const seen: number[] = [];
  try {
    for (let round = 0; round < rounds; round++) {
      const answer = await service.request(
        "POST",
        "/start_pipeline?user_id=user_ada&saved_item_id=flow_hello",
        { name: "bench" },
      );
      const { run_id }: Started = await answer.json();
      const before = performance.now();
      for (;;) {
        const poll = await service.request("GET", `/get_pl_run?run_id=${run_id}&user_id=user_ada`);
        const run: Run = await poll.json();
        const line = run.log[0];
        if (line === undefined) continue;
        seen.push(performance.now() - before);
        inside.push(Date.parse(line.slice(0, 24)) - Date.parse(run.created_ts));
        break;
      }
    }
  } finally {
    await service.stop();
  }
  return [
    {
      name: "enqueue to first log line (p50)",
      value: quantile(inside, 0.5),
      unit: "ms",
      budget: 30,
      samples: inside,
    },
    { name: "enqueue to first log line (p95)", value: quantile(inside, 0.95), unit: "ms", budget: null },
    {
      name: "start answered to first line polled (p50)",
      value: quantile(seen, 0.5),
      unit: "ms",
      budget: 30,
      samples: seen,
    },
  ];
}
