import { openSync } from "node:fs";
import pino from "pino";
import { keys, Service } from "../e2e/service.ts";
import { openStore } from "../src/service/store/store.ts";
import { seedArtifacts } from "./artifacts-seed.ts";
import { type Figure, quantile } from "./report.ts";

const few = 100;
const many = 100_000;
const rounds = 60;

/** Pages that a person opens. */
const pages: readonly (readonly [name: string, address: string])[] = [
  ["newest first", "/artifacts"],
  ["by name", "/artifacts?sort_order=name_asc"],
  ["of one agent", "/agents/agent_scribe/artifacts"],
  ["of one agent, by name", "/agents/agent_scribe/artifacts?sort_order=name_desc"],
  ["of one conversation", "/artifacts?session_id=int_bench_2"],
  ["of one team", "/artifacts?team_id=team_harbor"],
  ["of one type", "/artifacts?media_type=text/*"],
  ["search, found in most", "/artifacts?search_query=report"],
  ["search, found in one of fifty", "/artifacts?search_query=needle"],
  ["search, found in none", "/artifacts?search_query=haystack"],
  ["shared by me", "/artifacts?shared_by_me=true"],
  ["shared by me, search", "/artifacts?shared_by_me=true&search_query=report"],
];

/**
 * Pages of the list of artifacts in a service with a hundred and in one with a hundred thousand. The two are asked in
 * turn, so that a busy machine is busy for both, and the figure is how many times as long the large one takes.
 */
export async function benchArtifactsList(): Promise<Figure[]> {
  const services: Service[] = [];
  const figures: Figure[] = [];
  try {
    for (const count of [few, many]) {
      const service = await Service.start({ log: openSync("/dev/null", "w") });
      services.push(service);
      const store = await openStore({ dataDirectory: service.data, log: pino({ level: "silent" }) });
      await seedArtifacts(store, "agent_scribe", count);
      await store.close();
    }
    for (const [name, address] of pages) figures.push(await compare(name, address, services));
  } finally {
    for (const service of services) await service.stop();
  }
  return figures;
}

async function compare(name: string, address: string, services: readonly Service[]): Promise<Figure> {
  const took = services.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, service] of services.entries()) {
      const begun = performance.now();
      const answer = await service.request("GET", address, undefined, keys.ada);
      await answer.text();
      if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
      // The first rounds warm both up and do not count.
      if (round >= 10) took[at]?.push(performance.now() - begun);
    }
  }
  const [small = [], large = []] = took;
  return {
    name: `${name}: 100,000 / 100`,
    value: quantile(large, 0.5) / quantile(small, 0.5),
    unit: "times",
    budget: 2,
    samples: [quantile(small, 0.5), quantile(large, 0.5)],
  };
}
