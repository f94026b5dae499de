import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentService, type KeyName, startAgentService } from "../../testing/agents.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

/** What a request may leave out or repeat of whose the conversation is, and with which key. */
const repeats: [string, KeyName, { user_id?: string; project_id?: string }][] = [
  ["a team mate who names nobody's team", "lee", { user_id: "user_lee" }],
  ["a team mate who names the team", "lee", { user_id: "user_lee", project_id: "team_red" }],
  ["a team mate who names the team alone", "lee", { project_id: "team_red" }],
  ["whoever began it", "kim", { user_id: "user_kim" }],
  ["the team's key for a member", "red", { user_id: "user_lee" }],
  ["the team's key for nobody", "red", { project_id: "team_red" }],
];

const nobody = { user_id: undefined, project_id: undefined };

/** Begins a conversation and waits for its first turn. @returns its id */
async function begin(body: Readonly<Record<string, unknown>>, key: KeyName = "kim"): Promise<string> {
  const { status, body: started } = await app.start("First", { ...nobody, ...body }, key);
  expect(status).toBe(202);
  await app.settled(started.interaction_id);
  return started.interaction_id;
}

const ofTeam = () => begin({ gummie_id: "agent_red", user_id: "user_kim", project_id: "team_red" });

/** For whom the newest turn of a conversation acted. */
const actedFor = (interactionId: string) =>
  app.context.store.db
    .selectFrom("executions")
    .select(["user_id", "team_id"])
    .where("subject_id", "=", interactionId)
    .where("kind", "=", "turn")
    .orderBy("created_at", "desc")
    .executeTakeFirstOrThrow();

describe("a team's conversation", () => {
  it.each(repeats)("stays the team's when it is continued by %s", async (_, key, who) => {
    const id = await ofTeam();
    const body = { gummie_id: "agent_red", interaction_id: id, ...nobody, ...who };
    expect((await app.start("Go on", body, key)).status).toBe(202);
    await app.settled(id);
    const speaker = who.user_id ?? (key === "lee" ? "user_lee" : null);
    expect(await actedFor(id)).toEqual({ user_id: speaker, team_id: "team_red" });
  });

  it("is refused with project_id_mismatch for another team, also for one that the caller is in", async () => {
    const id = await ofTeam();
    const body = { gummie_id: "agent_red", interaction_id: id, user_id: "user_lee", project_id: "team_blue" };
    const refused = await app.start("Go on", body, "lee");
    expect(refused).toMatchObject({ status: 400, body: { error: "project_id_mismatch" } });
    expect(refused.body.message).toContain("project_id");
    expect((await app.settled(id)).messages).toHaveLength(2);
  });

  it("cannot be continued by whoever began it and left the team, who still reads it", async () => {
    const { db } = app.context.store;
    const id = await begin({ user_id: "user_kim", project_id: "team_red", gummie_id: "agent_offline" });
    const membership = { team_id: "team_red", user_id: "user_kim" };
    await db.deleteFrom("team_members").where("user_id", "=", "user_kim").execute();
    const refused = await app.start("Go on", { gummie_id: "agent_offline", interaction_id: id });
    const read = await app.call("kim", "GET", `/agent_status/${id}?user_id=user_kim`);
    await db.insertInto("team_members").values(membership).execute();
    expect(refused).toMatchObject({ status: 403, body: { error: "unauthorized_interaction_access" } });
    expect(read).toMatchObject({ status: 200, body: { state: "COMPLETED" } });
  });
});

describe("a person's own conversation", () => {
  it("is refused with project_id_mismatch for a team, and goes on without one", async () => {
    const id = await begin({ user_id: "user_kim" });
    const toTeam = await app.start("Go on", { interaction_id: id, project_id: "team_red" });
    expect(toTeam).toMatchObject({ status: 400, body: { error: "project_id_mismatch" } });
    expect((await app.start("Go on", { interaction_id: id })).status).toBe(202);
    await app.settled(id);
    expect(await actedFor(id)).toEqual({ user_id: "user_kim", team_id: null });
  });

  it("names the wrong agent before the wrong team", async () => {
    const id = await begin({ user_id: "user_kim" });
    const body = { gummie_id: "agent_offline", interaction_id: id, project_id: "team_red" };
    const refused = await app.start("Go on", body);
    expect(refused).toMatchObject({ status: 400, body: { error: "interaction_gummie_mismatch" } });
  });
});

describe("what members read of a team mate's reply", () => {
  beforeEach(async () => {
    const tools = toJson([{ type: "search_knowledge" }, { type: "run_flow" }]);
    await app.context.store.db.updateTable("agents").set({ tools }).where("id", "=", "agent_red").execute();
  });

  async function source(text: string, body: object, key: KeyName): Promise<void> {
    const made = await app.call(key, "POST", "/brain/sources", { name: text, ...body });
    const { id } = made.body.source;
    const file = { file_name: "a.md", file_content: Buffer.from(text).toString("base64") };
    expect((await app.call(key, "POST", `/brain/sources/${id}/files`, { files: [file] })).status).toBe(200);
    const read = async () => (await app.call(key, "GET", `/brain/sources/${id}`)).body.source;
    await expect.poll(async () => (await read()).indexed_count, { timeout: 60_000 }).toBe(1);
  }

  it("holds the team's knowledge, and nothing of the team mate's own", async () => {
    await source("Quokka of Lee alone.", {}, "lee");
    await source("Quokka of the team.", { scope: "team", team_id: "team_red" }, "lee");
    const id = await ofTeam();
    const message = '/search_knowledge {"query": "quokka"}';
    const body = { gummie_id: "agent_red", interaction_id: id, user_id: "user_lee" };
    await app.start(message, body, "lee");
    const { response } = await app.settled(id);
    expect(response).toContain("Quokka of the team.");
    expect(response).not.toContain("Quokka of Lee alone.");
  });

  it("is of a run that belongs to the team as well", async () => {
    const { db } = app.context.store;
    const definition = toJson({ nodes: [{ id: "end", node: { type: "output", value: "x" } }] });
    const flow = { id: "flow_red", user_id: "user_kim", team_id: "team_red", name: "Red", definition };
    await db
      .insertInto("saved_items")
      .values({ ...flow, removed_at: null })
      .execute();
    const id = await ofTeam();
    const body = { gummie_id: "agent_red", interaction_id: id, user_id: "user_lee" };
    await app.start('/run_flow {"saved_item_id": "flow_red"}', body, "lee");
    await app.settled(id);
    const runs = await app.call("red", "GET", "/runs?saved_item_id=flow_red");
    expect(runs.body.runs).toMatchObject([{ user_id: "user_lee", state: "DONE" }]);
  });
});
