import { expect, it } from "vitest";
import { startService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

it("writes a probe into the log where its answer is another one than before, and any other request each time", async () => {
  const lines: { route?: string; status?: number }[] = [];
  const service = await startService({ logTo: (line) => lines.push(JSON.parse(line)) });
  const of = (name: string) =>
    lines.filter(({ route }) => route === name).map(({ status }) => status ?? null);
  try {
    const ask = async (path: string) => (await fetch(`${service.url}${path}`)).status;
    for (const phase of ["ready", "draining", "ready"] as const) {
      service.setPhase(phase);
      for (let time = 0; time < 3; time++) {
        expect(await ask("/readyz")).toBe(phase === "ready" ? 200 : 503);
        expect(await ask("/healthz")).toBe(200);
      }
    }
    for (let time = 0; time < 2; time++) await ask("/api/v1/openapi.json");
    await until("the last line is there", () => of("openapi").length === 2);
    expect([of("readiness"), of("health")]).toEqual([[200, 503, 200], [200]]);
  } finally {
    await service.stop();
  }
});
