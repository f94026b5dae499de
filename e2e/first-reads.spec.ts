import { readFileSync } from "node:fs";
import { artifactsOf, writeFiles } from "./artifacts.ts";
import { signInByKey } from "./console.ts";
import { expect, test } from "./fixtures.ts";
import { runEnds, startRun } from "./runs.ts";

const routes: { route: string; reads: string[] }[] = JSON.parse(
  readFileSync(new URL("../dist/console/console-routes.json", import.meta.url), "utf8"),
);

const notThere = "not_there";

test("what each page reads first is begun by the page itself, and asked for once", async ({
  page,
  service,
}) => {
  const runId = await startRun(service, "flow_hello", { name: "Opened" });
  await runEnds(service, runId);
  const interactionId = await writeFiles(service, [{ name: "opened.md", content: "# Opened" }]);
  const artifactId = (await artifactsOf(service, interactionId)).get("opened.md")?.id ?? "";
  // The rest is not there: of that a page asks again when it stands, as of all that failed.
  const ids: Record<string, string> = { runId, interactionId, artifactId, agentId: "agent_scribe" };
  const idOf = (name: string) => ids[name] ?? notThere;
  await signInByKey(page);
  let asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/v1") && request.headers()["x-wheelhouse-poll"] === undefined)
      asked.push(`${request.method()} ${pathname}${search}`);
  });
  const reading = routes.filter(({ reads }) => reads.length > 0);
  expect(reading.length).toBeGreaterThan(15);
  for (const { route, reads } of reading) {
    await page.goto("about:blank");
    asked = [];
    const path = route.replace(/\$(\w+)/g, (_, name) => idOf(name));
    await page.goto(service.url + path);
    await expect(page.getByRole("heading", { level: 1 }).first()).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => window.wheelhousePreloaded?.size), `${path}: what nobody asked for`)
      .toBe(0);
    for (const read of reads) {
      const address = read.replace("{user}", "user_ada").replace(/\{(\w+)\}/g, (_, name) => idOf(name));
      if (address.includes(notThere)) continue;
      expect(
        asked.filter((one) => one === `GET /api/v1${address}`),
        `${path}: ${address}`,
      ).toHaveLength(1);
    }
  }
});
