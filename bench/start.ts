import { rmSync } from "node:fs";
import { Service } from "../e2e/service.ts";
import { type Figure, quantile } from "./report.ts";

async function timeToReady(data?: string): Promise<{ ms: number; service: Service }> {
  const before = performance.now();
  const service = await Service.start(data === undefined ? {} : { data });
  return { ms: performance.now() - before, service };
}

/**
 * Process start: from spawning `wheelhouse start` until `/readyz` answers 200. First: an empty data directory
 * (database made, migrations, sample workspace). Later: the same directory again after an orderly end.
 */
export async function benchStart(rounds = 3): Promise<Figure[]> {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const fresh = await timeToReady();
    first.push(fresh.ms);
    await fresh.service.signal("SIGTERM");
    for (let again = 0; again < 2; again++) {
      const next = await timeToReady(fresh.service.data);
      later.push(next.ms);
      await next.service.signal("SIGTERM");
    }
    rmSync(fresh.service.data, { recursive: true, force: true });
  }
  return [
    { name: "start, first (median)", value: quantile(first, 0.5), unit: "ms", budget: 3000, samples: first },
    { name: "start, later (median)", value: quantile(later, 0.5), unit: "ms", budget: 1000, samples: later },
  ];
}
