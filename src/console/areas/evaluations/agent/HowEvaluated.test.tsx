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
    ["which model judges", {}, /^Judged by openai\/judge, debounced/],
    ["that it is the agent's own", own, /^Judged by local\/fake, the agent’s own model, debounced/],
    [
      "that none does",
      nobody,
      /^Judged by code alone, debounced, 1 criterion\. No model judges: what needs judgement stays undecided\./,
    ],
    [
      "that the service does not say it",
      { model_name: null },
      /^The service does not say which model judges,/,
    ],
    [
      "that a model that cannot judge is no judge",
      { ...nobody, model_name: "builtin/offline" },
      /^Judged by code alone/,
    ],
    [
      "that nothing runs by itself",
      { ...own, is_active: false },
      /^Switched on but not active: nothing is evaluated by itself\. Judged by local/,
    ],
    [
      "that it runs only when asked",
      { ...own, is_active: false, frequency: "manual" },
      /^Evaluated only when somebody asks\. Judged by local/,
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
      /^Its own evaluation is off\. The saved rubric House rules grades too, judged by local\/fake\./,
    ],
    [
      "that saved rubrics judge beside it",
      { saved_rubrics: [house, { ...house, id: "rub_2", name: "Promises", judge_model_name: null }] },
      /1 criterion\. 2 saved rubrics grade too: House rules, judged by local\/fake; Promises, judged by code alone\./,
    ],
  ])("says %s", async (_, part, words) => {
    giveEvaluations(service());
    service().override(getEvaluationConfig, { config: anEvaluationConfig(part) });
    renderConsole(page);
    const line = await screen.findByRole("note", { name: "How it is evaluated" });
    expect(line).toHaveTextContent(words);
  });

  it.each<[string, Partial<EvaluationConfig>, RegExp]>([
    ["the agent's own model", own, /^Empty: the agent’s own model, local\/fake, judges\./],
    ["nobody", nobody, /^Empty: no model judges, as the agent’s own cannot; only code decides\./],
    ["what the service chooses", { model_name: null }, /^Empty: the service chooses\./],
  ])("says in the form that without a model it is judged by %s", async (_, part, words) => {
    giveEvaluations(service());
    service().override(getEvaluationConfig, { config: anEvaluationConfig(part) });
    renderConsole(`${page}?view=criteria`);
    expect(await screen.findByRole("combobox", { name: "Model" })).toHaveAccessibleDescription(words);
  });

  it.each<[string, Partial<EvaluationResult>, string]>([
    ["the model", { model_name: "local/fake", judged_by: "model" }, "local/fake"],
    ["code alone", { model_name: null, judged_by: "code" }, "code alone, without a model"],
    ["not said, where null may mean anything", { model_name: null }, "not said"],
    ["not said, where nothing is", {}, "not said"],
  ])("says of a result who judged it: %s", async (_, part, words) => {
    giveEvaluations(service(), [anEvaluationResult(part)]);
    renderConsole(`${page}?result=eval_1`);
    const result = within(await screen.findByRole("dialog"));
    const term = await result.findByText("Judged by");
    expect(term.parentElement).toHaveTextContent(`Judged by${words}`);
  });
});
