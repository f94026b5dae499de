import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  type EvaluationConfig,
  type EvaluationResult,
  getEvaluationConfig,
} from "../../../../contract/evaluations.ts";
import { anEvaluationConfig, anEvaluationResult, giveEvaluations } from "../../../../testing/evaluations.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const page = "/agents/agent_clerk/evaluations";

describe("who evaluates an agent's conversations", () => {
  const own = { model_name: null, default_judge_model_name: "local/fake", judge_model_name: "local/fake" };
  const nobody = { model_name: null, default_judge_model_name: null, judge_model_name: null };
  const house = { id: "rub_1", name: "House rules", judge_model_name: "local/fake" };
  it.each<[string, Partial<EvaluationConfig>, RegExp]>([
    ["which model judges", {}, /^Evaluated by openai\/judge, debounced/],
    ["that it is the agent's own", own, /^Evaluated by local\/fake, the agent’s own model, debounced/],
    [
      "that none does",
      nobody,
      /^Evaluated by code only, debounced, 1 criterion\. Without a model, criteria that need judgement stay undecided\./,
    ],
    ["that the service does not say it", { model_name: null }, /^Model unknown,/],
    [
      "that a model that cannot judge is no judge",
      { ...nobody, model_name: "builtin/offline" },
      /^Evaluated by code only/,
    ],
    [
      "that nothing runs by itself",
      { ...own, is_active: false },
      /^On, but not active: nothing is evaluated automatically\. Evaluated by local/,
    ],
    [
      "that it runs only when asked",
      { ...own, is_active: false, frequency: "manual" },
      /^Evaluated only on request\. Evaluated by local/,
    ],
    [
      "that it is off",
      { enabled: false, saved_rubrics: [] },
      /^Evaluation is off: conversations .* are not graded\./,
    ],
    ["that it is off as far as is known", { enabled: false }, /^Evaluation is off for this agent\./],
    [
      "that a saved rubric judges although its own is off",
      { enabled: false, saved_rubrics: [house] },
      /^Its own evaluation is off\. Also graded by the saved rubric House rules, evaluated by local\/fake\./,
    ],
    [
      "that saved rubrics judge beside it",
      { saved_rubrics: [house, { ...house, id: "rub_2", name: "Promises", judge_model_name: null }] },
      /1 criterion\. Also graded by 2 saved rubrics: House rules, evaluated by local\/fake; Promises, evaluated by code only\./,
    ],
  ])("says %s", async (_, part, words) => {
    giveEvaluations(service());
    service().override(getEvaluationConfig, { config: anEvaluationConfig(part) });
    renderConsole(page);
    const line = await screen.findByRole("note", { name: "How it is evaluated" });
    expect(line).toHaveTextContent(words);
  });

  it.each<[string, Partial<EvaluationConfig>, RegExp]>([
    ["the agent's own model", own, /^Empty: the agent’s own model, local\/fake\./],
    ["nobody", nobody, /^Empty: code only, because the agent’s own model can’t evaluate\./],
    ["what the service chooses", { model_name: null }, /^Empty: the service chooses\./],
  ])("says in the form that without a model it is judged by %s", async (_, part, words) => {
    giveEvaluations(service());
    service().override(getEvaluationConfig, { config: anEvaluationConfig(part) });
    renderConsole(`${page}?view=criteria`);
    expect(await screen.findByRole("combobox", { name: "Model" })).toHaveAccessibleDescription(words);
  });

  it.each<[string, Partial<EvaluationResult>, string]>([
    ["the model", { model_name: "local/fake", judged_by: "model" }, "local/fake"],
    ["code alone", { model_name: null, judged_by: "code" }, "code only"],
    ["not said, where null may mean anything", { model_name: null }, "unknown"],
    ["not said, where nothing is", {}, "unknown"],
  ])("says of a result who judged it: %s", async (_, part, words) => {
    giveEvaluations(service(), [anEvaluationResult(part)]);
    renderConsole(`${page}?result=eval_1`);
    const result = within(await screen.findByRole("dialog"));
    const term = await result.findByText("Evaluated by");
    expect(term.parentElement).toHaveTextContent(`Evaluated by${words}`);
  });
});
