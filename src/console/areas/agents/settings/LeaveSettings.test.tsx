import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { takeChanges } from "../../../../testing/agent-edits.ts";
import { anAgent } from "../../../../testing/builders.ts";
import { deferred } from "../../../../testing/deferred.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();

it("asks no more before leaving once all was saved meanwhile, and leaves", async () => {
  const { promise: answered, resolve: answer } = deferred();
  service().state.agents = [anAgent({ version: 14 })];
  takeChanges(service(), [], () => answered);
  const { user, router } = renderConsole("/agents/agent_clerk/settings");
  await user.type(await screen.findByRole("textbox", { name: "Name" }), " 2");
  await user.click(screen.getByRole("button", { name: "Save as version 15" }));
  await user.click(screen.getByRole("link", { name: "Runs" }));
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  answer();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await screen.findByRole("heading", { name: "Runs" });
  expect(router.state.location.pathname).toBe("/runs");
  expect(service().state.agents[0]?.name).toBe("Clerk 2");
});

it("throws no draft away when Enter is pressed twice on a link: the question begins at staying", async () => {
  service().state.agents = [anAgent({ version: 14 })];
  const { user, router } = renderConsole("/agents/agent_clerk/settings");
  const name = await screen.findByRole("textbox", { name: "Name" });
  await user.type(name, " 2");
  screen.getByRole("link", { name: "Runs" }).focus();
  await user.keyboard("{Enter}");
  await screen.findByRole("dialog", { name: "Leave without saving?" });
  await user.keyboard("{Enter}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.pathname).toBe("/agents/agent_clerk/settings");
  expect(name).toHaveValue("Clerk 2");
});
