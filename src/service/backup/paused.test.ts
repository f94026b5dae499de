import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { startService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { McpError } from "../mcp/mcp-error.ts";
import { endPause } from "../store/pause.ts";

const built = mkdtempSync(join(tmpdir(), "wheelhouse-console-"));
writeFileSync(join(built, "index.html"), '<meta name="wheelhouse-connections" content="__CONNECTIONS__">');
writeFileSync(join(built, "console-routes.json"), "[]");
afterAll(() => rmSync(built, { recursive: true }));

it("S-97: a paused service shows everything, says so, runs nothing and asks nobody outside; let go on, it works", async () => {
  const service = await startService({ paused: true, consoleDirectory: built });
  const { context, keys, call, url } = service;
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { status: "ready", paused: true }]);
  const told = async () => (await (await call(keys.ada, "GET", "/capabilities")).json()).paused;
  const page = async () => (await fetch(`${url}/`)).text();
  const said = { since: expect.stringMatching(/^\d{4}-.*Z$/), reason: "a test says so" };
  expect(await told()).toEqual(said);
  expect(await page()).toContain("&quot;paused&quot;:true");
  expect((await call(keys.ada, "GET", "/agents?team_id=team_harbor")).status).toBeLessThan(500);
  const started = await context.store.pool.query<{ id: string }>(
    "insert into executions (id, kind, root_id, depth, subject_id, user_id, input) values ('waits', 'nothing', 'waits', 0, 's', 'user_ada', '{}') returning id",
  );
  expect(started.rows).toHaveLength(1);
  const [server] = context.mcp.servers;
  const asked = context.mcp.listTools(server?.id ?? "", null, new AbortController().signal);
  await expect(asked).rejects.toThrow(
    new McpError("unreachable", "This installation is paused: no server is asked until it is let go on"),
  );
  const working = async () => {
    // What holds the lock of the sweep, or listens, is an engine that works.
    const { rows } = await context.store.pool.query(
      "select from pg_stat_activity where datname = current_database() and query ilike 'listen%' and application_name = 'wheelhouse'",
    );
    return rows.length > 0;
  };
  expect(await working()).toBe(false);
  expect(await endPause(context.store.db)).toBe(true);
  await until("the engine works", working);
  await until(
    "it no longer says so",
    async () => !(await (await fetch(`${url}/readyz`)).text()).includes("paused"),
  );
  expect(await told()).toBeNull();
  expect(await page()).not.toContain("&quot;paused&quot;");
  await service.stop();
});

it("a service that is let go on while its database is away works once that is back", async () => {
  const service = await startService({ paused: true });
  const { engine, store } = service.context;
  const work = vi.spyOn(engine, "work").mockRejectedValueOnce(new Error("Connection terminated"));
  expect(await endPause(store.db)).toBe(true);
  await until("it has tried again", () => work.mock.calls.length === 2);
  const ready = async () => (await fetch(`${service.url}/readyz`)).json();
  await until("it works", async () => !("paused" in (await ready())));
  await service.stop();
});
