import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startService, type TestService, type TestServiceOptions } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { claimFiles, createFileSweeper, sweepFiles } from "./sweep-files.ts";

const opened: TestService[] = [];
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "wheelhouse-sweep-"));
});
afterEach(async () => {
  vi.useRealTimers();
  for (const service of opened.splice(0)) await service.stop();
  rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function start(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startService({ filesDirectory: directory, ...options });
  opened.push(service);
  return service;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
/** Puts a file where the store would, written so many days ago. */
function put(name: string, days: number): string {
  const [id = ""] = name.split(".");
  const path = join(directory, id.slice(-2), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "left behind");
  utimesSync(path, daysAgo(days), daysAgo(days));
  return name;
}
/** Everything that lies there, as if all had been written so many days ago. */
function age(days: number): void {
  for (const path of paths()) utimesSync(path, daysAgo(days), daysAgo(days));
}
function paths(): string[] {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true });
  return found.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
}
const names = () => paths().map((path) => path.slice(path.lastIndexOf("/") + 1));

async function ask(service: TestService, method: string, path: string, body?: unknown) {
  const answer = await service.call(service.keys.ada, method, path, body);
  expect(answer.ok, `${method} ${path} ${answer.status}`).toBe(true);
  return answer;
}

async function run(service: TestService, flow: string): Promise<string> {
  const path = `/start_pipeline?user_id=user_ada&saved_item_id=${flow}`;
  return (await (await ask(service, "POST", path, {})).json()).run_id;
}
const stateOf = async (service: TestService, runId: string) =>
  (await (await ask(service, "GET", `/get_pl_run?run_id=${runId}&user_id=user_ada`)).json()).state;

describe("bytes that no row names", () => {
  it("go a day after they were written; what an agent, a run and a source have stays, as does what is no file of ours", async () => {
    const service = await start();
    const talk = await ask(service, "POST", "/start_agent", {
      ...{ gummie_id: "agent_scribe", user_id: "user_ada" },
      message: '/write_file {"name": "kept.md", "content": "of the agent"}',
    });
    const { interaction_id: session } = await talk.json();
    const report = await run(service, "flow_report");
    const made = await ask(service, "POST", "/brain/sources", { name: "Tides", scope: "personal" });
    const { source } = await made.json();
    const files = [{ file_name: "tides.txt", file_content: btoa("High water at six") }];
    await ask(service, "POST", `/brain/sources/${source.id}/files`, { files });
    await until("the run is over", async () => (await stateOf(service, report)) === "DONE");
    const listed = async () => (await ask(service, "GET", `/artifacts?session_id=${session}`)).json();
    await until("the artifact is there", async () => (await listed()).artifacts.length === 1);
    age(30);
    const kept = names();

    put("content_0123456789", 2);
    put("1-0-turn_0123456789", 30);
    put("content_9876543210.0123456789ab", 2);
    const young = [put("content_abcdefghij", 0.9), put("content_jihgfedcba.0123456789ab", 0.9)];
    const alien = [put("notes.txt", 400), put("short", 400), put("content_0000000000.bak", 400)];
    await sweepFiles(service.context);
    expect(names().sort()).toEqual([...kept, ...young, ...alien].sort());
    expect(await sweepFiles(service.context)).toBe(0);

    const { artifacts } = await listed();
    expect(await (await fetch(artifacts[0].url)).text()).toBe("of the agent");
    const zip = { run_id: report, user_id: "user_ada", file_names: ["report.md", "report.csv"] };
    expect(
      (await (await ask(service, "POST", "/download_files", zip)).arrayBuffer()).byteLength,
    ).toBeGreaterThan(200);
  });

  it("S-258: stay for a day by the clock that dated them, however far ahead the database's is", async () => {
    const service = await start({ clock: { now: () => new Date(Date.now() + 2 * 86_400_000) } });
    const young = [put("content_abcdefghij", 0.1), put("content_jihgfedcba.0123456789ab", 0.1)];
    expect(await sweepFiles(service.context)).toBe(0);
    expect(names()).toEqual(expect.arrayContaining(young));
  });

  it("stay while the execution that wrote them is not over: its next step may name them", async () => {
    const service = await start();
    const long = await run(service, "flow_long");
    await until("it runs", async () => (await stateOf(service, long)) === "RUNNING");
    const bytes = put(`${long}-later`, 3);
    await sweepFiles(service.context);
    expect(names()).toContain(bytes);
    await ask(service, "POST", "/kill_pipeline", { run_id: long, user_id: "user_ada" });
    await sweepFiles(service.context);
    expect(names()).not.toContain(bytes);
  });

  it("go at the start and every six hours, until the service stops", async () => {
    put("content_9876543210.0123456789ab", 2);
    const service = await start({ empty: true });
    await until("it is gone", () => !names().includes("content_9876543210.0123456789ab"));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const sweeper = createFileSweeper(service.context);
    sweeper.start();
    for (const id of ["content_0000000001", "content_0000000002"]) {
      put(id, 2);
      await until(`${id} is gone`, () => {
        // Again where a sweep was still under way: it leaves the next out, and may have looked before.
        vi.advanceTimersByTime(6 * 3_600_000);
        return !names().includes(id);
      });
    }
    await sweeper.stop();
    put("content_0000000003", 2);
    vi.advanceTimersByTime(24 * 3_600_000);
    sweeper.start();
    expect(vi.getTimerCount()).toBe(0);
    expect(names()).toContain("content_0000000003");
  });
});

describe("a folder in which another database's files lie", () => {
  it("is not swept by either", async () => {
    const lines: string[] = [];
    const first = await start({ empty: true });
    const second = await start({ empty: true, logTo: (line) => lines.push(line) });
    // Databases of tests are copies of one, and bear its name.
    await second.context.store.db.updateTable("installation").set({ id: "another" }).execute();
    await claimFiles(second.context);
    put("content_0123456789", 2);
    expect([await sweepFiles(first.context), await sweepFiles(second.context)]).toEqual([null, null]);
    expect(names()).toContain("content_0123456789");
    const sweeper = createFileSweeper(second.context);
    sweeper.start();
    await sweeper.stop();
    await until("whoever runs the service is told", () =>
      lines.some((line) => line.includes("another database")),
    );
  });

  it("is not spoken of by a sweep that is stopped before it has looked", async () => {
    const { context } = await start({ empty: true });
    const lines: string[] = [];
    const log = pino({}, { write: (line: string) => void lines.push(line) });
    const files = { ...context.files, mayRemove: async () => false };
    const sweeper = createFileSweeper({ ...context, files, log }, async (signal) => {
      await once(signal, "abort");
      return 0;
    });
    sweeper.start();
    await sweeper.stop();
    expect(lines).toEqual([]);
  });

  it("is not swept where it is from before anybody wrote down whose files they are, and none is known", async () => {
    put("content_0123456789", 2);
    const service = await start({ empty: true });
    expect(await sweepFiles(service.context)).toBeNull();
    expect(names()).toContain("content_0123456789");
  });
});
