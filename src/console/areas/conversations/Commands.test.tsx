import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { startAgent } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { anAnswer, aQuestion, aSession } from "../../../testing/conversations.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const started = { interaction_id: "int_1", status: "processing" };
const prompts = [
  '/run_flow {"saved_item_id": "flow_hello", "inputs": {"name": "Ada"}}',
  '/almanac__days_between {"from": "2026-11-20", "count": 3, "precise": false, "zones": ["a", "b"]}',
  "What can you do?",
];

function offline() {
  const [agent] = service().state.agents;
  if (agent)
    Object.assign(agent, {
      model_name: "builtin/offline",
      tools: [{ type: "write_file" }, { type: "run_flow" }],
      metadata: { chat: { starter_prompts: prompts } },
    });
}

describe("what an agent offers on the built-in model", () => {
  it("reads as words, and a form asks for the values", async () => {
    offline();
    service().override(getSession, aSession());
    service().override(startAgent, started);
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    const offers = within(await screen.findByRole("list", { name: "Starter prompts" }));
    expect(offers.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "What can you do?",
      "Run a flow…",
      "Days between…",
      "Write a file…",
    ]);
    await user.click(offers.getByRole("button", { name: "Write a file…" }));
    const form = within(await screen.findByRole("dialog", { name: "Write a file" }));
    await user.clear(form.getByRole("textbox", { name: "Name" }));
    expect(form.getByRole("button", { name: "Start" })).toHaveAttribute("aria-disabled", "true");
    await user.type(form.getByRole("textbox", { name: "Name" }), "log.md");
    await user.type(form.getByRole("textbox", { name: "Content" }), 'Said "go"');
    await user.click(form.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toMatchObject({
      message: '/write_file {"name":"log.md","content":"Said \\"go\\""}',
    });
  });

  it("C-46: asks before Escape throws away what was typed into the form", async () => {
    offline();
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.click(await screen.findByRole("button", { name: "Write a file…" }));
    const form = within(await screen.findByRole("dialog", { name: "Write a file" }));
    await user.type(form.getByRole("textbox", { name: "Content" }), "An hour of notes{Escape}");
    expect(await form.findByRole("alert")).toHaveTextContent("What you typed is not sent.");
    await user.click(form.getByRole("button", { name: "Keep editing" }));
    expect(form.getByRole<HTMLTextAreaElement>("textbox", { name: "Content" }).value).toMatch(/notes$/);
    await user.click(form.getByRole("button", { name: "Cancel" }));
    await user.click(await form.findByRole("button", { name: "Discard" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("keeps a form open whose message would be too long, and says so", async () => {
    offline();
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.click(await screen.findByRole("button", { name: "Write a file…" }));
    const form = within(await screen.findByRole("dialog", { name: "Write a file" }));
    await user.click(form.getByRole("textbox", { name: "Content" }));
    await user.paste("x".repeat(200_000));
    expect(form.getByRole("alert")).toHaveTextContent(/^This message is too long by \d+ characters\./);
    await user.click(form.getByRole("button", { name: "Start" }));
    expect(form.getByRole("textbox", { name: "Content" })).toHaveValue("x".repeat(200_000));
    expect(service().seen(startAgent)).toHaveLength(0);
  });

  it("asks for texts, figures, lists and what is inside, and sends each as what it is", async () => {
    offline();
    service().override(getSession, aSession());
    service().override(startAgent, started);
    const { user } = renderConsole("/agents/agent_clerk/conversations/new");
    await user.click(await screen.findByRole("button", { name: "Days between…" }));
    const form = within(await screen.findByRole("dialog", { name: "Days between" }));
    await user.clear(form.getByRole("textbox", { name: "Count" }));
    await user.type(form.getByRole("textbox", { name: "Count" }), "12");
    await user.click(form.getByRole("checkbox", { name: "Precise" }));
    await user.type(form.getByRole("textbox", { name: "Zones" }), "{Enter}c");
    await user.click(form.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toMatchObject({
      message: '/almanac__days_between {"from":"2026-11-20","count":12,"precise":true,"zones":["a","b","c"]}',
    });
  });

  it("is there in a conversation that goes on, too", async () => {
    offline();
    service().override(getSession, aSession());
    service().override(startAgent, started);
    const { user } = renderConsole("/agents/agent_clerk/conversations/int_1");
    const offers = within(await screen.findByRole("list", { name: "What it can do" }));
    expect(offers.queryByText("What can you do?")).toBeNull();
    await user.click(offers.getByRole("button", { name: "Run a flow…" }));
    const form = within(await screen.findByRole("dialog", { name: "Run a flow" }));
    expect(form.getByRole("textbox", { name: "Flow" })).toHaveValue("flow_hello");
    await user.click(form.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toMatchObject({
      message: '/run_flow {"saved_item_id":"flow_hello","inputs":{"name":"Ada"}}',
    });
  });
});

it("a conversation shows such a message in words, and as it was sent while something is searched", async () => {
  const sent = '/write_file {"name":"log.md","content":"Fair wind.\\nTide at six."}';
  service().override(getSession, aSession({ messages: [aQuestion(sent), anAnswer("Done.")] }));
  const { user } = renderConsole("/agents/agent_clerk/conversations/int_1");
  const messages = within(await screen.findByRole("region", { name: "Messages" }));
  await messages.findByText("Write a file");
  expect(messages.getByText("log.md")).toBeInTheDocument();
  expect(messages.queryByText(/\/write_file/)).toBeNull();
  const turns = within(screen.getByRole("navigation", { name: "Turns" }));
  expect(turns.getByRole("button", { name: /Write a file: log.md/ })).toBeInTheDocument();
  await user.type(screen.getByRole("searchbox", { name: "Find in this conversation" }), "tide");
  await screen.findByText("1 of 1");
  expect(messages.getByText(/\/write_file/)).toBeInTheDocument();
});
