import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, type KeyName, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

const make = (key: KeyName, body: object = {}) =>
  app.call(key, "POST", "/evaluations", { name: "Tone", ...body });

it("a person has at most fifty rubrics, and a team as many of its own, also when they are made at the same time", async () => {
  const made = await Promise.all(Array.from({ length: 55 }, () => make("kim")));
  const refused = made.filter(({ status }) => status !== 200);
  expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
    Array(5).fill([409, "too_many_rubrics"]),
  );
  expect(refused[0]?.body.error.message).toMatch(/50 rubrics/);
  expect((await make("kim", { team_id: "team_red" })).status).toBe(200);
  expect((await make("lee")).status).toBe(200);
  const one = made.find(({ status }) => status === 200)?.body.evaluation.id;
  expect((await app.call("kim", "DELETE", `/evaluations/${one}`)).status).toBe(204);
  expect((await make("kim")).status).toBe(200);
  expect((await make("kim")).status).toBe(409);
});

it("S-22: nobody makes one for a team that they are not in, and a team's key makes none", async () => {
  for (const [key, body, status] of [
    ["kim", { team_id: "team_blue" }, 403],
    ["kim", { team_id: "team_none" }, 403],
    ["red", { team_id: "team_red" }, 403],
    ["red", {}, 403],
  ] as const) {
    expect((await make(key, body)).status).toBe(status);
  }
});
