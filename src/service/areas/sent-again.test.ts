import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const db = () => app.context.store.db;
const text = (words: string) => ({ type: "text", text: words }) as const;

let sent = 0;
/** Sends the same request whenever it is asked to. */
function sender(key: KeyName, path: string, body: object, headers: object = {}) {
  const own = { ...asOwner(key), "Idempotency-Key": `sent-${++sent}`, ...headers };
  return async (other: object = {}) => {
    const { status, body: said } = await app.call(key, "POST", path, body, { ...own, ...other });
    return { status, body: said };
  };
}
const nodesOf = (...names: string[]) =>
  toJson({ nodes: names.map((name, index) => ({ id: `n${index}`, node: { type: "input", name } })) });
async function addFlow(id: string, team_id: string | null, ...inputs: string[]): Promise<void> {
  const row = {
    id,
    user_id: "user_kim",
    team_id,
    name: id,
    definition: nodesOf(...inputs),
    removed_at: null,
  };
  await db().insertInto("saved_items").values(row).execute();
}
const runsOf = (flow: string) =>
  db().selectFrom("executions").select("id").where("subject_id", "=", flow).execute();
const retire = (id: string) =>
  db().updateTable("agents").set({ is_active: false }).where("id", "=", id).execute();
/** What Lee does as a member of a team, and then without it. */
async function leaves(team: string): Promise<() => Promise<unknown>> {
  const member = { team_id: team, user_id: "user_lee" };
  await db()
    .deleteFrom("team_members")
    .where("team_id", "=", team)
    .where("user_id", "=", "user_lee")
    .execute();
  return () => db().insertInto("team_members").values(member).execute();
}

describe("What is sent again with its key", () => {
  it("S-378: is the run that it started, also once its flow asks for other inputs, or is gone", async () => {
    await addFlow("flow_sent", null, "word", "x-place");
    const path = "/start_pipeline?saved_item_id=flow_sent&user_id=user_kim";
    const key = { "Idempotency-Key": "of-flow-sent" };
    const send = sender("kim", path, { word: "Hello", other: 1 }, { ...key, "x-place": "Kiel" });
    const first = await send();
    expect(first.status).toBe(200);
    expect(await send({ "x-other": "counts for nothing" })).toEqual(first);
    const flow = db().updateTable("saved_items").where("id", "=", "flow_sent");
    for (const inputs of [["word", "other", "x-other"], ["place"], []]) {
      await flow.set({ definition: nodesOf(...inputs) }).execute();
      expect(await send({ "x-other": "counts for nothing" })).toEqual(first);
    }
    await flow.set({ removed_at: new Date() }).execute();
    expect(await send()).toEqual(first);
    // Another start is another one all the same, by what its flow asked for then.
    expect((await send({ "x-place": "Bonn" })).status).toBe(422);
    expect((await sender("kim", path, {}, key)()).status).toBe(422);
    expect(await runsOf("flow_sent")).toHaveLength(1);
  });

  it("S-378: is the run of before an upgrade, which kept no names of its inputs", async () => {
    await addFlow("flow_upgraded", null, "x-place");
    const path = "/start_pipeline?saved_item_id=flow_upgraded&user_id=user_kim";
    const send = sender("kim", path, {}, { "x-place": "Kiel" });
    const first = await send();
    await db().updateTable("idempotent_starts").set({ inputs: null }).execute();
    expect(await send()).toEqual(first);
    expect((await send({ "x-place": "Bonn" })).status).toBe(422);
    expect(await runsOf("flow_upgraded")).toHaveLength(1);
  });

  it("S-378: is the conversation that it began, also once its agent is gone, or is another team's matter", async () => {
    const body = { gummie_id: "agent_offline", message: "Once", user_id: "user_kim" };
    const send = sender("kim", "/start_agent", body);
    const first = await send();
    expect(first.status).toBe(202);
    await app.settled(first.body.interaction_id);
    await retire("agent_offline");
    expect(await send()).toEqual(first);

    const ofTeam = { gummie_id: "agent_red", message: "For me", user_id: "user_lee" };
    const sendAsLee = sender("lee", "/start_agent", ofTeam);
    const began = await sendAsLee();
    expect(began.status).toBe(202);
    const returns = await leaves("team_red");
    expect(await sendAsLee()).toEqual(began);
    await returns();
  });

  it("S-378: is the turn that it began, and the copy, also once the conversation was deleted", async () => {
    app.model.next(text("One."), text("Two."), text("Instead."));
    const id: string = (await app.start("First")).body.interaction_id;
    await app.settled(id);
    const more = { gummie_id: "agent_kim", message: "More", user_id: "user_kim", interaction_id: id };
    const goOn = sender("kim", "/start_agent", more);
    const continued = await goOn();
    expect(continued.status).toBe(202);
    await app.settled(id);
    const { messages } = (await app.call("kim", "GET", `/sessions/${id}`)).body.session;
    const from = { before_message_id: messages[2].id, message: "Instead" };
    const copy = sender("kim", `/interactions/${id}/copy`, from);
    const copied = await copy();
    expect(copied.status).toBe(202);
    await app.settled(copied.body.interaction_id);
    expect((await app.call("kim", "DELETE", `/interactions/${id}`)).status).toBe(204);
    expect(await goOn()).toEqual(continued);
    expect(await copy()).toEqual(copied);
    await retire("agent_kim");
    expect(await copy()).toEqual(copied);
  });

  it("S-378: is refused where the credential may no longer act for the team that it names", async () => {
    await addFlow("flow_of_team", "team_red");
    const sends = [
      sender("lee", "/start_pipeline?saved_item_id=flow_of_team&project_id=team_red", {}),
      sender("lee", "/start_agent", { gummie_id: "agent_red", message: "For all", project_id: "team_red" }),
    ];
    const began = await Promise.all(sends.map((send) => send()));
    expect(began.map(({ status }) => status)).toEqual([200, 202]);
    const returns = await leaves("team_red");
    for (const send of sends) expect((await send()).status).toBe(403);
    await returns();
    expect(await Promise.all(sends.map((send) => send()))).toEqual(began);
    await until("the end of both", async () => {
      const open = db().selectFrom("executions").select("id").where("finished_at", "is", null);
      return (await open.execute()).length === 0;
    });
  });
});
