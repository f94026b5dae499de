import { signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { kilobytes, loadedScripts } from "./loaded-scripts.ts";
import { runEnds, startRun } from "./runs.ts";

test("the runs list needs at most 160 kB of JavaScript in at most 6 requests", async ({ page, service }) => {
  await runEnds(service, await startRun(service, "flow_hello", { name: "Listed" }));
  await signInByKey(page);
  const scripts = await loadedScripts(page, `${service.url}/runs`, "gzip");
  expect(kilobytes(scripts), JSON.stringify(scripts)).toBeLessThanOrEqual(160);
  expect(scripts.length).toBeLessThanOrEqual(6);
});
