import { Service } from "../e2e/service.ts";
import { type Figure, quantile } from "./report.ts";

interface Run {
  readonly state: string;
  readonly log: readonly string[];
  readonly created_ts: string;
  readonly finished_ts: string | null;
}

/**
 * How long the sample's `flow_broken` takes to fail: as the run itself tells it, and from the start call until a poll says
 * `FAILED`. The first one, whose sandbox has to be made, counts by itself.
 */
export async function benchFlowBroken(rounds = 20): Promise<Figure[]> {
  const service = await Service.start();
  const inside: number[] = [];
  const seen: number[] = [];
  try {
    for (let round = 0; round <= rounds; round++) {
      const before = performance.now();
      const started = await service.request(
        "POST",
        "/start_pipeline?user_id=user_ada&saved_item_id=flow_broken",
        {},
      );
      const { run_id }: { run_id: string } = await started.json();
      for (;;) {
        const run: Run = await (
          await service.request("GET", `/get_pl_run?run_id=${run_id}&user_id=user_ada`)
        ).json();
        if (run.finished_ts === null) {
          await new Promise((wake) => setTimeout(wake, 5));
          continue;
        }
        if (run.state !== "FAILED" || !run.log.at(-1)?.includes("[check_stock] failed"))
          throw new Error(`flow_broken ended otherwise: ${run.state} ${run.log.at(-1)}`);
        seen.push(performance.now() - before);
        inside.push(Date.parse(run.finished_ts) - Date.parse(run.created_ts));
        break;
      }
    }
  } finally {
    await service.stop();
  }
  const [first = 0, ...later] = seen;
  return [
    { name: "flow_broken fails, the first time (seen)", value: first, unit: "ms", budget: 2000 },
    {
      name: "flow_broken fails (seen, p95)",
      value: quantile(later, 0.95),
      unit: "ms",
      budget: 2000,
      samples: later,
    },
    {
      name: "flow_broken fails (created to finished, p95)",
      value: quantile(inside.slice(1), 0.95),
      unit: "ms",
      budget: 2000,
      samples: inside,
    },
  ];
}
