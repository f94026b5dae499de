import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, test } from "vitest";
import { startAgent } from "../../../contract/interactions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { aSession } from "../../../testing/conversations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore, signedInWheelhouse, slowStore, tabChannels } from "../../../testing/test-wheelhouse.ts";
import { viewSizes } from "../../../testing/view-sizes.ts";
import { Outbox } from "./outbox.ts";

const service = mockServicePerTest();
viewSizes();
const address = "/agents/agent_clerk/conversations/int_1";
const working = () => service().override(getSession, aSession({ state: "processing" }));
const ended = () => service().override(getSession, aSession());
const sent = () => service().seen(startAgent);

/** The tabs of one browser. */
function aBrowser() {
  const store = memoryStore();
  const openChannel = tabChannels();
  return { store, tab: () => ({ browser: { store, draftChannel: openChannel() } }) };
}

/** Queues a message from a page, while the agent works. */
async function queueIn({ user, container }: ReturnType<typeof renderConsole>, text: string) {
  const page = within(container);
  await user.type(await page.findByRole("textbox", { name: "Message Clerk" }), `${text}{Enter}`);
  await page.findByText("sends when the turn ends");
}

const goesOut = async (message: string) => {
  await waitFor(() => expect(sent()).toHaveLength(1), { timeout: 5_000 });
  expect(sent()[0]?.body).toMatchObject({ gummie_id: "agent_clerk", interaction_id: "int_1", message });
};

test("an outbox with nothing in it opens without a word, so that no page is drawn again for it", () => {
  const { drafts, clock } = signedInWheelhouse().api;
  const outbox = new Outbox(drafts, clock.now);
  const before = outbox.waiting.get();
  outbox.open();
  expect(outbox.waiting.get()).toBe(before);
});

describe("a message that waits for the end of the turn", () => {
  const takes = () =>
    service().override(startAgent, () => {
      working();
      return { interaction_id: "int_1", status: "processing" };
    });

  it("is sent when the turn ends though its page was left", async () => {
    working();
    takes();
    const page = renderConsole(address);
    await queueIn(page, "Then this");
    await page.router.navigate({ to: "/artifacts" });
    await waitFor(() => expect(screen.queryByRole("textbox", { name: "Message Clerk" })).toBeNull());
    ended();
    await goesOut("Then this");
    await waitFor(() => expect(page.wheelhouse.api.get()?.drafts.names("outbox ")).toEqual([]));
  });

  it("is sent by whatever page is opened next, where its tab was closed", async () => {
    const { tab } = aBrowser();
    working();
    takes();
    const page = renderConsole(address, tab());
    await queueIn(page, "Then this");
    page.unmount();
    page.wheelhouse.close();
    ended();
    renderConsole("/artifacts", tab());
    await goesOut("Then this");
  });

  it("is sent once where the console is open in several tabs", async () => {
    const { tab } = aBrowser();
    working();
    takes();
    const one = renderConsole(address, tab());
    await queueIn(one, "Then this");
    const others = [renderConsole(address, tab()), renderConsole("/artifacts", tab())];
    await within(others[0]?.container ?? document.body).findByText("sends when the turn ends");
    ended();
    await goesOut("Then this");
    for (const { wheelhouse } of [one, ...others])
      await waitFor(() => expect(wheelhouse.api.get()?.drafts.names("outbox ")).toEqual([]));
    expect(sent()).toHaveLength(1);
  });

  it("says where it was not taken, on every page, and goes when its writer says so", async () => {
    working();
    service().override(startAgent, new Refusal("forbidden"), { times: 1 });
    const page = renderConsole(address);
    await queueIn(page, "Then this");
    await page.router.navigate({ to: "/artifacts" });
    ended();
    await screen.findByText(/needs you: it was not accepted/);
    expect(sent()).toHaveLength(1);
    await page.user.click(screen.getByRole("link", { name: "Open conversation" }));
    const waiting = within(await screen.findByRole("list", { name: "Queued messages" }));
    expect(waiting.getByRole("alert")).toHaveTextContent("Message not sent");
    takes();
    await page.user.click(waiting.getByRole("button", { name: "Send now" }));
    await waitFor(() => expect(sent()).toHaveLength(2));
    expect(sent()[1]?.headers.get("idempotency-key")).toBe(sent()[0]?.headers.get("idempotency-key"));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Queued messages" })).toBeNull());
  });

  it.each([
    ["its tab was closed on the way, so that it may have been sent", { sending: { by: "gone", at: 1 } }],
    ["it is more than a day old", { at: 1 }],
  ])("is offered and not sent by itself where %s", async (_why, part) => {
    const { store, tab } = aBrowser();
    ended();
    const { api } = signedInWheelhouse({}, { store });
    const queued = {
      id: "m1",
      text: "Then this",
      at: Date.now(),
      agentId: "agent_clerk",
      agentName: "Clerk",
    };
    await api.drafts.set("outbox int_1", [{ ...queued, ...part }]);
    const { user } = renderConsole("/artifacts", tab());
    await screen.findByText(/needs you: it/);
    await user.click(screen.getByRole("link", { name: "Open conversation" }));
    const waiting = within(await screen.findByRole("list", { name: "Queued messages" }));
    expect(sent()).toHaveLength(0);
    await user.click(waiting.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "Queued messages" })).toBeNull());
  });

  it("is taken back into the field to be edited, before what is typed there", async () => {
    working();
    const page = renderConsole(address);
    await queueIn(page, "Then this");
    const field = screen.getByRole("textbox", { name: "Message Clerk" });
    await page.user.type(field, "And that");
    await page.user.click(screen.getByRole("button", { name: "Edit" }));
    await waitFor(() => expect(field).toHaveValue("Then this\n\nAnd that"));
    expect(screen.queryByRole("list", { name: "Queued messages" })).toBeNull();
  });

  it.each(["Edit", "Cancel"])(
    "C-29: is shown as on its way where %s comes when another tab has begun to send it",
    async (name) => {
      const { store, tab } = aBrowser();
      working();
      const page = renderConsole(address, tab());
      await queueIn(page, "Then this");
      // Of a tab that has not told this one yet.
      const other = signedInWheelhouse({}, { store }).api;
      await other.drafts.load();
      const outbox = new Outbox(other.drafts, other.clock.now);
      expect(await outbox.claim("int_1", outbox.of("int_1")[0]?.id ?? "")).toBe(true);
      await page.user.click(screen.getByRole("button", { name }));
      await screen.findByText("sending");
      expect(screen.getByRole("textbox", { name: "Message Clerk" })).toHaveValue("");
    },
  );
});

describe("the draft of a message", () => {
  it("comes to what was typed before the browser's store had answered", async () => {
    ended();
    const store = memoryStore();
    await signedInWheelhouse({}, { store }).api.drafts.set("message int_1", "Begun yesterday");
    const slow = slowStore(store);
    const { user, wheelhouse } = renderConsole(address, { browser: { store: slow.store } });
    const field = await screen.findByRole("textbox", { name: "Message Clerk" });
    await user.type(field, "And today");
    slow.release();
    await waitFor(() => expect(field).toHaveValue("Begun yesterday\n\nAnd today"));
    await waitFor(() =>
      expect(wheelhouse.api.get()?.drafts.get("message int_1")).toBe("Begun yesterday\n\nAnd today"),
    );
  });

  it("stays where another tab typed it while this one was sending", async () => {
    const { tab } = aBrowser();
    ended();
    const release = service().holdBack(startAgent, { interaction_id: "int_1", status: "processing" });
    const { user } = renderConsole(address, tab());
    const field = await screen.findByRole("textbox", { name: "Message Clerk" });
    await user.type(field, "Hello{Enter}");
    await waitFor(() => expect(sent()).toHaveLength(1));
    const other = signedInWheelhouse({}, tab().browser).api;
    await other.drafts.load();
    await other.drafts.set("message int_1", "Something else");
    release();
    await waitFor(() => expect(field).toHaveValue(""));
    await other.drafts.refresh("message int_1");
    expect(other.drafts.get("message int_1")).toBe("Something else");
  });
});
