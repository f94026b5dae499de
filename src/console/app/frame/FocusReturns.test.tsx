import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { withAdmin } from "../../../testing/admin.ts";
import { aDoneRun } from "../../../testing/builders.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { onPhone } from "../../../testing/on-phone.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

/** The list of runs, in which there is one. */
async function openRuns(search = "") {
  service().state.runs = [aDoneRun()];
  const rendered = renderConsole(`/runs${search}`);
  await screen.findByRole("table", { name: "Runs" });
  return rendered;
}

it("the refresh settings give the focus back to the chip that opened them, each time", async () => {
  const { user } = await openRuns();
  const chip = () => screen.getByRole("button", { name: /^Live/ });
  chip().focus();
  for (const _ of ["once", "again"]) {
    await user.keyboard("{Enter}");
    await screen.findByRole("dialog", { name: "Refresh settings" });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(chip()).toHaveFocus());
  }
});

it("the palette gives the focus back to what opened it", async () => {
  const { user } = await openRuns();
  const search = screen.getByRole("button", { name: /^Search or jump to/ });
  search.focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "Search or jump to" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(search).toHaveFocus());
});

it("the palette gives the focus to the page that was chosen in it, also where nothing had it before", async () => {
  const { user } = await openRuns();
  const content = () => document.getElementById("content");
  content()?.blur();
  await user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("dialog", { name: "Search or jump to" });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(content()).toHaveFocus());
  screen.getByRole("button", { name: /^Search or jump to/ }).focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "Search or jump to" });
  await user.keyboard("Artifacts{Enter}");
  await screen.findByRole("heading", { level: 1, name: "Artifacts" });
  await waitFor(() => expect(content()).toHaveFocus());
});

it("a panel that closes leaves the focus on its page, where no row is known of what it showed", async () => {
  const { user } = await openRuns("?run=run_1");
  (await screen.findByRole("button", { name: "Close panel" })).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Close panel" })).toBeNull());
  expect(document.getElementById("content")).toHaveFocus();
});

it("a tab of the administration leaves the focus on the page", async () => {
  withAdmin(service());
  const { user } = renderConsole("/admin?tab=teams");
  (await screen.findByRole("link", { name: "People" })).focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("table", { name: "People" });
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
});

it("a panel that closes gives the focus back to the row that it was of, also one that came after it", async () => {
  const { user } = await openRuns("?run=run_hello");
  const close = await screen.findByRole("button", { name: "Close panel" });
  close.focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Close panel" })).toBeNull());
  const row = screen.getByRole("row", { name: /Say hello/ });
  expect(row).toContainElement(document.activeElement as HTMLElement);
});

it("a panel that another one takes the place of hands the focus on to it", async () => {
  service().state.runs = [aDoneRun(), aDoneRun({ run_id: "run_2" })];
  const { user, router } = renderConsole("/runs?run=run_hello");
  (await screen.findByRole("button", { name: "Close panel" })).focus();
  await user.keyboard("j");
  await waitFor(() => expect(router.state.location.search).toEqual({ run: "run_2" }));
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
  const panel = screen.getByRole("region", { name: "The selected run" });
  expect(panel).toContainElement(document.activeElement as HTMLElement);
});

it("a filter that is taken away leaves the focus on its button, which still opens it", async () => {
  const { user } = await openRuns("?state=DONE");
  screen.getByRole("button", { name: "Clear State" }).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Clear State" })).toBeNull());
  expect(screen.getByRole("button", { name: "State" })).toHaveFocus();
});

it("the last filter that is taken away on a phone stays where the focus is", async () => {
  await onPhone(async () => {
    const { user } = renderConsole("/runs?state=DONE");
    (await screen.findByRole("button", { name: "Clear State" })).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Clear State" })).toBeNull());
    expect(screen.getByRole("button", { name: "State" })).toHaveFocus();
  });
});

it("a list that shows all again where nothing matched leaves the focus on the page", async () => {
  const { user } = renderConsole("/runs?state=FAILED");
  (await screen.findByRole("button", { name: "Show all runs" })).focus();
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("button", { name: "Show all runs" })).toBeNull());
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
});
