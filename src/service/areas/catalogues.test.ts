import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

describe("evaluations", () => {
  it("an agent that was never configured has the default config, switched off (§4.11)", async () => {
    const { status, body } = await app.call("kim", "GET", "/agents/agent_kim/evaluation-config");
    expect(status).toBe(200);
    expect(body.config).toMatchObject({
      agent_id: "agent_kim",
      enabled: false,
      criteria: [],
      updated_ts: null,
    });
    expect((await app.call("kim", "GET", "/agents/agent_lee/evaluation-config")).status).toBe(404);
  });

  it("counts the conversations of the days asked for, by grade and tag (§4.10)", async () => {
    const { body } = await app.start("Hello");
    await app.settled(body.interaction_id);
    const { db } = app.context.store;
    const result = (grade: string | null, tags: string[], ago: number) => ({
      id: app.context.ids.make("res"),
      evaluation_id: null,
      agent_id: "agent_kim",
      interaction_id: body.interaction_id,
      grade,
      tags: toJson(tags),
      created_at: new Date(Date.now() - ago * 86_400_000),
    });
    await db
      .insertInto("evaluation_results")
      .values([
        result("pass", ["BILLING", "LATE"], 1),
        result("pass", ["BILLING"], 10),
        result("needs_attention", [], 40),
        result(null, ["LATE"], 1),
      ])
      .execute();
    const metrics = async (query: string) =>
      (await app.call("kim", "GET", `/agents/agent_kim/evaluations/metrics${query}`)).body;
    expect(await metrics("")).toMatchObject({
      days: 30,
      grades: { pass: 1, needs_review: 0, needs_attention: 0 },
      tags: { BILLING: 1, LATE: 1 },
    });
    expect(await metrics("?days=5")).toMatchObject({ days: 5, grades: { pass: 1 }, tags: { BILLING: 1 } });
    expect(await metrics("?days=365")).toMatchObject({ grades: { needs_attention: 1 } });
  });

  it.each(["0", "366", "-1", "1.5", "ten", ""])("answers days=%s with 400", async (days) => {
    expect((await app.call("kim", "GET", `/agents/agent_kim/evaluations/metrics?days=${days}`)).status).toBe(
      400,
    );
  });

  it("S-15: an evaluation is deleted once, with 204 and no body; then, and for others, it is not there (§4.13)", async () => {
    await app.context.store.db
      .insertInto("evaluations")
      .values({
        id: "eval_1",
        owner_id: "user_kim",
        team_id: null,
        name: "Tone",
        description: null,
        deleted_at: null,
      })
      .execute();
    expect((await app.call("lee", "DELETE", "/evaluations/eval_1")).status).toBe(404);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => app.call("kim", "DELETE", "/evaluations/eval_1")),
    );
    expect(answers.filter(({ status }) => status === 204)).toMatchObject([{ body: null }]);
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(29);
    expect((await app.call("kim", "DELETE", "/evaluations/eval_none")).body.error.code).toBe("not_found");
  });
});

describe("approving a knowledge source (§4.12)", () => {
  async function addSource(id: string, scope: string, team_id: string | null): Promise<void> {
    await app.context.store.db
      .insertInto("knowledge_sources")
      .values({
        id,
        name: id,
        source_type: "direct_file_uploads",
        status: "draft",
        scope,
        team_id,
        created_by_user_id: "user_kim",
        estimated_credits: 12,
        approved_at: null,
      })
      .execute();
  }

  it("S-15: happens once and is paid once, however many approve at the same time", async () => {
    await addSource("src_1", "personal", null);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => app.call("kim", "POST", "/brain/sources/src_1/approve")),
    );
    const [approved, ...more] = answers.filter(({ status }) => status === 200);
    expect(more).toEqual([]);
    expect(approved?.body.source).toMatchObject({ id: "src_1", status: "active", scope: "personal" });
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(29);
    expect(refused[0]?.body.error.code).toBe("source_not_draft");
    const credits = await app.context.store.db
      .selectFrom("credits")
      .select("amount")
      .where("source_id", "=", "src_1")
      .execute();
    expect(credits).toEqual([{ amount: 12 }]);
  });

  it("is for its maker or its team; others do not see it, and everybody sees but cannot approve the organization's", async () => {
    await addSource("src_2", "personal", null);
    await addSource("src_3", "team", "team_red");
    await addSource("src_4", "organization", null);
    const approve = async (key: "lee" | "red" | "blue", id: string) =>
      (await app.call(key, "POST", `/brain/sources/${id}/approve`)).status;
    expect(await approve("lee", "src_2")).toBe(404);
    expect(await approve("red", "src_2")).toBe(404);
    expect(await approve("blue", "src_3")).toBe(404);
    expect(await approve("lee", "src_3")).toBe(200);
    expect(await approve("lee", "src_4")).toBe(403);
    expect(await approve("lee", "src_none")).toBe(404);
  });
});

describe("the sessions of an agent", () => {
  it("lists those that the caller may read, with filters and pages", async () => {
    const say = async (message: string, more = {}) => {
      const { body } = await app.start(message, { gummie_id: "agent_red", ...more });
      await app.settled(body.interaction_id);
      return body.interaction_id;
    };
    const own = await say("About anchors");
    const team = await say("About buoys", { project_id: "team_red" });
    app.model.next({ type: "status", status: 400 });
    const get = async (key: "kim" | "lee" | "red", query: string) => {
      const { body } = await app.call(key, "GET", `/agents/agent_red/sessions${query}`);
      return body.sessions.map(({ id }: { id: string }) => id);
    };
    expect(await get("kim", "")).toEqual([team, own]);
    expect(await get("lee", "")).toEqual([team]);
    expect(await get("red", "")).toEqual([team]);
    expect(await get("kim", "?search=ANCHORS")).toEqual([own]);
    expect(await get("kim", "?state=failed,processing")).toEqual([]);
    expect(await get("kim", "?state=completed&type=api")).toEqual([team, own]);
    const first = await app.call("kim", "GET", "/agents/agent_red/sessions?page_size=1");
    expect(await get("kim", `?page_size=1&cursor=${first.body.next_cursor}`)).toEqual([own]);
    expect(first.body.sessions[0]).toMatchObject({
      agent_name: "Agent agent_red",
      name: "About buoys",
      type: "api",
      state: "completed",
    });
    expect((await app.call("lee", "GET", `/sessions/${own}`)).status).toBe(404);
  });

  it("are called by the beginning of their first message, without half of an emoji where it is cut", async () => {
    const { body } = await app.start(`${"x".repeat(78)}🚢 sails`, { gummie_id: "agent_red" });
    const { session } = (await app.call("kim", "GET", `/sessions/${body.interaction_id}`)).body;
    expect(session.name).toBe(`${"x".repeat(78)}…`);
    await app.settled(body.interaction_id);
  });
});
