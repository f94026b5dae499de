import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

describe("S-16: an agent that is retired while it works", () => {
  it("finishes its 50 turns; whoever starts, continues, reads or changes it afterwards gets 404", async () => {
    let release = () => {};
    const until = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.otherwise(() => ({ type: "held", until, answer: { type: "text", text: "Done." } }));
    const started = await Promise.all(Array.from({ length: 50 }, (_, index) => app.start(`Turn ${index}`)));
    expect(started.map(({ status }) => status)).toEqual(started.map(() => 202));

    const auth = { "x-auth-key": "user_kim" };
    const during = Array.from({ length: 20 }, (_, index) => app.start(`Late ${index}`));
    const retired = await app.call("kim", "PATCH", "/agents/agent_kim", { is_active: false }, auth);
    expect(retired.body.agent.is_active).toBe(false);
    // Those that were on their way get the one or the other, never an error of ours.
    for (const { status } of await Promise.all(during)) expect([202, 404]).toContain(status);

    const fresh = await app.start("Too late");
    expect([fresh.status, fresh.body.error]).toEqual([404, "gummie_not_found"]);
    const continued = await app.start("Too late", { interaction_id: started[0]?.body.interaction_id });
    expect([continued.status, continued.body.error]).toEqual([404, "gummie_not_found"]);
    expect((await app.call("kim", "GET", "/agents/agent_kim")).status).toBe(404);
    for (const body of [{ name: "Back" }, { is_active: true }, { is_active: false }, {}]) {
      expect((await app.call("kim", "PATCH", "/agents/agent_kim", body, auth)).status).toBe(404);
    }
    const { agents } = (await app.call("kim", "GET", "/agents")).body;
    expect(agents.map(({ id }: { id: string }) => id)).not.toContain("agent_kim");

    release();
    for (const { body } of started) {
      expect(await app.settled(body.interaction_id)).toMatchObject({ state: "COMPLETED", response: "Done." });
    }
  }, 300_000);
});

describe("an agent that a flow names by its alias", () => {
  it("is that of the person whose run it is, made on first use", async () => {
    const question = "When is the tide?";
    const args = '{"name":"tide.txt","content":"Six."}';
    app.model.otherwise(({ messages }) =>
      messages.at(-1)?.content === question
        ? { type: "tools", calls: [{ name: "write_file", args }] }
        : { type: "text", text: "Tide at six." },
    );
    const nodes = [
      { id: "ask", node: { type: "agent", agent: "analytics", message: question } },
      { id: "said", node: { type: "output", value: "{{ ask.value }}" } },
    ];
    await app.context.store.db
      .insertInto("saved_items")
      .values({
        ...{ id: "flow_alias", user_id: "user_kim", team_id: null, name: "Alias", removed_at: null },
        definition: toJson({ nodes }),
      })
      .execute();
    const query = "user_id=user_kim";
    const started = await app.call("kim", "POST", `/start_pipeline?saved_item_id=flow_alias&${query}`, {});
    const read = () => app.call("kim", "GET", `/get_pl_run?run_id=${started.body.run_id}&${query}`);
    await until("the end of the run", async () => ["DONE", "FAILED"].includes((await read()).body.state));
    const { body } = await read();
    expect(body).toMatchObject({ state: "DONE", outputs: { said: expect.stringContaining("Tide at six.") } });
    const sessions = await app.call("kim", "GET", "/agents/analytics/sessions");
    expect(sessions.body.sessions).toHaveLength(1);
    const files = await app.call("kim", "GET", "/artifacts?agent_id=analytics");
    expect(files.body.artifacts).toMatchObject([{ filename: "tide.txt", agent_id: "analytics" }]);
  });
});
