import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  deleteEvaluation,
  type Evaluation,
  getEvaluationMetrics,
  listEvaluations,
} from "../../../contract/evaluations.ts";
import { anAgent } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

const rubric: Evaluation = {
  id: "evaluation_1",
  name: "No promises",
  description: null,
  enabled: true,
  config: {
    model_name: null,
    frequency: null,
    language: null,
    include_auto_tags: false,
    interaction_types: [],
    criteria: [],
    tags: [],
    data_points: [],
    sentiment: null,
  },
  created_at: "2026-11-20T08:00:00Z",
  updated_at: "2026-11-20T08:00:00Z",
};

describe("evaluations across agents", () => {
  it("shows each agent's share, the count where there are too few, and leads to the sessions", async () => {
    service().override(getEvaluationMetrics, {
      days: 30,
      grades: { pass: 9, needs_attention: 1 },
      tags: { LATE: 2 },
    });
    renderConsole("/evaluations");
    const row = within(await screen.findByRole("row", { name: /Clerk/ }));
    await row.findByText("9 of 10 pass");
    expect(row.getByRole("link", { name: /^1/ })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/evaluations?grade=needs_attention",
    );
  });

  it("says one day, not days, where it looks at the last one", async () => {
    service().override(getEvaluationMetrics, { days: 1, grades: { pass: 1 }, tags: {} });
    renderConsole("/evaluations?days=1");
    expect(await screen.findByText(/compared with the previous 1 day$/)).toBeInTheDocument();
  });

  it("puts first what needs attention most, and last what was not graded", async () => {
    service().state.agents = [anAgent(), anAgent({ id: "agent_scribe", name: "Scribe" })];
    const gradesOf: Readonly<Record<string, Record<string, number>>> = {
      agent_clerk: { pass: 9 },
      agent_scribe: { pass: 1, needs_attention: 2 },
    };
    service().override(getEvaluationMetrics, ({ params }) => ({
      ...{ days: 30, tags: {} },
      grades: gradesOf[params.agent_id] ?? {},
    }));
    renderConsole("/evaluations");
    const table = await screen.findByRole("table", { name: "Evaluations by agent" });
    const names = () =>
      within(table)
        .getAllByRole("row")
        .slice(1)
        .map((row) => within(row).getAllByRole("link")[0]?.textContent);
    await waitFor(() => expect(names().slice(0, 2)).toEqual(["Scribe", "Clerk"]));
  });

  it("takes any period from 1 to 365 days, and leads to the same days of an agent", async () => {
    service().override(getEvaluationMetrics, { days: 45, grades: { pass: 24 }, tags: {} });
    renderConsole("/evaluations?days=45");
    const row = within(await screen.findByRole("row", { name: /Clerk.*24 results/ }));
    expect(row.getByRole("link", { name: "Clerk" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/evaluations?days=45",
    );
    expect(screen.getByRole("spinbutton", { name: "Days" })).toHaveValue(45);
  });

  it.each([
    ["conversations", { counted: "sessions" as const }],
    ["results", {}],
  ])("says that its numbers count %s", async (noun, told) => {
    service().override(getEvaluationMetrics, {
      ...{ days: 30, grades: { pass: 83, needs_attention: 29 }, tags: {}, ...told },
      before: { grades: { pass: 90, needs_attention: 10 }, tags: {} },
    });
    renderConsole("/evaluations");
    const row = within(await screen.findByRole("row", { name: new RegExp(`Clerk.*112 ${noun}.*74 % pass`) }));
    expect(row.getByText("up from 10 %")).toBeInTheDocument();
  });

  it("says at its row that an agent's evaluations could not be read, and reads that row again when asked", async () => {
    service().override(getEvaluationMetrics, new Refusal("forbidden"));
    const { user } = renderConsole("/evaluations");
    const row = within(await screen.findByRole("row", { name: /Clerk/ }));
    await row.findByText("could not be loaded");
    expect(row.getByText("Your credential does not allow this.")).toBeInTheDocument();
    service().override(getEvaluationMetrics, { days: 30, grades: { pass: 9 }, tags: {} });
    await user.click(row.getByRole("button", { name: "Retry: Clerk" }));
    await row.findByText("9 of 9 pass");
    expect(row.queryByRole("button", { name: /Retry/ })).toBeNull();
  });

  it("C-38: deletes a saved rubric once, after its name was typed, and says what stays", async () => {
    service().override(listEvaluations, { evaluations: [rubric], next_cursor: null });
    service().override(deleteEvaluation, new Response(null, { status: 204 }));
    const { user } = renderConsole("/evaluations?tab=rubrics");
    await user.click(await screen.findByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/Its results stay with their conversations/)).toBeInTheDocument();
    await user.type(dialog.getByRole("textbox"), "No promises");
    await user.dblClick(dialog.getByRole("button", { name: "Delete rubric" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(service().seen(deleteEvaluation)).toHaveLength(1);
  });

  it("deletes an evaluation by its id where the service lists none, after the id was typed again", async () => {
    service().override(deleteEvaluation, new Refusal("not_found"), { times: 1 });
    const { user } = renderConsole("/evaluations", {
      as: { known: { named: null, tried: { evaluations: false } } },
    });
    await user.click(await screen.findByRole("button", { name: "Delete by ID" }));
    await user.type(screen.getByRole("textbox", { name: "Evaluation ID" }), " evaluation_1 ");
    await user.click(screen.getByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/This can’t be undone/)).toBeInTheDocument();
    await user.type(dialog.getByRole("textbox"), "evaluation_1");
    await user.click(dialog.getByRole("button", { name: "Delete evaluation" }));
    await dialog.findByText(/Evaluation not found/);
    service().override(deleteEvaluation, new Response(null, { status: 204 }));
    await user.click(dialog.getByRole("button", { name: "Delete evaluation" }));
    await screen.findByText("Evaluation deleted");
    expect(
      service()
        .seen(deleteEvaluation)
        .map(({ url }) => url.pathname),
    ).toEqual(Array(2).fill("/api/v1/evaluations/evaluation_1"));
  });

  it("offers no deletion by id where the saved rubrics are listed", async () => {
    renderConsole("/evaluations");
    await screen.findByRole("row", { name: /Clerk/ });
    expect(screen.queryByRole("button", { name: "Delete by ID" })).toBeNull();
  });
});
