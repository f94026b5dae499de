import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  type EvaluationResult,
  getEvaluationConfig,
  getEvaluationMetrics,
  listEvaluationResults,
  runEvaluations,
  updateEvaluationConfig,
} from "../../../../contract/evaluations.ts";
import { listSessions } from "../../../../contract/sessions.ts";
import { aSession } from "../../../../testing/conversations.ts";
import { anEvaluationConfig, anEvaluationResult, giveEvaluations } from "../../../../testing/evaluations.ts";
import { anyJson, never } from "../../../../testing/msw.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { memoryStore, signedInWheelhouse } from "../../../../testing/test-wheelhouse.ts";
import { draftOf } from "../form/rubric-draft.ts";

const service = mockServicePerTest();
const page = "/agents/agent_clerk/evaluations";
const core = {
  as: { known: { named: null, tried: { evaluation_results: false, evaluation_config_edit: false } } },
};

const withEvaluations = (results?: EvaluationResult[]) => giveEvaluations(service(), results);

/** 112 conversations, each judged by the agent's own criteria and by its team's rubric. */
function withTeamRubric() {
  const house = { id: "rub_1", name: "House rules" };
  service().override(getEvaluationMetrics, ({ query }) => ({
    days: query.days ?? 30,
    counted: "sessions",
    results: 224,
    grades: { pass: 83, needs_review: 0, needs_attention: 29 },
    tags: { CURT: 2 },
    before: { grades: { pass: 90, needs_attention: 8 }, tags: {} },
    rubrics: [
      { rubric: null, grades: { pass: 112 }, before: { pass: 98 } },
      { rubric: house, grades: { pass: 83, needs_attention: 29 }, before: {} },
    ],
  }));
  service().override(getEvaluationConfig, { config: anEvaluationConfig() });
  const own = { ...anEvaluationResult().criteria_results[0], name: "Polite", result: "success" as const };
  service().override(listEvaluationResults, {
    evaluations: ["int_1", "int_2"].flatMap((interaction_id) => [
      anEvaluationResult({
        ...{ evaluation_id: `${interaction_id}_own`, interaction_id, session_name: interaction_id },
        ...{ grade: "pass", rubric: null, criteria_results: [own as never] },
      }),
      anEvaluationResult({
        ...{ evaluation_id: `${interaction_id}_house`, interaction_id, session_name: interaction_id },
        ...{ grade: interaction_id === "int_1" ? "needs_attention" : "pass", rubric: house },
        // The same id as one of the agent's own: each rubric has its own criteria.
        criteria_results: [
          {
            ...own,
            name: "No promises",
            result: interaction_id === "int_1" ? "failure" : "success",
          } as never,
        ],
      }),
    ]),
    next_cursor: null,
  });
}

describe("the evaluations of an agent", () => {
  it("counts a conversation once where a team's rubric judges beside the agent's own criteria", async () => {
    withTeamRubric();
    const { user, router } = renderConsole(page);
    const grades = within(await screen.findByRole("region", { name: "Grades" }));
    expect(grades.getByText("112 conversations, 98 before")).toBeInTheDocument();
    expect(grades.getByText("74 %")).toBeInTheDocument();
    expect(grades.getByText("down from 92 %")).toBeInTheDocument();
    const each = within(screen.getByRole("table", { name: "By rubric" }));
    expect(each.getByRole("row", { name: /^Own criteria.*112.*100 % pass/ })).toBeInTheDocument();
    expect(each.getByRole("row", { name: /House rules.*112.*74 % pass/ })).toBeInTheDocument();
    const results = within(await screen.findByRole("region", { name: "Results" }));
    expect(results.getByText("4 results of 2 conversations")).toBeInTheDocument();
    const chart = within(screen.getByRole("figure", { name: "Conversations per day" }));
    expect(chart.getByRole("link", { name: /: 2 conversations, 1 pass, 1 needs attention$/ })).toBeVisible();
    const criteria = within(screen.getByRole("table", { name: "Criteria" }));
    expect(criteria.getByRole("row", { name: /No promises.*1 of 2/ })).toBeInTheDocument();
    expect(criteria.getByRole("row", { name: /Polite.*0 of 2/ })).toBeInTheDocument();
    await user.click(each.getByRole("link", { name: "House rules" }));
    await results.findByText("2 results of 2 conversations, by House rules");
    expect(router.state.location.search).toEqual({ rubric: "rub_1" });
    // What the service compares itself is not worked out from longer windows.
    expect(service().seen(getEvaluationMetrics)).toHaveLength(1);
  });

  it("says that what was graded cannot be read, and not that there is nothing", async () => {
    withTeamRubric();
    service().override(listEvaluationResults, { evaluations: [], next_cursor: null });
    renderConsole(page);
    await screen.findByText("112 conversations, 98 before");
    const results = within(await screen.findByRole("region", { name: "Results" }));
    expect(results.getByText("You can’t read the conversations graded in this period.")).toBeInTheDocument();
    const trend = within(screen.getByRole("region", { name: "Trend" }));
    expect(trend.getByText(/^By day of evaluation.* Only conversations you can read\.$/)).toBeInTheDocument();
  });

  it("says results where the service does not say that it counts conversations", async () => {
    withEvaluations();
    renderConsole(page, core);
    const grades = within(await screen.findByRole("region", { name: "Grades" }));
    await grades.findByText("25 results, 6 before");
    expect(screen.getByRole("figure", { name: "Results per day" })).toBeInTheDocument();
  });

  it("says shares against the days before, and that too few were graded then", async () => {
    withEvaluations();
    renderConsole(page);
    const grades = within(await screen.findByRole("region", { name: "Grades" }));
    expect(grades.getByText("96 %")).toBeInTheDocument();
    await grades.findByText("6 of 6 before, too few");
    await screen.findByText(/^Evaluated by openai\/judge, debounced, 1 criterion/);
  });

  it("opens the sessions behind a number, and the conversation behind a session, with why", async () => {
    withEvaluations([
      anEvaluationResult(),
      anEvaluationResult({
        evaluation_id: "eval_2",
        session_name: "All well",
        grade: "pass",
        criteria_results: [],
      }),
    ]);
    const { user, router } = renderConsole(page);
    const sessions = within(await screen.findByRole("region", { name: "Results" }));
    expect(sessions.getByRole("row", { name: /All well/ })).toBeInTheDocument();
    await user.click(
      within(screen.getByRole("region", { name: "Grades" })).getByRole("link", { name: /Needs attention/ }),
    );
    await waitFor(() => expect(sessions.queryByRole("row", { name: /All well/ })).toBeNull());
    await user.click(sessions.getByRole("button", { name: "Refund request" }));
    const result = within(await screen.findByRole("dialog"));
    // What a model wrote is text, never markup.
    await result.findByText("It said <b>no</b> twice.");
    expect(result.getByRole("link", { name: "Open conversation (turn 2)" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/conversations/int_1",
    );
    expect(router.state.location.search).toEqual({ grade: "needs_attention", result: "eval_1" });
  });

  it("has the chart's numbers in a table, one key away, and bars that the arrow keys walk", async () => {
    withEvaluations();
    const { user } = renderConsole(page);
    const chart = await screen.findByRole("figure", { name: "Conversations per day" });
    await waitFor(() => expect(within(chart).getAllByRole("link").length).toBeGreaterThan(0));
    await user.keyboard("t");
    await screen.findByRole("table", { name: "Conversations per day" });
  });

  it("takes any period from 1 to 365 days, from the address and by hand", async () => {
    withEvaluations();
    const { user, router } = renderConsole(`${page}?days=45`, core);
    const days = await screen.findByRole("spinbutton", { name: "Days" });
    expect(days).toHaveValue(45);
    const asked = () =>
      service()
        .seen(getEvaluationMetrics)
        .map(({ url }) => Number(url.searchParams.get("days")));
    await waitFor(() => expect(asked()).toEqual(expect.arrayContaining([45, 90])));
    await user.clear(days);
    await user.type(days, "200{Enter}");
    await waitFor(() => expect(router.state.location.search).toEqual({ days: 200 }));
    await screen.findByText(/no data older than 365 days/);
    await waitFor(() => expect(asked()).toContain(200));
    await user.clear(days);
    await user.type(days, "365{Enter}");
    // A year back the same day and month stand twice.
    await screen.findByText(/\d+ \w{3} 20\d\d to \d+ \w{3} 20\d\d/);
    await user.clear(days);
    await user.type(days, "366{Enter}");
    expect(days).toBeInvalid();
    expect(router.state.location.search).toEqual({ days: 365 });
    expect(Math.max(...asked())).toBeLessThanOrEqual(365);
    await user.click(screen.getByRole("radio", { name: "7 days" }));
    await waitFor(() => expect(days).toHaveValue(7));
  });

  it("does not show as saved what the service does not take", async () => {
    withEvaluations();
    service().override(updateEvaluationConfig, new Refusal("not_found"));
    const { user } = renderConsole(`${page}?view=criteria`, { as: { known: { named: null, tried: {} } } });
    const name = await screen.findByRole("textbox", { name: "Name of criterion 1" });
    await user.clear(name);
    await user.type(name, "Very polite");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await screen.findByText("Not saved: criteria");
    expect(screen.getByRole("textbox", { name: "Name of criterion 1" })).toHaveValue("Polite");
    await user.click(screen.getByRole("button", { name: "Show my changes" }));
    const mine = screen.getByRole("textbox", { name: "Name of criterion 1" });
    expect(mine).toHaveValue("Very polite");
    expect(mine).toHaveAttribute("aria-disabled", "true");
  });

  it("derives the trend from windows where only the core is there, says so, and opens nothing", async () => {
    withEvaluations();
    renderConsole(page, core);
    await screen.findByText(/^By day of evaluation, calculated from the service’s totals/);
    expect(screen.getByText(/but not the individual results/)).toBeInTheDocument();
    await waitFor(() => {
      const asked = service()
        .seen(getEvaluationMetrics)
        .map(({ url }) => Number(url.searchParams.get("days")));
      expect(asked).toEqual(expect.arrayContaining([1, 2, 3, 5, 7, 10, 14, 18, 22, 26, 30, 60]));
    });
    expect(service().seen(listEvaluationResults)).toHaveLength(0);
  });

  it("changes how the agent is evaluated by exactly what was edited, and keeps it from being saved half", async () => {
    withEvaluations();
    service().override(updateEvaluationConfig, { config: anEvaluationConfig() });
    const { user } = renderConsole(`${page}?view=criteria`);
    const save = await screen.findByRole("button", { name: "Save" });
    expect(save).toHaveAttribute("aria-disabled", "true");
    await user.click(screen.getByRole("button", { name: "Add criterion" }));
    expect(screen.getByText("Enter a name.")).toBeInTheDocument();
    const added = screen.getByRole("textbox", { name: "Name of criterion 2" });
    expect(added).toBeInvalid();
    expect(added).toHaveAccessibleDescription("Enter a name.");
    expect(added).toHaveFocus();
    expect(save).toHaveAttribute("aria-disabled", "true");
    await user.type(screen.getByRole("textbox", { name: "Name of criterion 2" }), "No promises");
    await user.selectOptions(
      screen.getByRole("combobox", { name: "Type of criterion 2" }),
      "prohibited_words",
    );
    await user.type(screen.getByRole("textbox", { name: "What criterion 2 checks" }), "guarantee");
    await user.click(save);
    await waitFor(() => expect(service().seen(updateEvaluationConfig)).toHaveLength(1));
    expect(service().seen(updateEvaluationConfig)[0]?.body).toEqual({
      criteria: [
        anEvaluationConfig().criteria[0],
        { name: "No promises", prompt: "guarantee", type: "prohibited_words", priority: "needs_review" },
      ],
    });
  });

  it("keeps criteria that were typed and not saved while the page is left, until they are saved or discarded", async () => {
    withEvaluations();
    const { user, router } = renderConsole(`${page}?view=criteria`);
    const name = () => screen.findByRole("textbox", { name: "Name of criterion 1" });
    await user.type(await name(), " and brief");
    await router.navigate({ to: "/runs" });
    await waitFor(() => expect(screen.queryByRole("textbox", { name: /criterion/ })).toBeNull());
    router.history.back();
    await waitFor(async () => expect(await name()).toHaveValue("Polite and brief"));
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(await name()).toHaveValue("Polite");
    await router.navigate({ to: "/runs" });
    await waitFor(() => expect(screen.queryByRole("textbox", { name: /criterion/ })).toBeNull());
    router.history.back();
    expect(await name()).toHaveValue("Polite");
  });

  it("C-23: replaces no list that somebody else changed since it was typed in: the person decides first", async () => {
    withEvaluations();
    const config = anEvaluationConfig();
    service().override(updateEvaluationConfig, { config });
    const { user, wheelhouse } = renderConsole(`${page}?view=criteria`);
    await user.type(await screen.findByRole("textbox", { name: "Name of criterion 1" }), " and brief");
    const criteria = [...config.criteria, { ...config.criteria[0], id: "crit_2", name: "No promises" }];
    service().override(getEvaluationConfig, { config: { ...config, language: "nb", criteria } as never });
    await wheelhouse.queries.invalidateQueries();
    const save = screen.getByRole("button", { name: "Save" });
    await user.click(save);
    expect(service().seen(updateEvaluationConfig)).toHaveLength(0);
    expect(save).toHaveAccessibleDescription("Resolve the other change first");
    expect(screen.getByText("Someone changed criteria while you were editing")).toBeVisible();
    screen.getByRole("button", { name: "Use theirs" }).focus();
    await user.keyboard("{Enter}");
    expect(screen.getByRole("textbox", { name: "Name of criterion 2" })).toHaveValue("No promises");
    expect(screen.getByRole("region", { name: "Changes" })).toHaveFocus();
  });

  it("follows what somebody else saves for as long as nothing is typed, also where no change has a moment", async () => {
    withEvaluations();
    const config = { ...anEvaluationConfig(), updated_ts: null };
    service().override(getEvaluationConfig, { config });
    const { wheelhouse } = renderConsole(`${page}?view=criteria`);
    await screen.findByRole("textbox", { name: "Name of criterion 1" });
    const criteria = [{ ...config.criteria[0], name: "No promises" }];
    service().override(getEvaluationConfig, { config: { ...config, criteria } as never });
    await wheelhouse.queries.invalidateQueries();
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Name of criterion 1" })).toHaveValue("No promises"),
    );
  });

  it("keeps what an earlier version kept, and sends nothing that only that version had", async () => {
    withEvaluations();
    service().override(updateEvaluationConfig, { config: anEvaluationConfig() });
    const [criterion] = anEvaluationConfig().criteria;
    const base = draftOf(anEvaluationConfig());
    const draft = (name: string) => ({ ...base, criteria: [{ ...criterion, name, key: "criterion 0" }] });
    const store = memoryStore();
    const kept = { base: draft("Polite"), draft: draft("Very polite"), updatedAt: null };
    await signedInWheelhouse({}, { store }).api.drafts.set("criteria agent_clerk", kept);
    const { user } = renderConsole(`${page}?view=criteria`, { browser: { store } });
    await waitFor(async () =>
      expect(await screen.findByRole("textbox", { name: "Name of criterion 1" })).toHaveValue("Very polite"),
    );
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(service().seen(updateEvaluationConfig)).toHaveLength(1));
    expect(service().seen(updateEvaluationConfig)[0]?.body).toEqual({
      criteria: [{ ...criterion, name: "Very polite" }],
    });
  });

  it("takes several kinds of conversation as they are typed, and nothing while they are saved", async () => {
    withEvaluations();
    service().override(updateEvaluationConfig, never);
    const { user } = renderConsole(`${page}?view=criteria`);
    const kinds = await screen.findByRole("textbox", { name: "Conversation types" });
    await user.type(kinds, "api, console");
    expect(kinds).toHaveValue("api, console");
    await user.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(service().seen(updateEvaluationConfig)).toHaveLength(1));
    expect(service().seen(updateEvaluationConfig)[0]?.body).toEqual({
      interaction_types: ["api", "console"],
    });
    expect(kinds).toHaveAttribute("aria-disabled", "true");
  });

  it("shows the configuration to read where the service does not take changes", async () => {
    withEvaluations();
    renderConsole(`${page}?view=criteria`, core);
    expect(await screen.findByRole("textbox", { name: "Name of criterion 1" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  });

  it("evaluates picked conversations, and says which were skipped and why", async () => {
    withEvaluations();
    const { messages: _, ...summary } = aSession().session;
    service().override(listSessions, { sessions: [summary], next_cursor: null });
    const answer = service().holdBack(runEvaluations, {
      queued: [],
      skipped: [{ session_id: summary.id, reason: "in_flight" as const }],
    });
    const { user } = renderConsole(page);
    await user.click(await screen.findByRole("button", { name: "Evaluate conversations…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(await dialog.findByRole("checkbox"));
    await user.click(dialog.getByRole("button", { name: "Evaluate 1" }));
    await waitFor(() => expect(service().seen(runEvaluations)).toHaveLength(1));
    await user.keyboard("{Escape}");
    answer();
    await dialog.findByText(/is already being evaluated/);
  });

  it("says that no evaluation was started where the service refuses it", async () => {
    withEvaluations();
    const { messages: _, ...summary } = aSession().session;
    service().override(listSessions, { sessions: [summary], next_cursor: null });
    service().override(runEvaluations, new Refusal("forbidden", { message: "Not today." }));
    const { user } = renderConsole(page);
    await user.click(await screen.findByRole("button", { name: "Evaluate conversations…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(await dialog.findByRole("checkbox"));
    await user.click(dialog.getByRole("button", { name: "Evaluate 1" }));
    expect(await dialog.findByRole("alert")).toHaveTextContent(/^No evaluation was started.*Not today\./);
  });

  it("C-01: lives with nulls and grades that no document names", async () => {
    withEvaluations();
    service().override(
      getEvaluationMetrics,
      anyJson({ days: 30, grades: { splendid: 3, pass: null }, tags: null }),
    );
    service().override(
      listEvaluationResults,
      anyJson({ evaluations: [null, { evaluation_id: "e", grade: "splendid", criteria_results: null }] }),
    );
    renderConsole(page);
    await screen.findAllByText("splendid");
  });

  it("says why the evaluations could not be read", async () => {
    withEvaluations();
    service().override(getEvaluationMetrics, new Refusal("internal"));
    renderConsole(page);
    await screen.findByText("The evaluations could not be loaded");
  });
});
