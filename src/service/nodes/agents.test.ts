import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await addFlow("flow_ask", [
    { id: "name", node: { type: "input" } },
    {
      id: "ask",
      node: {
        type: "agent",
        agent: "agent_scribe",
        message: '/write_file {"name": "{{ name.value }}", "content": "x"}',
      },
    },
    { id: "answer", node: { type: "output", value: ["{{ ask.value }}", "{{ ask.interaction_id }}"] } },
  ]);
  await addFlow("flow_foreign", [
    { id: "ask", node: { type: "agent", agent: "agent_guide", message: "hi" } },
  ]);
  await addFlow("flow_impatient", [
    {
      id: "ask",
      node: {
        type: "agent",
        agent: "agent_scribe",
        timeout_s: 0.5,
        message: '/run_flow {"saved_item_id": "flow_long", "inputs": {}}',
      },
    },
  ]);
  await addFlow("flow_team", [
    { id: "ask", node: { type: "agent", agent: "agent_clerk", credentials: "team", message: "hi" } },
    { id: "out", node: { type: "output", value: "{{ ask.interaction_id }}" } },
  ]);
  await addFlow("flow_lengthy", [
    { id: "log", node: { type: "input" } },
    { id: "ask", node: { type: "agent", agent: "agent_clerk", message: "Sum up: {{ log.value }}" } },
    { id: "out", node: { type: "output", value: "{{ ask.interaction_id }}" } },
  ]);
  await addFlow("flow_date", [
    {
      id: "day",
      node: {
        type: "mcp_tool",
        server: "almanac",
        tool: "day_of_week",
        arguments: { date: "{{ date.value }}" },
      },
    },
    { id: "date", node: { type: "input" } },
    { id: "out", node: { type: "output", value: "{{ day.value }}" } },
  ]);
  await addFlow("flow_no_tool", [{ id: "x", node: { type: "mcp_tool", server: "nowhere", tool: "t" } }]);
});
afterAll(() => service.stop());

async function addFlow(id: string, nodes: object[]): Promise<void> {
  const row = { id, user_id: "user_ada", team_id: "team_harbor", name: id, definition: toJson({ nodes }) };
  await service.context.store.db
    .insertInto("saved_items")
    .values({ ...row, removed_at: null })
    .execute();
}

interface Ended {
  readonly state: string;
  readonly outputs: Record<string, unknown>;
  readonly log: readonly string[];
}

async function run(
  flow: string,
  owner: string,
  body: object = {},
  key: string = service.keys.ada,
): Promise<Ended> {
  const started = await service.call(key, "POST", `/start_pipeline?saved_item_id=${flow}&${owner}`, body);
  const { run_id } = (await started.json()) as { run_id: string };
  let answer: (Ended & { finished_ts: string | null }) | null = null;
  await until(`the end of ${flow}`, async () => {
    const poll = await service.call(key, "GET", `/get_pl_run?run_id=${run_id}&${owner}`);
    answer = (await poll.json()) as Ended & { finished_ts: string | null };
    return answer.finished_ts !== null;
  });
  if (answer === null) throw new Error("it has no answer");
  return answer;
}

describe("An agent node", () => {
  test("asks in a conversation of its own, waits for the answer, and the conversation can be read", async () => {
    const { state, outputs, log } = await run("flow_ask", "user_id=user_ada", { name: "n.md" });
    expect(state).toBe("DONE");
    const [answer, interaction] = outputs.answer as [string, string];
    expect(answer).toMatch(/^Write a file: done\./);
    expect(
      log.some((line) => line.includes(`[ask] asks agent_scribe in the conversation ${interaction}`)),
    ).toBe(true);
    const status = await service.call(
      service.keys.ada,
      "GET",
      `/agent_status/${interaction}?user_id=user_ada`,
    );
    expect(await status.json()).toMatchObject({ state: "COMPLETED", gummie_id: "agent_scribe" });
  });

  test("S-22 asks no agent that the run's owner may not use", async () => {
    const { state, log } = await run("flow_foreign", "user_id=user_ada");
    expect(state).toBe("FAILED");
    expect(log.at(-1)).toContain('[ask] failed: there is no agent "agent_guide" that this run may use');
  });

  test("S-250: says nothing that is longer than a message may be, and says that", async () => {
    const { state, log } = await run("flow_lengthy", "user_id=user_ada", { log: "x".repeat(200_000) });
    expect(state).toBe("FAILED");
    expect(log.at(-1)).toContain("[ask] failed: the message must have at most 200,000 characters");
    const fits = await run("flow_lengthy", "user_id=user_ada", { log: "x".repeat(199_000) });
    expect(fits.state).toBe("DONE");
  });

  test("waits no longer than it allows: the turn and what it had started are ended", async () => {
    const { state, log } = await run("flow_impatient", "user_id=user_ada");
    expect(state).toBe("FAILED");
    expect(log.at(-1)).toContain("[ask] failed: it took longer than 0.5 s");
    const { rows } = await service.context.store.pool.query(
      `select kind, state from executions
        where root_id in (select id from executions where subject_id = 'flow_impatient') and depth > 0 order by depth`,
    );
    expect(rows.map((row) => row.state)).toEqual(rows.map(() => "terminated"));
    expect(rows.length).toBeGreaterThan(0);
  });

  test("uses the team's credentials where it says so, the person's where it does not, never one for the other", async () => {
    const { outputs } = await run("flow_team", "user_id=user_ada&project_id=team_harbor");
    const row = await service.context.store.db
      .selectFrom("interactions")
      .select(["user_id", "team_id"])
      .where("id", "=", String(outputs.out))
      .executeTakeFirst();
    expect(row).toEqual({ user_id: null, team_id: "team_harbor" });
    const personal = await run("flow_ask", "project_id=team_harbor", { name: "n.md" }, service.keys.harbor);
    expect(personal.state).toBe("FAILED");
    expect(personal.log.at(-1)).toContain(
      "[ask] failed: it uses the personal credentials for agent_scribe, but the run was started for a team without user_id",
    );
  });
});

describe("An MCP node", () => {
  test("calls a tool and gives what it answers", async () => {
    const { state, outputs } = await run("flow_date", "user_id=user_ada", { date: "2026-11-20" });
    expect(state).toBe("DONE");
    expect(JSON.stringify(outputs.out)).toContain("Friday");
  });

  test("fails with the tool's own error, and for a server that is not there", async () => {
    const wrong = await run("flow_date", "user_id=user_ada", { date: "never" });
    expect(wrong.log.at(-1)).toContain("[day] failed: day_of_week answered an error");
    const none = await run("flow_no_tool", "user_id=user_ada");
    expect(none.log.at(-1)).toContain('[x] failed: there is no MCP server "nowhere" that this run may use');
  });
});
