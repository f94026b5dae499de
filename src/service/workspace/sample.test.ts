import { resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { readWorkspace } from "./read-workspace.ts";

const sample = resolve(import.meta.dirname, "../../../workspace");

describe("The sample workspace", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  async function run(flow: string, body: unknown = {}) {
    const query = `user_id=user_ada&project_id=team_harbor&saved_item_id=${flow}`;
    const started = await service.call(service.keys.ada, "POST", `/start_pipeline?${query}`, body);
    expect(started.status).toBe(200);
    const { run_id } = (await started.json()) as { run_id: string };
    let answer: Record<string, unknown> = {};
    await until(`the end of ${flow}`, async () => {
      const poll = await service.call(
        service.keys.ada,
        "GET",
        `/get_pl_run?run_id=${run_id}&user_id=user_ada`,
      );
      answer = (await poll.json()) as Record<string, unknown>;
      return answer.finished_ts !== null;
    });
    return answer as {
      run_id: string;
      state: string;
      log: string[];
      outputs: Record<string, unknown>;
      files: { name: string }[];
    };
  }

  test.concurrent("has no problems", async () => {
    expect((await readWorkspace(sample)).problems).toEqual([]);
  });

  test.concurrent("greets whoever is named", async () => {
    const { state, outputs, log } = await run("flow_hello", { name: "Ada" });
    expect({ state, outputs }).toEqual({ state: "DONE", outputs: { greeting: "Hello, Ada!" } });
    for (const line of log) expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \[\w+\] \S/);
  });

  test.concurrent("gives a webhook's body back exactly as it was sent", async () => {
    const body = '{ "user_id": "x",   "project_id": 7, "files": ["/etc/passwd"] }';
    const { outputs } = await run("flow_webhook", body);
    expect(outputs).toEqual({ body });
  });

  test.concurrent("writes a report as two files", async () => {
    const { state, outputs, files } = await run("flow_report");
    expect(state).toBe("DONE");
    expect(Object.keys(outputs)).toEqual(["summary"]);
    expect(files.map(({ name }) => name).sort()).toEqual(["report.csv", "report.md"]);
  });

  test.concurrent("fails at the named node, which waits for nothing", async () => {
    const { state, outputs, log } = await run("flow_broken");
    expect(state).toBe("FAILED");
    expect(outputs).toEqual({});
    expect(log.some((line) => line.includes("[check_stock] failed:"))).toBe(true);
    expect(log.some((line) => line.includes("[delivery]"))).toBe(false);
  });

  test.concurrent("runs flows in flows over two levels", async () => {
    const { outputs } = await run("flow_nest");
    expect(outputs).toEqual({ path: "flow_nest → flow_nest_middle → flow_nest_inner" });
  });

  test.concurrent("summarises a CSV", async () => {
    const csv = 'a;b\r\n1;"x;y"\r\n2;z\r\n1;"x;y"\r\n;\r\n';
    const { outputs, files } = await run("flow_csv_summary", { csv });
    expect(outputs.rows).toBe(2);
    expect(outputs.summary).toContain("| a | numbers | 2 | 0 | 2 | 1 to 2, mean 1.5, sum 3 |");
    expect(files.map(({ name }) => name).sort()).toEqual(["cleaned.csv", "summary.md"]);
    expect((await run("flow_csv_summary")).state).toBe("DONE");
  });

  test.concurrent("finds the tasks in meeting notes, and says so when there are none", async () => {
    const { outputs } = await run("flow_meeting_tasks", {
      notes: "- Ada: sail by 2026-01-02\nblah\n[ ] swim",
    });
    expect(outputs.count).toBe(2);
    expect(outputs.tasks).toContain("- [ ] **2026-01-02** sail (Ada)");
    const none = await run("flow_meeting_tasks", { notes: "nothing at all" });
    expect(none.outputs.tasks).toContain("No tasks were found");
    expect(none.files).toEqual([]);
  });
});
