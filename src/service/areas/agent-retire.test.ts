import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

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
    const ended = started.map(({ body }) => app.settled(body.interaction_id));

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
    for (const status of await Promise.all(ended)) {
      expect(status).toMatchObject({ state: "COMPLETED", response: "Done." });
    }
  }, 120_000);
});
