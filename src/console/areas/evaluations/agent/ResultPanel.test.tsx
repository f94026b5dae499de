import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { anEvaluationResult, giveEvaluations } from "../../../../testing/evaluations.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

it("reads a result from its beginning, and closes it with one Escape", async () => {
  giveEvaluations(service(), [anEvaluationResult()]);
  const { user, router } = renderConsole("/agents/agent_clerk/evaluations");
  (await screen.findByRole("button", { name: "Refund request" })).focus();
  await user.keyboard("{Enter}");
  const result = await screen.findByRole("dialog");
  await waitFor(() => expect(result).toHaveFocus());
  await user.tab();
  expect(within(result).getByRole("link", { name: "Open conversation (turn 2)" })).toHaveFocus();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(router.state.location.search).toEqual({}));
  await waitFor(() => expect(screen.getByRole("button", { name: "Refund request" })).toHaveFocus());
});

it("the way to the criteria and back leaves the focus on the page", async () => {
  giveEvaluations(service(), [anEvaluationResult()]);
  const { user } = renderConsole("/agents/agent_clerk/evaluations");
  (await screen.findByRole("link", { name: "Edit criteria" })).focus();
  await user.keyboard("{Enter}");
  const back = await screen.findByRole("link", { name: "Results" });
  await waitFor(() => expect(document.getElementById("content")).toHaveFocus());
  back.focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("link", { name: "Edit criteria" });
  expect(document.getElementById("content")).toHaveFocus();
});
