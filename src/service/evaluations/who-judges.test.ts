import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { evaluating, verdict } from "../../testing/evaluating.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const words = { id: "words", name: "Words", prompt: "guarantee, for sure", type: "prohibited_words" };
const { configure, talk, evaluated } = evaluating(() => app);

describe("the evaluation configuration", () => {
  it.each([
    ["the agent's own model where none is named", "agent_kim", null, "local/fake"],
    ["the model that is named", "agent_offline", "local/fake", "local/fake"],
    ["no model where the agent's own cannot judge", "agent_offline", null, null],
    ["no model where the one that is named cannot judge", "agent_kim", "builtin/offline", null],
  ])("says who judges, as the result then does: %s", async (_, agent, model_name, judge) => {
    await configure({ criteria: [words], model_name }, agent);
    const { body } = await app.call("kim", "GET", `/agents/${agent}/evaluation-config`);
    expect(body.config).toMatchObject({
      model_name,
      judge_model_name: judge,
      default_judge_model_name: agent === "agent_kim" ? "local/fake" : null,
    });
    const session = await talk("Yes.", { agent, judge: [verdict()] });
    expect((await evaluated(session, 1, agent))[0]).toMatchObject({
      ...{ status: "completed", model_name: judge, judged_by: judge === null ? "code" : "model" },
    });
    await configure({ enabled: false }, agent);
  });

  it("names the saved rubrics that judge the agent's conversations beside it, and who judges by them", async () => {
    const make = async (name: string, change: object = {}) => {
      const { body } = await app.call("kim", "POST", "/evaluations", {
        ...{ name, config: { criteria: [words] }, ...change },
      });
      return body.evaluation.id;
    };
    const house = await make("House rules");
    const others = [
      await make("Switched off", { enabled: false }),
      await make("By hand", { config: { frequency: "manual" } }),
      await make("Of the team", { team_id: "team_red" }),
    ];
    const read = async (agent: string) =>
      (await app.call("kim", "GET", `/agents/${agent}/evaluation-config`)).body.config.saved_rubrics;
    expect(await read("agent_kim")).toEqual([
      { id: house, name: "House rules", judge_model_name: "local/fake" },
    ]);
    expect(await read("agent_red")).toEqual([{ id: others[2], name: "Of the team", judge_model_name: null }]);
    for (const id of [house, ...others]) await app.call("kim", "DELETE", `/evaluations/${id}`);
    expect(await read("agent_kim")).toEqual([]);
  });
});
