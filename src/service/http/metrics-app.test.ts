import { expect, it } from "vitest";
import { createMetricsApp } from "./metrics-app.ts";

const app = createMetricsApp(
  { host: "127.0.0.1", publicUrl: null, allowedHosts: ["wheelhouse.lan"] },
  async () => "a 1\n",
);
const ask = (path: string, { method = "GET", host = "127.0.0.1:9464" } = {}) =>
  app.fetch(new Request(`http://${host}${path}`, { method, headers: { host } }));

it("gives the metrics in Prometheus' format, and nothing else", async () => {
  const answer = await ask("/metrics");
  expect(await answer.text()).toBe("a 1\n");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(await (await ask("/metrics", { method: "HEAD" })).text()).toBe("");
  expect((await ask("/api/v1/runs")).status).toBe(404);
  expect((await ask("/metrics", { method: "POST" })).status).toBe(405);
});

it("S-82: answers for its own hosts alone: a page that a browser was led to reads nothing", async () => {
  expect((await ask("/metrics", { host: "wheelhouse.lan:9464" })).status).toBe(200);
  const refused = await ask("/metrics", { host: "evil.example" });
  expect(refused.status).toBe(421);
  const said = await refused.text();
  expect(said).not.toContain("a 1");
  // The flag is one of start alone; a worker has metrics too.
  expect(said).toContain("WHEELHOUSE_ALLOWED_HOSTS");
});
