import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { createEvaluation, deleteEvaluation, listEvaluations } from "../../../contract/evaluations.ts";
import { getEvaluation, listRubricResults, updateEvaluation } from "../../../contract/rubric-edit.ts";
import { anEvaluationResult } from "../../../testing/evaluations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { aRubric, withRubric } from "../../../testing/rubrics.ts";
import { memoryStore, slowStore } from "../../../testing/test-wheelhouse.ts";

const service = mockServicePerTest();
const teamKey = { kind: "team", secret: "test-key-of-harbor", userId: null, teamId: "team_harbor" } as const;

const page = "/evaluations?tab=rubrics&rubric=rub_1";
const nameField = () => screen.findByRole("textbox", { name: "Name" });
const save = (name = "Save") => screen.getByRole("button", { name });

describe("the list of saved rubrics", () => {
  it("leads the focus to the first field of a new one, and to the page again after it", async () => {
    withRubric(service());
    const { user, router } = renderConsole("/evaluations?tab=rubrics");
    await user.click(await screen.findByRole("button", { name: "New rubric" }));
    await waitFor(async () => expect(await nameField()).toHaveFocus());
    act(() => router.history.back());
    await screen.findByRole("button", { name: "New rubric" });
    expect(document.activeElement).not.toBe(document.body);
    await user.click(screen.getByRole("link", { name: "No promises" }));
    await nameField();
    expect(document.activeElement).not.toBe(document.body);
  });

  it("says of each whether it runs, who judges and how much it judged, and leads to it", async () => {
    withRubric(service());
    const { user, router } = renderConsole("/evaluations?tab=rubrics");
    const row = within(await screen.findByRole("row", { name: /No promises/ }));
    expect(row.getByText("on")).toBeInTheDocument();
    expect(row.getByText("each agent’s own model")).toBeInTheDocument();
    expect(row.getByText("12 conversations of 3 agents in 30 days")).toBeInTheDocument();
    await user.click(row.getByRole("link", { name: "No promises" }));
    expect(router.state.location.search).toEqual({ tab: "rubrics", rubric: "rub_1" });
    await screen.findByRole("heading", { level: 2, name: "No promises" });
  });

  it("shows only what a service can that neither shows nor changes one", async () => {
    withRubric(service(), { use: undefined });
    renderConsole("/evaluations?tab=rubrics", { as: { known: { named: ["evaluations"], tried: {} } } });
    const row = within(await screen.findByRole("row", { name: /No promises/ }));
    expect(row.queryByRole("link")).toBeNull();
    expect(row.getByRole("button", { name: "Delete…" })).toBeInTheDocument();
    expect(screen.queryByRole("columnheader", { name: "Evaluated" })).toBeNull();
  });

  it("offers no new rubric to a team's key, which the service refuses", async () => {
    withRubric(service());
    renderConsole("/evaluations?tab=rubrics", { as: { credential: teamKey } });
    expect(await screen.findByRole("button", { name: "New rubric" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });
});

describe("a saved rubric", () => {
  it("is switched off and on where it is looked at, and says that its results stay", async () => {
    withRubric(service());
    const { user } = renderConsole(page);
    const turn = await screen.findByRole("switch", { name: "Evaluate conversations" });
    expect(turn).toBeChecked();
    await user.click(turn);
    await screen.findByText("No promises is off");
    expect(screen.getByText(/It no longer evaluates; its results stay/)).toBeInTheDocument();
    expect(turn).not.toBeChecked();
    await user.click(turn);
    await screen.findByText("No promises is on");
    expect(
      service()
        .seen(updateEvaluation)
        .map(({ body }) => body),
    ).toEqual([{ enabled: false }, { enabled: true }]);
  });

  it("keeps its switch, and the focus in it, while that is on its way, and sends it once", async () => {
    const held = withRubric(service());
    const { user } = renderConsole(page);
    const turn = await screen.findByRole("switch", { name: "Evaluate conversations" });
    held.rubric = aRubric({ enabled: false });
    const answer = service().holdBack(updateEvaluation, { evaluation: held.rubric });
    turn.focus();
    await user.keyboard("  ");
    expect(turn).not.toHaveAttribute("aria-disabled", "true");
    answer();
    await screen.findByText("No promises is off");
    expect(service().seen(updateEvaluation)).toHaveLength(1);
  });

  it("sends only what was changed, with the moment at which it was read", async () => {
    withRubric(service());
    const { user } = renderConsole(page);
    const name = await nameField();
    await user.clear(name);
    await user.type(name, "House rules");
    await user.click(save());
    await screen.findByRole("heading", { level: 2, name: "House rules" });
    expect(service().seen(updateEvaluation)[0]?.body).toEqual({
      name: "House rules",
      updated_at: "2026-11-20T08:00:00Z",
    });
    expect(save()).toHaveAttribute("aria-disabled", "true");
  });

  it("says that it was not saved, where the service has a fault, and keeps what was typed", async () => {
    withRubric(service());
    service().override(updateEvaluation, new Refusal("internal"));
    const { user } = renderConsole(page);
    await user.type(await nameField(), " at all");
    await user.click(save());
    await screen.findByText("Not saved");
    expect(screen.queryByText(/could not be loaded/)).toBeNull();
    expect(await nameField()).toHaveValue("No promises at all");
  });

  it("writes over nothing that somebody else changed meanwhile: the person decides first", async () => {
    const held = withRubric(service());
    const { user } = renderConsole(page);
    const description = await screen.findByRole("textbox", { name: "Description" });
    await user.type(description, " and yard");
    held.rubric = aRubric({ name: "Theirs", updated_at: "2026-11-20T10:00:00Z" });
    await user.click(save());
    await screen.findByText("Someone changed this rubric while you were editing");
    expect(description).toHaveValue("Of the house and yard");
    await user.click(screen.getByRole("button", { name: "Keep mine" }));
    expect(await nameField()).toHaveValue("Theirs");
    await user.click(save());
    await waitFor(() => expect(service().seen(updateEvaluation)).toHaveLength(2));
    expect(service().seen(updateEvaluation)[1]?.body).toEqual({
      description: "Of the house and yard",
      updated_at: "2026-11-20T10:00:00Z",
    });
  });

  it.each(["Keep mine", "Use theirs", "Discard"])(
    "keeps the focus at what saves after “%s”",
    async (name) => {
      const held = withRubric(service());
      const { user, wheelhouse } = renderConsole(page);
      await user.type(await screen.findByRole("textbox", { name: "Description" }), " and yard");
      if (name !== "Discard") {
        held.rubric = aRubric({ name: "Theirs", updated_at: "2026-11-20T10:00:00Z" });
        await wheelhouse.queries.invalidateQueries();
      }
      (await screen.findByRole("button", { name })).focus();
      await user.keyboard("{Enter}");
      expect(screen.queryByRole("button", { name })).toBeNull();
      expect(screen.getByRole("region", { name: "Changes" })).toHaveFocus();
    },
  );

  it("leaves the keyboard at its criteria when one of them is removed", async () => {
    withRubric(service());
    const { user } = renderConsole(page);
    (await screen.findByRole("button", { name: "Remove criterion 1" })).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Remove criterion 1" })).toBeNull());
    expect(screen.getByRole("region", { name: "Criteria" })).toHaveFocus();
  });

  it("keeps what was typed and not saved while the page is left", async () => {
    withRubric(service());
    const { user, router } = renderConsole(page);
    await user.type(await screen.findByRole("textbox", { name: "Description" }), " and yard");
    await router.navigate({ to: "/evaluations", search: { tab: "rubrics" } });
    await screen.findByRole("row", { name: /No promises/ });
    await router.navigate({ to: "/evaluations", search: { tab: "rubrics", rubric: "rub_1" } });
    await waitFor(async () =>
      expect(await screen.findByRole("textbox", { name: "Description" })).toHaveValue(
        "Of the house and yard",
      ),
    );
    await user.click(screen.getByRole("button", { name: "Discard" }));
    expect(screen.getByRole("textbox", { name: "Description" })).toHaveValue("Of the house");
  });

  it("loses nothing that was kept where typing begins before the browser's store has answered", async () => {
    withRubric(service());
    const store = memoryStore();
    const first = renderConsole(page, { browser: { store } });
    await first.user.type(await screen.findByRole("textbox", { name: "Description" }), " and yard");
    first.unmount();
    const slow = slowStore(store);
    const { user } = renderConsole(page, { browser: { store: slow.store } });
    await user.type(await nameField(), "!");
    slow.release();
    await waitFor(() =>
      expect(screen.getByRole("textbox", { name: "Description" })).toHaveValue("Of the house and yard"),
    );
    expect(await nameField()).toHaveValue("No promises!");
    await user.click(save());
    await waitFor(() => expect(service().seen(updateEvaluation)).toHaveLength(1));
    expect(service().seen(updateEvaluation)[0]?.body).toMatchObject({
      name: "No promises!",
      description: "Of the house and yard",
    });
  });

  it("is refused at the row that the service names, until that is changed", async () => {
    withRubric(service());
    const facts = { param: "config.criteria.0.name", message: "must name a rule of the house" };
    service().override(updateEvaluation, new Refusal("invalid_body", facts));
    const { user } = renderConsole(page);
    const criterion = await screen.findByRole("textbox", { name: "Name of criterion 1" });
    await user.type(criterion, " and brief");
    await user.click(save());
    await screen.findByText("must name a rule of the house");
    await waitFor(() => expect(criterion).toHaveFocus());
    expect(save()).toHaveAccessibleDescription("1 part is incomplete");
    await user.type(criterion, "!");
    expect(screen.queryByText("must name a rule of the house")).toBeNull();
    expect(save()).not.toHaveAttribute("aria-disabled");
  });

  it("lists what it found, each with its agent and what was not met", async () => {
    withRubric(service());
    service().override(listRubricResults, {
      evaluations: [{ ...anEvaluationResult(), agent_name: "Clerk" }],
      next_cursor: null,
    });
    renderConsole(`${page}&part=results`);
    const row = within(await screen.findByRole("row", { name: /Refund request.*Clerk.*Polite/ }));
    expect(row.getByRole("link", { name: "Refund request" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/evaluations?result=eval_1",
    );
  });

  it("is made with what was typed, and then looked at", async () => {
    const held = withRubric(service());
    service().override(createEvaluation, ({ body }) => {
      held.rubric = aRubric({ id: "rub_2", name: body.name });
      return { evaluation: held.rubric };
    });
    const { user, router } = renderConsole("/evaluations?tab=rubrics");
    await user.click(await screen.findByRole("button", { name: "New rubric" }));
    await user.type(await nameField(), "Tone");
    await user.selectOptions(
      screen.getByRole("combobox", { name: "Agents to evaluate" }),
      "All agents of team Harbor",
    );
    await user.click(screen.getByRole("button", { name: "Add criterion" }));
    await user.type(screen.getByRole("textbox", { name: "Name of criterion 1" }), "Kind");
    await user.type(screen.getByRole("textbox", { name: "What criterion 1 checks" }), "Is kind.");
    await user.click(save("Save rubric"));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: "rubrics", rubric: "rub_2" }));
    expect(service().seen(createEvaluation)[0]?.body).toEqual({
      name: "Tone",
      enabled: true,
      team_id: "team_harbor",
      config: {
        criteria: [{ name: "Kind", prompt: "Is kind.", type: "other", priority: "needs_review" }],
      },
    });
  });

  it("makes polls fast again once it is deleted, as everything does that a person changes", async () => {
    withRubric(service());
    service().override(deleteEvaluation, new Response(null, { status: 204 }));
    const { user, router, wheelhouse } = renderConsole(page);
    await user.click(await screen.findByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByRole("textbox"), "No promises");
    const changes: unknown[] = [];
    wheelhouse.api.get()?.polling.situation.subscribe(() => changes.push("acted"));
    await user.click(dialog.getByRole("button", { name: "Delete rubric" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: "rubrics" }));
    expect(changes).toEqual(["acted"]);
  });

  it("says that it was not deleted also to whoever cancelled while it was on its way", async () => {
    withRubric(service());
    const answer = service().holdBack(
      deleteEvaluation,
      new Refusal("forbidden", { message: "Only editors delete rubrics." }),
    );
    const { user } = renderConsole(page);
    await user.click(await screen.findByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(dialog.getByRole("textbox"), "No promises");
    await user.click(dialog.getByRole("button", { name: "Delete rubric" }));
    await waitFor(() => expect(service().seen(deleteEvaluation)).toHaveLength(1));
    await user.click(dialog.getByRole("button", { name: "Cancel" }));
    answer();
    await screen.findByText(/Only editors delete rubrics/);
  });

  it("that is not there says so, and one that is deleted leads back to the list", async () => {
    service().override(listEvaluations, { evaluations: [], next_cursor: null });
    service().override(getEvaluation, new Refusal("not_found"));
    const { unmount } = renderConsole(page);
    await screen.findByText("Rubric not found, or you have no access");
    unmount();
    withRubric(service());
    service().override(deleteEvaluation, new Response(null, { status: 204 }));
    const { user, router } = renderConsole(page);
    await user.click(await screen.findByRole("button", { name: "Delete…" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText(/To only stop it, turn it off/)).toBeInTheDocument();
    await user.type(dialog.getByRole("textbox"), "No promises");
    await user.click(dialog.getByRole("button", { name: "Delete rubric" }));
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: "rubrics" }));
  });
});
