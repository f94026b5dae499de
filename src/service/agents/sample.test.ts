import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function say(key: "ada" | "grace" | "harbor", gummie_id: string, message: string) {
  const owner = key === "harbor" ? { project_id: "team_harbor" } : { user_id: `user_${key}` };
  const started = await service.call(service.keys[key], "POST", "/start_agent", {
    gummie_id,
    message,
    ...owner,
  });
  expect(started.status).toBe(202);
  const { interaction_id: id } = await started.json();
  const { db } = service.context.store;
  await until(`the answer of ${gummie_id}`, async () => {
    const row = await db.selectFrom("interactions").select("state").where("id", "=", id).executeTakeFirst();
    return row?.state !== "processing";
  });
  const query = new URLSearchParams(owner);
  return (await service.call(service.keys[key], "GET", `/agent_status/${id}?${query}`)).json();
}

describe("the sample's agents, with the built-in model", () => {
  it("the scribe writes, reads back, and runs a workflow to its end", async () => {
    const { state, response } = await say(
      "ada",
      "agent_scribe",
      '/write_file {"name":"notes.md","content":"Mooring lines checked."}\n/read_file {"name":"notes.md"}\n/run_flow {"saved_item_id":"flow_hello","inputs":{"name":"Ada"}}',
    );
    expect(state).toBe("COMPLETED");
    expect(response).toContain("Read a file: done. Mooring lines checked.");
    expect(response).toContain("Hello, Ada!");
  });

  it("the clerk of the team uses the almanac, also for the team's key", async () => {
    const message = '/almanac__day_of_week {"date":"2026-11-20"}';
    for (const key of ["grace", "harbor"] as const) {
      expect((await say(key, "agent_clerk", message)).response).toBe(
        "Day of week: done. 2026-11-20 is a Friday.",
      );
    }
  });

  it("the analyst runs the one workflow that it was given, and no other", async () => {
    const csv = JSON.stringify("berth,nights\nA1,3\nA2,5");
    const { response } = await say(
      "ada",
      "agent_analyst",
      `/run_flow {"saved_item_id":"flow_csv_summary","inputs":{"csv":${csv}}}\n/run_flow {"saved_item_id":"flow_hello"}`,
    );
    const [summary, other] = response.split("\nRun a flow");
    expect(summary).toMatch(/^Run a flow: done\. /);
    expect(other).toContain("There is no workflow flow_hello that this agent may run.");
  });

  it("the guide says plainly what the built-in model is", async () => {
    const { response } = await say("grace", "agent_guide", "What does example.com say?");
    expect(response).toContain("I am builtin/offline");
  });

  it("every starter prompt that is a command names a tool of its agent", async () => {
    for (const key of ["ada", "grace"] as const) {
      const { agents } = await (await service.call(service.keys[key], "GET", "/agents")).json();
      for (const { id, metadata } of agents) {
        for (const prompt of metadata.chat?.starter_prompts ?? []) {
          if (!prompt.startsWith("/") || prompt.startsWith("/http_get")) continue;
          expect((await say(key, id, prompt)).response).toMatch(/^[A-Z][\w ]+: done\. /);
        }
      }
    }
  });
});
