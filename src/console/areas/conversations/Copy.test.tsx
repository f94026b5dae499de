import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { copyConversation } from "../../../contract/conversation-actions.ts";
import { getSession } from "../../../contract/sessions.ts";
import { anAnswer, aQuestion, aSession } from "../../../testing/conversations.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore } from "../../../testing/test-wheelhouse.ts";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const address = "/agents/agent_clerk/conversations/int_1";
const second = aQuestion("Book N4");
const messages = [aQuestion("Which berths are free?"), anAnswer("N4 and N9."), second, anAnswer("Booked.")];
const copies = () => service().seen(copyConversation);
const related = async () => within(await screen.findByRole("region", { name: "Related conversations" }));

/** Opens the question before the second message. */
async function ask(user: ReturnType<typeof renderConsole>["user"]) {
  const all = await screen.findAllByRole("button", { name: "Go on from here as a copy" });
  const last = all.at(-1);
  if (last) await user.click(last);
  return screen.findByRole("textbox", { name: "Message 2 of the copy" });
}

describe("going on as a copy", () => {
  it("shows what is taken over, sends the edited message once under one key, and leads to the copy", async () => {
    service().override(getSession, ({ params }) =>
      aSession({ id: params.session_id, messages: [...messages] }),
    );
    service().override(copyConversation, { interaction_id: "int_2", status: "processing" });
    service().override(copyConversation, new Refusal("internal"), { times: 1 });
    const { user, router } = renderConsole(address);
    const field = await ask(user);
    expect(field).toHaveValue("Book N4");
    expect(screen.getByText(/takes over the turn before this message/)).toBeInTheDocument();
    await user.clear(field);
    expect(await screen.findByRole("button", { name: "Start copy" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await user.type(field, "Book N9");
    await user.click(screen.getByRole("button", { name: "Start copy" }));
    await screen.findByText("The copy was not started");
    expect(field).toHaveValue("Book N9");
    await user.click(screen.getByRole("button", { name: "Start copy" }));
    await waitFor(() => expect(router.state.location.pathname).toMatch(/int_2$/));
    expect(copies().map(({ body, url }) => [url.pathname.split("/").slice(-3), body])).toEqual(
      [1, 2].map(() => [
        ["interactions", "int_1", "copy"],
        { before_message_id: second.id, message: "Book N9" },
      ]),
    );
    const keys = copies().map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toEqual(expect.any(String));
    expect(keys[1]).toBe(keys[0]);
  });

  it("leads nowhere once its dialog was closed, and closes no other one", async () => {
    service().override(getSession, ({ params }) =>
      aSession({ id: params.session_id, messages: [...messages] }),
    );
    const answer = service().holdBack(copyConversation, { interaction_id: "int_2", status: "processing" });
    const { user, router, wheelhouse } = renderConsole(address);
    await user.type(await ask(user), " for Ada");
    await user.click(screen.getByRole("button", { name: "Start copy" }));
    await user.keyboard("{Escape}");
    const [first] = await screen.findAllByRole("button", { name: "Go on from here as a copy" });
    if (first) await user.click(first);
    await user.type(await screen.findByRole("textbox", { name: "Message 1 of the copy" }), " Or not?");
    answer();
    await waitFor(() =>
      expect(wheelhouse.api.get()?.drafts.names("copy")).toEqual([`copy int_1 ${messages[0]?.id}`]),
    );
    expect(router.state.location.pathname).toBe(address);
    expect(screen.getByRole("textbox", { name: "Message 1 of the copy" })).toHaveValue(
      "Which berths are free? Or not?",
    );
  });

  it.each([
    ["typed on", " at noon", /Your message is still here/],
    ["closed it", "{Escape}", "The copy was not started"],
  ])("says that it was not started also to whoever %s meanwhile", async (_what, keys, words) => {
    service().override(getSession, ({ params }) =>
      aSession({ id: params.session_id, messages: [...messages] }),
    );
    const answer = service().holdBack(copyConversation, new Refusal("internal"));
    const { user } = renderConsole(address);
    const field = await ask(user);
    await user.click(screen.getByRole("button", { name: "Start copy" }));
    await waitFor(() => expect(copies()).toHaveLength(1));
    await user.type(field, keys);
    answer();
    await screen.findByText(words);
  });

  it("says before it is sent that a message is too long, and keeps it", async () => {
    service().override(getSession, aSession({ messages: [...messages] }));
    const { user } = renderConsole(address);
    const field = await ask(user);
    await user.clear(field);
    await user.paste("x".repeat(200_001));
    expect(screen.getByRole("alert")).toHaveTextContent("This message is too long by 1 character.");
    await user.click(screen.getByRole("button", { name: "Start copy" }));
    expect(field).toHaveValue("x".repeat(200_001));
    expect(copies()).toHaveLength(0);
  });

  it("keeps what was typed over a reload, and forgets what is as it was", async () => {
    service().override(getSession, aSession({ messages: [...messages] }));
    const store = memoryStore();
    const before = renderConsole(address, { browser: { store } });
    await before.user.type(await ask(before.user), " for Ada");
    before.unmount();
    const { user } = renderConsole(address, { browser: { store } });
    const field = await ask(user);
    await waitFor(() => expect(field).toHaveValue("Book N4 for Ada"));
  });

  it("names the original, as far as it can be read, and the copies", async () => {
    const session = { id: "int_0", agent_id: "agent_clerk", name: "Berths" };
    const copy = { id: "int_3", agent_id: "agent_clerk", name: "Another way", turns: 1 };
    service().override(
      getSession,
      aSession({
        copy_of: { turns: 2, session, message_id: "msg_5" },
        copies: [{ ...copy, created_at: "2026-11-20T08:15:00.000Z" }],
      }),
    );
    const { unmount } = renderConsole(address);
    expect((await related()).getByRole("link", { name: "Berths" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/conversations/int_0?part=msg_5.text",
    );
    expect((await related()).getByText(/from before turn 3; 2 turns taken over/)).toBeInTheDocument();
    expect((await related()).getByRole("link", { name: "Another way" })).toBeInTheDocument();
    unmount();
    service().override(getSession, aSession({ copy_of: { turns: 1, session: null, message_id: null } }));
    renderConsole(address);
    await (await related()).findByText(/deleted, or that you have no access to; 1 turn taken over/);
  });

  it("is not offered where the service has no copies", async () => {
    service().override(getSession, aSession({ messages: [...messages] }));
    renderConsole(address, { as: { known: { named: ["live_messages", "sessions"], tried: {} } } });
    await screen.findByText("Booked.");
    expect(screen.queryByRole("button", { name: "Go on from here as a copy" })).toBeNull();
  });
});
