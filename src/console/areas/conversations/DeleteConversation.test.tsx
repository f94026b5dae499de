import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { deleteConversation, restoreConversation } from "../../../contract/conversation-actions.ts";
import { agentStatus, startAgent } from "../../../contract/interactions.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { anAnswer, aQuestion, aSession, aStatus } from "../../../testing/conversations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore, signedInWheelhouse } from "../../../testing/test-wheelhouse.ts";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const address = "/agents/agent_clerk/conversations/int_1";
const file = { type: "file", id: "f", file: { filename: "notes.md", media_type: "text/markdown" } };
const messages = [aQuestion("Which berths are free?"), anAnswer([{ type: "text", text: "N4." }, file])];
const there = () => {
  service().override(getSession, aSession({ messages }));
  service().override(listSessions, { sessions: [], next_cursor: null });
};
const gone = () => {
  service().override(getSession, new Refusal("not_found"));
  service().override(agentStatus, new Refusal("interaction_not_found"));
};

async function askToDelete({ user }: ReturnType<typeof renderConsole>) {
  await user.click(await screen.findByRole("button", { name: "More actions" }));
  await user.click(await screen.findByRole("menuitem", { name: "Delete conversation…" }));
  return within(await screen.findByRole("dialog"));
}

describe("deleting a conversation", () => {
  it("says first what goes and what stays", async () => {
    there();
    const dialog = await askToDelete(renderConsole(address));
    expect(dialog.getByText(/Its only turn and the evaluation results are deleted/)).toBeInTheDocument();
    expect(dialog.getByText(/Its artifact and the runs it started stay/)).toBeInTheDocument();
    expect(service().seen(deleteConversation)).toHaveLength(0);
  });

  it("takes it out of what this browser knows, leads to its agent, and can be undone", async () => {
    there();
    service().override(deleteConversation, () => {
      gone();
      return new Response(null, { status: 204 });
    });
    service().override(restoreConversation, () => {
      there();
      return { interaction_id: "int_1", state: "COMPLETED" };
    });
    const view = renderConsole(address);
    const { user, router, wheelhouse } = view;
    const dialog = await askToDelete(view);
    await user.click(dialog.getByRole("button", { name: "Delete conversation" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/agents/agent_clerk"));
    await waitFor(() => expect(wheelhouse.api.get()?.conversations.find("int_1")).toBeUndefined());
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    await waitFor(() => expect(router.state.location.pathname).toBe(address));
    await screen.findByText("N4.");
    expect(wheelhouse.api.get()?.conversations.find("int_1")).toBeDefined();
    expect([service().seen(deleteConversation).length, service().seen(restoreConversation).length]).toEqual([
      1, 1,
    ]);
  });

  it("leaves a person where they went while it was being deleted", async () => {
    there();
    const answer = service().holdBack(deleteConversation, () => {
      gone();
      return new Response(null, { status: 204 });
    });
    const view = renderConsole(address);
    const dialog = await askToDelete(view);
    await view.user.click(dialog.getByRole("button", { name: "Delete conversation" }));
    await view.user.keyboard("{Escape}");
    await view.user.click(screen.getByRole("link", { name: "Runs" }));
    await screen.findByRole("heading", { name: "Runs" });
    answer();
    await screen.findByText("Conversation deleted");
    expect(view.router.state.location.pathname).toBe("/runs");
  });

  it("says that it was refused also to whoever closed the question while it was on its way", async () => {
    there();
    const answer = service().holdBack(deleteConversation, new Refusal("forbidden"));
    const view = renderConsole(address);
    const dialog = await askToDelete(view);
    await view.user.click(dialog.getByRole("button", { name: "Delete conversation" }));
    await waitFor(() => expect(service().seen(deleteConversation)).toHaveLength(1));
    await view.user.keyboard("{Escape}");
    answer();
    await screen.findByText("The conversation was not deleted");
  });

  it("sends no message that still waits in it, and says so first", async () => {
    // One that waits for its writer, as the turn before it failed.
    service().override(getSession, aSession({ state: "failed", messages }));
    service().override(agentStatus, aStatus({ state: "FAILED", messages }));
    service().override(deleteConversation, () => {
      gone();
      return new Response(null, { status: 204 });
    });
    const store = memoryStore();
    const waiting = { id: "m1", text: "And then this", at: Date.now(), agentId: "agent_clerk" };
    const { api } = signedInWheelhouse({}, { store });
    await api.drafts.set("outbox int_1", [waiting]);
    const view = renderConsole(address, { browser: { store } });
    await screen.findByText("And then this");
    const dialog = await askToDelete(view);
    expect(dialog.getByText(/queued message will not be sent/)).toBeInTheDocument();
    await view.user.click(dialog.getByRole("button", { name: "Delete conversation" }));
    await waitFor(() => expect(view.router.state.location.pathname).toBe("/agents/agent_clerk"));
    await waitFor(() => expect(view.wheelhouse.api.get()?.drafts.names("outbox ")).toEqual([]));
    expect(service().seen(startAgent)).toEqual([]);
  });

  it("waits for the end of the turn", async () => {
    service().override(getSession, aSession({ state: "processing", messages }));
    const dialog = await askToDelete(renderConsole(address));
    expect(dialog.getByRole("button", { name: "Delete conversation" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    expect(dialog.getByText(/stop the turn first/)).toBeInTheDocument();
  });

  it("says why it was refused, and changes nothing", async () => {
    there();
    service().override(deleteConversation, new Refusal("unauthorized_interaction_access"));
    const view = renderConsole(address);
    const dialog = await askToDelete(view);
    await view.user.click(dialog.getByRole("button", { name: "Delete conversation" }));
    expect(await dialog.findByText("The conversation was not deleted")).toBeInTheDocument();
    expect(view.router.state.location.pathname).toBe(address);
  });

  it("is not offered where the service cannot do it", async () => {
    service().override(agentStatus, aStatus());
    const { user } = renderConsole(address, {
      as: { known: { named: null, tried: { live_messages: false, sessions: false } } },
    });
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    await screen.findByRole("menuitem", { name: "Copy as curl" });
    expect(screen.queryByRole("menuitem", { name: "Delete conversation…" })).toBeNull();
  });
});

it("a conversation that somebody else deleted is forgotten by this browser as well", async () => {
  there();
  const { wheelhouse, router } = renderConsole(address);
  await screen.findByText("N4.");
  await waitFor(() => expect(wheelhouse.api.get()?.conversations.find("int_1")).toBeDefined());
  await router.navigate({ to: "/artifacts" });
  gone();
  await router.navigate({
    to: "/agents/$agentId/conversations/$interactionId",
    params: { agentId: "agent_clerk", interactionId: "int_1" },
  });
  await waitFor(() => expect(wheelhouse.api.get()?.conversations.find("int_1")).toBeUndefined());
});
