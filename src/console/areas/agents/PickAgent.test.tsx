import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { listSessions } from "../../../contract/sessions.ts";
import { anAgent } from "../../../testing/builders.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const three = () => {
  service().override(listSessions, { sessions: [], next_cursor: null });
  service().state.agents = ["Clerk", "Guide", "Scribe"].map((name) =>
    anAgent({ id: `agent_${name.toLowerCase()}`, name, team_id: null }),
  );
};
const opened = () => screen.findByRole("dialog", { name: "New conversation" });
const names = async () => {
  const list = within(await within(await opened()).findByRole("list", { name: "Agents" }));
  return list.getAllByRole("button").map(({ textContent }) => textContent?.match(/^[A-Z][a-z]+/)?.[0]);
};

it("“New conversation” on the overview asks with which agent, and leads to the message", async () => {
  three();
  const { user, router } = renderConsole("/");
  await user.click(await screen.findByRole("link", { name: "New conversation" }));
  await user.click(within(await opened()).getByRole("button", { name: /^Guide/ }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_guide/conversations/new"));
  expect(await screen.findByRole("textbox", { name: "Message Guide" })).toBeInTheDocument();
});

it("an address asks with which agent: those that were talked to last come first", async () => {
  three();
  const { wheelhouse } = renderConsole("/agents?conversation=true");
  await waitFor(async () => expect(await names()).toEqual(["Clerk", "Guide", "Scribe"]));
  await act(async () => {
    const conversations = wheelhouse.api.get()?.conversations;
    const talk = { agentName: null, projectId: null, message: "Hello" };
    await conversations?.begin({ ...talk, id: "one", agentId: "agent_scribe" });
  });
  await waitFor(async () => expect(await names()).toEqual(["Scribe", "Clerk", "Guide"]));
});

it("an agent is found by its name and taken with the keyboard alone", async () => {
  three();
  const { user, router } = renderConsole("/agents?conversation=true");
  const dialog = within(await opened());
  await dialog.findByRole("button", { name: /^Scribe/ });
  await user.type(dialog.getByRole("searchbox", { name: "Find an agent" }), "gui");
  await waitFor(async () => expect(await names()).toEqual(["Guide"]));
  await user.keyboard("{Enter}");
  await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_guide/conversations/new"));
});

it("with one agent alone nothing is asked", async () => {
  three();
  service().state.agents.length = 1;
  const { router } = renderConsole("/agents?conversation=true");
  await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_clerk/conversations/new"));
});

it("where there is no agent it leads to making the first one", async () => {
  service().state.agents = [];
  const { user, router } = renderConsole("/agents?conversation=true");
  const dialog = within(await opened());
  await user.click(await dialog.findByRole("link", { name: "New agent" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/agents/new"));
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("whoever does not want to talk is left with the agents", async () => {
  three();
  const { user, router } = renderConsole("/agents?conversation=true");
  await opened();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(router.state.location.search).toEqual({});
});
