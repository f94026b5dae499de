import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, type KeyName, startAgentService } from "../../testing/agents.ts";
import { evaluating } from "../../testing/evaluating.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const { talk, evaluated, results } = evaluating(() => app);
const words = { name: "Words", prompt: "guarantee, for sure", type: "prohibited_words" };
const agent = "agent_offline";

const make = async (body: object = {}) => {
  const config = { criteria: [words], frequency: "per_turn" };
  const { body: made } = await app.call("kim", "POST", "/evaluations", { name: "House", config, ...body });
  return made.evaluation;
};
const read = (id: string, key: KeyName = "kim") => app.call(key, "GET", `/evaluations/${id}`);
const change = (id: string, body: object, key: KeyName = "kim") =>
  app.call(key, "PATCH", `/evaluations/${id}`, body);
const found = (id: string, key: KeyName = "kim", query = "") =>
  app.call(key, "GET", `/evaluations/${id}/results${query}`);
const end = (id: string) => app.call("kim", "DELETE", `/evaluations/${id}`);

it("a rubric that is switched off judges nothing and keeps its results; switched on it judges again", async () => {
  const { id } = await make();
  const first = await talk("", { agent });
  await evaluated(first, 1, agent);
  expect((await change(id, { enabled: false })).body.evaluation).toMatchObject({ id, enabled: false });
  const quiet = await talk("", { agent });
  expect((await change(id, { enabled: true })).body.evaluation.enabled).toBe(true);
  const again = await talk("", { agent });
  await evaluated(again, 1, agent);
  expect(await results(quiet, agent)).toEqual([]);
  const { body } = await found(id);
  expect(body.evaluations.map((one: { session_id: string }) => one.session_id)).toEqual([again, first]);
  expect(body.evaluations[0]).toMatchObject({ agent_id: agent, rubric: { id, name: "House" } });
  expect(body.evaluations[0].agent_name).toEqual(expect.any(String));
  const [page] = [await found(id, "kim", "?page_size=1")];
  const next = await found(id, "kim", `?page_size=1&cursor=${page?.body.next_cursor}`);
  expect(next.body.evaluations).toMatchObject([{ session_id: first }]);
  expect(next.body.next_cursor).toBeNull();
  const use = { days: 30, sessions: 2, agents: 1, last_at: expect.stringMatching(/Z$/) };
  expect((await read(id)).body.evaluation.use).toEqual(use);
  expect((await app.call("kim", "GET", "/evaluations")).body.evaluations[0].use).toEqual(use);
  await end(id);
});

it("counts no conversation that was deleted, as long as it is deleted", async () => {
  const { id } = await make();
  const session = await talk("", { agent });
  await evaluated(session, 1, agent);
  const sessions = async () => (await read(id)).body.evaluation.use.sessions;
  expect(await sessions()).toBe(1);
  await app.call("kim", "DELETE", `/interactions/${session}`);
  expect((await read(id)).body.evaluation.use).toMatchObject({ sessions: 0, agents: 0, last_at: null });
  expect((await found(id)).body.evaluations).toEqual([]);
  await app.call("kim", "POST", `/interactions/${session}/restore`);
  expect(await sessions()).toBe(1);
  await end(id);
});

it("only what is sent changes, lists replace, null clears the description", async () => {
  const made = await make({ description: "Of the house" });
  const { body } = await change(made.id, { config: { criteria: [{ name: "New", prompt: "Is new." }] } });
  expect(body.evaluation).toMatchObject({
    ...{ name: "House", description: "Of the house", enabled: true },
    config: { frequency: "per_turn", criteria: [{ name: "New", type: "other" }] },
  });
  const cleared = await change(made.id, { description: null, name: "Harbour" });
  expect(cleared.body.evaluation).toMatchObject({ name: "Harbour", description: null });
  expect((await read(made.id)).body).toEqual(cleared.body);
  for (const [body, param] of [
    [
      {
        config: {
          criteria: [
            { ...words, id: "a" },
            { ...words, id: "a" },
          ],
        },
      },
      "config.criteria.1.id",
    ],
    [{ config: { model_name: "nobody/nothing" } }, "config.model_name"],
  ] as const) {
    const refused = await change(made.id, body);
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
  }
  await end(made.id);
});

it("of two who change the same that they read, the second hears of the first", async () => {
  const { id, updated_at } = await make();
  const both = await Promise.all(["One", "Two"].map((name) => change(id, { name, updated_at })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409)?.body.error;
  const now = (await read(id)).body.evaluation.updated_at;
  expect([refused.code, refused.details]).toEqual(["evaluation_changed", { updated_at: now }]);
  expect((await change(id, { name: "Three", updated_at: now })).status).toBe(200);
  await end(id);
});

it("is there for its owner and its team alone, and no more once it is deleted", async () => {
  const own = await make();
  const teams = await make({ team_id: "team_red" });
  for (const act of [read, found, (id: string, key: KeyName) => change(id, { name: "x" }, key)]) {
    expect((await act(own.id, "lee")).status).toBe(404);
    expect((await act(own.id, "red")).status).toBe(404);
    expect((await act(teams.id, "blue")).status).toBe(404);
    expect((await act(teams.id, "lee")).status).toBe(200);
    expect((await act(teams.id, "red")).status).toBe(200);
  }
  expect((await read(teams.id)).body.evaluation.team_id).toBe("team_red");
  for (const { id } of [own, teams]) {
    await end(id);
    for (const act of [read, found]) expect((await act(id)).status).toBe(404);
    expect((await change(id, { enabled: true })).status).toBe(404);
  }
});
