import { screen, waitFor } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { getAgent } from "../../../contract/agents.ts";
import { startAgent } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { aSession } from "../../../testing/conversations.ts";
import { never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const field = () => screen.findByRole("textbox", { name: "Message Clerk" });

describe("a new conversation", () => {
  it("calls an agent by no id while it is read", async () => {
    service().override(getAgent, never);
    renderConsole("/agents/agent_clerk/conversations/new");
    await screen.findByRole("textbox", { name: /^Message/ });
    expect(document.body).not.toHaveTextContent("agent_clerk");
    expect(screen.getByRole("textbox")).not.toHaveAccessibleName(/agent_clerk/);
    expect(screen.queryByText("No messages yet")).toBeNull();
  });

  it("starts with one request, is written down before it, and leads to the conversation", async () => {
    service().override(getSession, aSession());
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user, router, wheelhouse } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.type(await field(), "Which berths are free?{Enter}{Enter}");
    await waitFor(() =>
      expect(router.state.location.pathname).toBe("/agents/agent_clerk/conversations/int_1"),
    );
    expect(service().seen(startAgent)).toHaveLength(1);
    expect(wheelhouse.api.get()?.conversations.find("int_1")).toMatchObject({
      provenance: "started-here",
      agentId: "agent_clerk",
      name: "Which berths are free?",
    });
  });

  it("leaves a person where they went while it was being started, and forgets what was sent", async () => {
    service().override(getSession, aSession());
    const answer = service().holdBack(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user, router, wheelhouse } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.type(await field(), "Which berths are free?{Enter}");
    await user.click(screen.getByRole("link", { name: "Runs" }));
    await screen.findByRole("heading", { name: "Runs" });
    answer();
    await waitFor(() => expect(wheelhouse.api.get()?.drafts.names("message to")).toEqual([]));
    expect(router.state.location.pathname).toBe("/runs");
  });

  it("is not said to be unsent where only the answer to it was lost", async () => {
    service().override(startAgent, Response.error());
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.type(await field(), "Which berths are free?{Enter}");
    await screen.findByText("The message may not have been sent");
    expect(screen.queryByText("Message not sent")).toBeNull();
    expect(await field()).toHaveValue("Which berths are free?");
  });

  it("is another request for others than before, where the answer to the same message had got lost", async () => {
    service().override(getSession, aSession());
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    service().override(startAgent, new Refusal("internal"), { times: 1 });
    const { user, router } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.type(await field(), "Which berths are free?{Enter}");
    await screen.findByText("Message not sent");
    const owner = screen.getByRole("combobox", { name: "Who can read and continue it" });
    await user.selectOptions(owner, "For Harbor");
    await user.click(screen.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/int_1$/));
    const [before, after] = service().seen(startAgent);
    expect(after?.body).toMatchObject({ project_id: "team_harbor" });
    // A key that came with another body is refused, and so would be each further try.
    expect(after?.headers.get("idempotency-key")).not.toBe(before?.headers.get("idempotency-key"));
  });

  it("S-293: sends no message in which nobody sees anything, as the service takes none", async () => {
    service().override(getSession, aSession());
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    const box = await field();
    await user.click(box);
    await user.paste("\u200b\u3164\u2800\ufeff");
    await user.click(screen.getByRole("button", { name: "Start" }));
    expect(screen.getByRole("button", { name: "Start" })).toHaveAttribute("aria-disabled", "true");
    expect(service().seen(startAgent)).toHaveLength(0);
    await user.type(box, "a");
    expect(screen.getByRole("button", { name: "Start" })).not.toHaveAttribute("aria-disabled", "true");
  });

  it("says before it is sent that a message is too long, by how much, and keeps it", async () => {
    service().override(getSession, aSession());
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    const box = await field();
    await user.click(box);
    const long = `${"🙂 line of a log\n".repeat(12_500)}!!`;
    await user.paste(long);
    const alert = screen.getByRole("alert");
    expect(alert).toHaveTextContent("This message is too long by 2 characters.");
    expect(alert).toHaveTextContent("A message has at most 200,000: shorten it, or send it in parts.");
    await user.type(box, "{Control>}{Enter}{/Control}");
    const send = screen.getByRole("button", { name: "Start" });
    await user.click(send);
    expect(send).toHaveAttribute("aria-disabled", "true");
    expect(box).toHaveValue(long);
    expect(service().seen(startAgent)).toHaveLength(0);
    await user.type(box, "{Backspace}{Backspace}");
    expect(screen.queryByRole("alert")).toBeNull();
    await user.click(send);
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
  });

  it("fills in a starter prompt without sending it", async () => {
    const [agent] = service().state.agents;
    if (agent) agent.metadata = { chat: { starter_prompts: ["Check a deadline", 7] } };
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.click(await screen.findByRole("button", { name: "Check a deadline" }));
    expect(await field()).toHaveValue("Check a deadline");
    expect(service().seen(startAgent)).toHaveLength(0);
  });

  it("says that a retired agent is none", async () => {
    service().state.agents = [];
    renderConsole("/agents/agent_clerk/conversations/new");
    await screen.findByText("Agent not found, or you have no access");
  });
});
