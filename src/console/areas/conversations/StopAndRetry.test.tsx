import { act, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { stopTurn } from "../../../contract/conversation-actions.ts";
import { agentStatus, startAgent } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { anAnswer, aQuestion, aSession, aStatus } from "../../../testing/conversations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore, tabChannels } from "../../../testing/test-wheelhouse.ts";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const address = "/agents/agent_clerk/conversations/int_1";
const core = { as: { known: { named: null, tried: { live_messages: false, sessions: false } } } };

const asked = aQuestion("Which berths are free?");
const said = { type: "error", id: "error", error: "Stopped by Ada Lovelace.", code: "stopped" };
const working = () => service().override(getSession, aSession({ state: "processing", messages: [asked] }));
const ended = () => {
  const messages = [asked, anAnswer([{ type: "text", text: "I look." }, said])];
  service().override(getSession, aSession({ state: "failed", stopped: true, messages }));
  service().override(agentStatus, aStatus({ state: "FAILED", error_message: said.error }));
};
const stopped = { interaction_id: "int_1", stopped: true, state: "FAILED" };
const failed = () => {
  const parts = [{ type: "error", id: "error", error: "The model did not answer." }];
  service().override(getSession, aSession({ state: "failed", messages: [asked, anAnswer(parts)] }));
  service().override(agentStatus, aStatus({ state: "FAILED", error_message: "The model did not answer." }));
};
const again = () => screen.findByRole("button", { name: "Try again" });

it("C-20: a message whose answer was lost leaves the field once its turn is shown, so that it is not sent again", async () => {
  const before = [asked, anAnswer("Three.")];
  service().override(getSession, aSession({ messages: before }));
  service().override(startAgent, () => {
    const messages = [...before, aQuestion("Book one.", { id: "q2", timestamp: "2026-11-20T08:20:00.000Z" })];
    service().override(getSession, aSession({ state: "processing", messages }));
    return Response.error();
  });
  const { user } = renderConsole(address);
  const field = await screen.findByRole("textbox", { name: "Message Clerk" });
  await user.type(field, "Book one.{Enter}");
  await screen.findByRole("button", { name: "Queue message" });
  await waitFor(() => expect(field).toHaveValue(""));
  expect(screen.queryByText("The message may not have been sent")).toBeNull();
  await user.type(field, "{Enter}");
  expect(screen.queryByRole("list", { name: "Queued messages" })).toBeNull();
  expect(service().seen(startAgent)).toHaveLength(1);
});

it("C-20: a message whose answer was lost stays in the field where no turn of it is shown", async () => {
  service().override(getSession, aSession());
  service().override(startAgent, () => Response.error());
  const { user } = renderConsole(address);
  const field = await screen.findByRole("textbox", { name: "Message Clerk" });
  await user.type(field, "Book one.{Enter}");
  await screen.findByText("The message may not have been sent");
  expect(field).toHaveValue("Book one.");
});

describe("C-20: a message whose answer was lost, after a reload,", () => {
  const before = [asked, anAnswer("Three.")];
  const sends = async (store = memoryStore()) => {
    service().override(getSession, aSession({ messages: before }));
    service().override(startAgent, () => Response.error());
    const { user, unmount } = renderConsole(address, { browser: { store } });
    await user.type(await screen.findByRole("textbox", { name: "Message Clerk" }), "Book one.{Enter}");
    await screen.findByText("The message may not have been sent");
    unmount();
    return store;
  };

  it("leaves the field where its turn is shown", async () => {
    const store = await sends();
    const question = aQuestion("Book one.", { id: "q2", timestamp: "2026-11-20T08:20:00.000Z" });
    service().override(getSession, aSession({ messages: [...before, question, anAnswer("Done.")] }));
    renderConsole(address, { browser: { store } });
    await screen.findByText("Done.");
    await waitFor(() => expect(screen.getByRole("textbox", { name: "Message Clerk" })).toHaveValue(""));
    expect(screen.queryByText("The message may not have been sent")).toBeNull();
  });

  it("is still said to be perhaps not sent where no turn of it is shown", async () => {
    const store = await sends();
    const { user } = renderConsole(address, { browser: { store } });
    await screen.findByText("The message may not have been sent");
    const field = screen.getByRole("textbox", { name: "Message Clerk" });
    expect(field).toHaveValue("Book one.");
    await user.type(field, " Or two.");
    expect(screen.queryByText("The message may not have been sent")).toBeNull();
  });
});

it("a message that was refused is a draft after a reload, and not said to be perhaps sent", async () => {
  service().override(getSession, aSession({ messages: [asked, anAnswer("Three.")] }));
  service().override(startAgent, new Refusal("interaction_not_in_terminal_state"));
  const store = memoryStore();
  const { user, unmount } = renderConsole(address, { browser: { store } });
  await user.type(await screen.findByRole("textbox", { name: "Message Clerk" }), "Book one.{Enter}");
  await screen.findByText("The agent has already started another turn");
  unmount();
  renderConsole(address, { browser: { store } });
  await screen.findByDisplayValue("Book one.");
  expect(screen.queryByText("The message may not have been sent")).toBeNull();
});

it("a draft that says what was asked last stays a draft", async () => {
  const store = memoryStore();
  service().override(getSession, aSession({ messages: [asked, anAnswer("Three.")] }));
  const first = renderConsole(address, { browser: { store } });
  await first.user.type(
    await screen.findByRole("textbox", { name: "Message Clerk" }),
    "Which berths are free?",
  );
  first.unmount();
  renderConsole(address, { browser: { store } });
  await screen.findByText("Three.");
  expect(await screen.findByDisplayValue("Which berths are free?")).toBeInTheDocument();
});

it("with the core alone a message whose answer was lost leaves the field when its turn has ended", async () => {
  const before = [asked, anAnswer("Three.")];
  service().override(agentStatus, aStatus({ state: "COMPLETED", messages: before }));
  service().override(startAgent, () => {
    service().override(agentStatus, aStatus({ state: "PROCESSING", messages: null }));
    return Response.error();
  });
  const { user, wheelhouse } = renderConsole(address, core);
  const field = await screen.findByRole("textbox", { name: "Message Clerk" });
  await screen.findByText("Three.");
  await user.type(field, "Book one.{Enter}");
  await screen.findByText(/The agent is working, maybe on this message/);
  expect(field).toHaveValue("Book one.");
  const question = aQuestion("Book one.", { id: "q2", timestamp: "2026-11-20T08:20:00.000Z" });
  service().override(
    agentStatus,
    aStatus({ state: "COMPLETED", messages: [...before, question, anAnswer("Done.")] }),
  );
  await wheelhouse.queries.invalidateQueries();
  await screen.findByText("Done.");
  await waitFor(() => expect(field).toHaveValue(""));
});

describe("a turn under way", () => {
  it("is stopped with one request for the turn that is seen, and is said to be asked for until its end is read", async () => {
    working();
    service().override(stopTurn, stopped);
    renderConsole(address);
    const stop = await screen.findByRole("button", { name: "Stop" });
    // Two clicks faster than the page can be drawn again.
    act(() => {
      stop.click();
      stop.click();
    });
    expect((await screen.findAllByText("Stop requested…")).length).toBeGreaterThan(0);
    expect(
      service()
        .seen(stopTurn)
        .map(({ body }) => body),
    ).toEqual([{ user_id: "user_ada", message_id: asked.id }]);
    ended();
    expect(await screen.findByText("Stopped by Ada Lovelace.")).toBeInTheDocument();
    await waitFor(() => expect(screen.queryByText("Stop requested…")).toBeNull());
    expect(screen.getByText("I look.")).toBeInTheDocument();
    await waitFor(() => expect(document.title).toContain("stopped · Which berths are free?"));
    expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
    await again();
  });

  it.each([
    [12, "Waiting for a free place, 12 before it."],
    [0, "Waiting for a free place, next in line."],
  ])(
    "S-276: says that its turn waits for a free place with %d before it, and no longer once it is at work",
    async (places_before, words) => {
      service().override(getSession, aSession({ state: "processing", places_before }));
      renderConsole(address);
      expect(await screen.findByText(words)).toBeInTheDocument();
      service().override(getSession, aSession({ state: "processing", places_before: null }));
      await waitFor(() => expect(screen.queryByText(words)).toBeNull());
    },
  );

  it("can be stopped while a message waits for its end, and the message waits for its writer then", async () => {
    working();
    service().override(stopTurn, () => {
      ended();
      return stopped;
    });
    const { user } = renderConsole(address);
    await user.type(await screen.findByRole("textbox", { name: "Message Clerk" }), "Then this{Enter}");
    await screen.findByText("sends when the turn ends");
    await user.click(screen.getByRole("button", { name: "Stop" }));
    expect(await screen.findByText("held")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Send now" })).toBeInTheDocument();
    expect(service().seen(startAgent)).toHaveLength(0);
  });

  it("is stopped by a key that stands in the sheet", async () => {
    working();
    service().override(stopTurn, stopped);
    const { user } = renderConsole(address);
    await screen.findByRole("button", { name: "Stop" });
    await user.keyboard("?");
    expect(await screen.findByText("Stop turn")).toBeInTheDocument();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("s");
    await waitFor(() => expect(service().seen(stopTurn)).toHaveLength(1));
  });

  it("says why it could not be stopped, and lets it be tried again", async () => {
    working();
    service().override(stopTurn, new Refusal("unauthorized_interaction_access"));
    const { user } = renderConsole(address);
    await user.click(await screen.findByRole("button", { name: "Stop" }));
    expect(await screen.findByText("The turn could not be stopped")).toBeInTheDocument();
    expect(screen.getByRole("button", { name: "Stop" })).not.toHaveAttribute("aria-busy");
  });

  it("has no such control where the service cannot stop it", async () => {
    service().override(agentStatus, aStatus({ state: "ASYNC_PROCESSING", messages: null, response: null }));
    renderConsole(address, core);
    await screen.findByRole("button", { name: "Queue message" });
    expect(screen.queryByRole("button", { name: "Stop" })).toBeNull();
  });
});

describe("a turn that failed", () => {
  it("is asked for again with the same words, once for two clicks", async () => {
    failed();
    service().override(startAgent, () => {
      working();
      return { interaction_id: "int_1", status: "processing" };
    });
    renderConsole(address);
    const button = await again();
    act(() => {
      button.click();
      button.click();
    });
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toEqual({
      gummie_id: "agent_clerk",
      message: "Which berths are free?",
      user_id: "user_ada",
      interaction_id: "int_1",
    });
    await waitFor(() => expect(screen.queryByRole("button", { name: "Try again" })).toBeNull());
    expect(service().seen(startAgent)).toHaveLength(1);
  });

  it("is asked for again once where two tabs do it: both send the same request", async () => {
    failed();
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const store = memoryStore();
    const openChannel = tabChannels();
    const tabs = [1, 2].map(() =>
      renderConsole(address, { browser: { store, draftChannel: openChannel() } }),
    );
    for (const { container } of tabs) {
      const button = await within(container).findByRole("button", { name: "Try again" });
      act(() => button.click());
    }
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(2));
    const keys = service()
      .seen(startAgent)
      .map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toMatch(/^[!-~]{1,255}$/);
    expect(keys[1]).toBe(keys[0]);
  });

  it("says so where somebody else's turn came first", async () => {
    failed();
    service().override(startAgent, new Refusal("interaction_not_in_terminal_state"));
    const { user } = renderConsole(address);
    await user.click(await again());
    expect(await screen.findByText("The agent has already started another turn.")).toBeInTheDocument();
  });

  it("can be asked for again with the core alone", async () => {
    const parts = [{ type: "error", id: "error", error: "The model did not answer." }];
    service().override(
      agentStatus,
      aStatus({ state: "FAILED", error_message: "No.", messages: [asked, anAnswer(parts)] }),
    );
    service().override(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole(address, core);
    await user.click(await again());
    await waitFor(() => expect(service().seen(startAgent)).toHaveLength(1));
    expect(service().seen(startAgent)[0]?.body).toMatchObject({ message: "Which berths are free?" });
  });

  it("is not asked for again where its agent is gone", async () => {
    failed();
    service().state.agents = [];
    renderConsole(address);
    expect(await screen.findByRole("alert")).toHaveTextContent("Send another message to continue.");
    await waitFor(() => expect(screen.queryByRole("button", { name: "Try again" })).toBeNull());
  });
});
