import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const patch = (alias: string, body: object) =>
  app.call("kim", "PATCH", `/agents/${alias}`, body, { "x-auth-key": "user_kim" });
const read = async (alias: string) => (await app.call("kim", "GET", `/agents/${alias}`)).body.agent;

describe("an alias whose agent was retired", () => {
  const retire = async (alias: string) => expect((await patch(alias, { is_active: false })).status).toBe(200);

  it("is a new agent at its next use, wherever that is, and the old one stays retired", async () => {
    const uses: readonly [string, () => Promise<unknown>][] = [
      ["reading it", async () => (await app.call("kim", "GET", "/agents/gumball")).status],
      ["changing it", async () => (await patch("gumball", { description: "Anew" })).status],
      ["its artifacts", async () => (await app.call("kim", "GET", "/agents/gumball/artifacts")).status],
      ["talking to it", async () => (await app.start("Hello", { gummie_id: "gumball" })).status],
    ];
    const before = await app.start("Remember me", { gummie_id: "gumball" });
    await app.settled(before.body.interaction_id);
    for (const [what, use] of uses) {
      await patch("gumball", { name: `Before ${what}`, system_prompt: "Old" });
      await retire("gumball");
      expect([what, await use()]).toEqual([what, what === "talking to it" ? 202 : 200]);
      expect(await read("gumball")).toMatchObject({ name: "Gumball", system_prompt: null, is_active: true });
    }
    const { body } = await app.call("kim", "GET", "/agents");
    expect(body.agents.filter(({ id }: { id: string }) => id === "gumball")).toHaveLength(1);
    // Its conversations are not those of the new one.
    const id = before.body.interaction_id;
    const status = (await app.call("kim", "GET", `/agent_status/${id}?user_id=user_kim`)).body;
    expect(status.gummie_id).not.toBe("gumball");
    const sessions = await app.call("kim", "GET", "/agents/gumball/sessions");
    expect(JSON.stringify(sessions.body)).not.toContain(id);
    const continued = await app.start("And now?", { gummie_id: "gumball", interaction_id: id });
    expect([continued.status, continued.body.error]).toEqual([400, "interaction_gummie_mismatch"]);
    expect((await app.call("kim", "GET", `/agents/${status.gummie_id}`)).status).toBe(404);
  });

  it("is made once, however many use it at the same time", async () => {
    await app.call("kim", "GET", "/agents/analytics");
    await retire("analytics");
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.call("kim", "GET", "/agents/analytics")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    const made = await app.context.store.db
      .selectFrom("agents")
      .select("is_active")
      .where("owner_id", "=", "user_kim")
      .where("alias", "=", "analytics")
      .execute();
    expect(made).toEqual([{ is_active: true }]);
  });
});
