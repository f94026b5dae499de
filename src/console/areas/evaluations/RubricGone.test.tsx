import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getOwnRoles } from "../../../contract/admin.ts";
import { createEvaluation, type Evaluation } from "../../../contract/evaluations.ts";
import { getEvaluation, updateEvaluation } from "../../../contract/rubric-edit.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { aRubric, withRubric } from "../../../testing/rubrics.ts";
import { memoryStore } from "../../../testing/test-wheelhouse.ts";

const service = mockServicePerTest();
const page = "/evaluations?tab=rubrics&rubric=rub_1";
const save = (name = "Save") => screen.getByRole("button", { name });

describe("a rubric that someone else deletes", () => {
  /** A service with one rubric, until it is deleted. */
  function deletedLater(part: Partial<Evaluation> = {}) {
    const held = withRubric(service(), part);
    let isGone = false;
    const once = <T,>(rubric: T) => (isGone ? new Refusal("not_found") : { evaluation: rubric });
    service().override(getEvaluation, () => once(held.rubric));
    service().override(updateEvaluation, () => once(held.rubric));
    service().override(createEvaluation, ({ body }) => {
      held.rubric = aRubric({ id: "rub_2", name: body.name });
      isGone = false;
      return { evaluation: held.rubric };
    });
    return () => {
      isGone = true;
    };
  }

  it("while it is edited stays with what was typed, and can be saved as a new one", async () => {
    const goes = deletedLater();
    const { user, router } = renderConsole(page);
    await user.type(await screen.findByRole("textbox", { name: "Description" }), " and yard");
    goes();
    await user.click(save());
    await screen.findByText("This rubric was deleted, or you no longer have access to it");
    expect(screen.queryByText("Not saved")).toBeNull();
    expect(screen.getByRole("textbox", { name: "Description" })).toHaveValue("Of the house and yard");
    await user.click(save("Save as new rubric"));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ rubric: "rub_2" }));
    expect(service().seen(createEvaluation)[0]?.body).toEqual({
      name: "No promises",
      description: "Of the house and yard",
      enabled: true,
      config: {
        criteria: [{ name: "Polite", prompt: "Is polite.", type: "voice_tone", priority: "needs_review" }],
      },
    });
  });

  it("still has what was typed when the page is opened again, until that is discarded", async () => {
    const goes = deletedLater();
    const store = memoryStore();
    const first = renderConsole(page, { browser: { store } });
    await first.user.type(await screen.findByRole("textbox", { name: "Description" }), " and yard");
    first.unmount();
    goes();
    const { user } = renderConsole(page, { browser: { store } });
    expect(await screen.findByRole("textbox", { name: "Description" })).toHaveValue("Of the house and yard");
    await user.click(screen.getByRole("button", { name: "Discard" }));
    await screen.findByText("Rubric not found, or you have no access");
  });

  it("goes to no team in which one may edit no more, but to oneself, until another is chosen", async () => {
    const goes = deletedLater({ team_id: "team_harbor" });
    const { user, wheelhouse } = renderConsole(page);
    await user.type(await screen.findByRole("textbox", { name: "Description" }), " and yard");
    service().override(getOwnRoles, {
      ...{ user: null, role: "member" },
      teams: [{ id: "team_harbor", name: "Harbor", role: "viewer", rights: ["see"] }],
    });
    goes();
    await wheelhouse.queries.invalidateQueries();
    await screen.findByText("This rubric was deleted, or you no longer have access to it");
    const owner = screen.getByRole("combobox", { name: "Agents to evaluate" });
    await waitFor(() => expect(owner).toHaveDisplayValue("Your own agents"));
    await user.click(save("Save as new rubric"));
    await waitFor(() => expect(service().seen(createEvaluation)).toHaveLength(1));
    expect(service().seen(createEvaluation)[0]?.body).not.toHaveProperty("team_id");
  });
});
