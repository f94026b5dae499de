import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answerInboxItem, countInbox, getInboxItem, listInbox } from "../../../contract/inbox.ts";
import { writeInto } from "../../../testing/agent-edits.ts";
import {
  aFlowQuestion,
  answered,
  aWaitingCall,
  bob,
  mailTool,
  withQuestions,
} from "../../../testing/inbox.ts";
import { anyJson, never } from "../../../testing/msw.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { onPhone } from "../../../testing/on-phone.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { memoryStore } from "../../../testing/test-wheelhouse.ts";

const service = mockServicePerTest();
const region = async (name: string) => within(await screen.findByRole("region", { name }));
const button = (name: string) => screen.findByRole("button", { name });
const sent = () => service().seen(answerInboxItem);

describe("the inbox", () => {
  it("puts what waits for this person before what waits for others, the oldest first", async () => {
    withQuestions(
      service(),
      aWaitingCall(),
      aWaitingCall({ id: "ask_other", agent: { id: "agent_x", name: "Scribe" }, may_answer: false }),
      aWaitingCall({ id: "ask_second", tool: { ...mailTool, name: "delete" } }),
    );
    renderConsole("/inbox");
    const mine = await region("Waiting for you");
    expect(mine.getAllByRole("link").map(({ textContent }) => textContent)).toEqual(["send", "delete"]);
    expect((await region("Waiting for others")).getByText("Scribe")).toBeInTheDocument();
    expect(document.title).toContain("2 wait for you");
  });

  it("counts what waits on later pages, too", async () => {
    withQuestions(service());
    service().override(listInbox, { items: [aWaitingCall()], next_cursor: "next" });
    service().override(countInbox, { waiting: 120, oldest_at: null });
    renderConsole("/inbox");
    await waitFor(() => expect(document.title).toContain("120 wait for you"));
    expect(screen.getByRole("link", { name: "Waiting 120" })).toBeInTheDocument();
  });

  it("keeps what was answered to be seen: by whom, after how long, and what ran", async () => {
    const question = aWaitingCall();
    withQuestions(
      service(),
      answered(question, { answer: "approve_edited", arguments_text: '{"to":[]}', reason: "Nobody." }),
    );
    const { user } = renderConsole("/inbox");
    await user.click(await screen.findByRole("link", { name: "Answered" }));
    await screen.findByText("approved with edits by Bob Ross after 1 m 00 s");
    expect(screen.getByText(question.arguments_preview)).toBeInTheDocument();
    await user.click(screen.getByRole("link", { name: "send" }));
    expect((await region("Arguments that ran")).getByText(/"to"/)).toBeInTheDocument();
    expect((await region("Edits to what the agent asked for")).getByText(/harbour/)).toBeInTheDocument();
    expect(screen.getByText("Nobody.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  });

  it("leads through the questions by j, k and Enter", async () => {
    withQuestions(service(), aWaitingCall(), aWaitingCall({ id: "ask_second" }));
    const { user, router } = renderConsole("/inbox");
    await region("Waiting for you");
    await user.keyboard("j");
    await waitFor(() => expect(router.state.location.pathname).toBe("/inbox/ask_mail"));
    await button("Approve");
    await user.keyboard("j");
    await waitFor(() => expect(router.state.location.pathname).toBe("/inbox/ask_second"));
    await button("Approve");
    await user.keyboard("k");
    await waitFor(() => expect(router.state.location.pathname).toBe("/inbox/ask_mail"));
    await user.keyboard("{Enter}");
    expect(screen.getByRole("region", { name: "The question" })).toHaveFocus();
  });

  it("shows a list or one question on a narrow screen, with the way back", async () => {
    withQuestions(service(), aWaitingCall());
    await onPhone(async () => {
      const { user, router } = renderConsole("/inbox/ask_mail");
      await button("Approve");
      expect(screen.queryByRole("region", { name: "Waiting for you" })).toBeNull();
      await user.click(screen.getByRole("link", { name: "All questions" }));
      await region("Waiting for you");
      expect(router.state.location.pathname).toBe("/inbox");
    });
  });

  it("says that nothing waits, that the inbox could not be read, and that a question is not there", async () => {
    withQuestions(service());
    const empty = renderConsole("/inbox");
    await screen.findByText("Nothing waits for an answer");
    empty.unmount();
    service().override(listInbox, new Refusal("internal"));
    const failing = renderConsole("/inbox");
    await screen.findByText("The inbox could not be loaded");
    failing.unmount();
    service().override(listInbox, never);
    const slow = renderConsole("/inbox");
    await screen.findByText("Loading inbox");
    slow.unmount();
    withQuestions(service());
    renderConsole("/inbox/ask_gone");
    await screen.findByText("Question not found, or you have no access");
  });

  it("says where a service has no inbox, and asks it for none", async () => {
    renderConsole("/inbox", { as: { known: { named: ["runs"], tried: {} } } });
    await screen.findByText("This service has no inbox");
    expect(service().seen(listInbox)).toHaveLength(0);
    expect(service().seen(countInbox)).toHaveLength(0);
  });

  it("C-01: lives with nulls and broken rows", async () => {
    service().override(listInbox, anyJson({ items: [null, { id: "ask_bare", tool: null, state: null }, 7] }));
    service().override(getInboxItem, anyJson({ item: { id: "ask_bare", state: "marinating", who: null } }));
    const { user } = renderConsole("/inbox");
    await user.click(await screen.findByRole("link", { name: "Unnamed tool" }));
    await screen.findByText("marinating");
  });
});

describe("a question that waits", () => {
  it("shows all that it takes to decide: exact arguments, the difference to last time, the tool's words, who may answer", async () => {
    withQuestions(
      service(),
      aWaitingCall({
        arguments_text: '{"id":12345678901234567890,"to":["b@example.com"]}',
        last_approved: {
          item_id: "ask_0",
          at: "2026-11-19T08:16:04.123Z",
          by: bob,
          arguments_text: '{"id":12345678901234567890,"to":["a@example.com"]}',
        },
        who: { rule: "operators", people: [bob], count: 4 },
        team: { id: "team_harbor", name: "Harbor" },
      }),
    );
    renderConsole("/inbox/ask_mail");
    expect((await region("Arguments")).getByText("12345678901234567890")).toBeInTheDocument();
    const diff = await screen.findByRole("region", { name: "Difference from the arguments approved last" });
    expect(diff).toHaveTextContent("a@example.com");
    expect(diff).toHaveTextContent("b@example.com");
    const words = await region("What the tool says it does");
    expect(words.getByText("Sends a letter.")).toBeInTheDocument();
    expect(words.getByText(/no one has checked them/)).toBeInTheDocument();
    expect(
      (await region("Who may answer")).getByText("Operators of Harbor: Bob Ross and 3 others."),
    ).toBeInTheDocument();
    expect(screen.getByText(/Mail \(mail.example\)/)).toBeInTheDocument();
    expect(screen.getByRole("link", { name: "Which berths are free?" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/conversations/int_1?part=msg_2.tool-1-0",
    );
  });

  it("says of a tool of the service itself that it is built in", async () => {
    withQuestions(service(), aWaitingCall({ tool: { ...mailTool, name: "write_file", server: null } }));
    renderConsole("/inbox/ask_mail");
    const sentence = await screen.findByText(/wants to call/);
    expect(sentence).toHaveTextContent(/wants to call the built-in tool write_file( for|\.)/);
  });

  it("C-38: is approved once, however often it is clicked, and says so at once", async () => {
    withQuestions(service(), aWaitingCall());
    const { user } = renderConsole("/inbox/ask_mail");
    await user.dblClick(await button("Approve"));
    await screen.findByText("Approved");
    expect(sent().map(({ body }) => body)).toEqual([{ answer: "approve" }]);
    await screen.findByText("Nothing waits for an answer");
  });

  it("is approved by the keyboard, never by one key alone", async () => {
    withQuestions(service(), aWaitingCall());
    const { user } = renderConsole("/inbox/ask_mail");
    const approve = await button("Approve");
    await user.keyboard("a");
    expect(approve).toHaveFocus();
    expect(sent()).toHaveLength(0);
    await user.keyboard("{Enter}");
    await screen.findByText("Approved");
  });

  it("is refused with a reason that the agent gets", async () => {
    withQuestions(service(), aWaitingCall());
    const { user } = renderConsole("/inbox/ask_mail");
    await button("Approve");
    await user.keyboard("r");
    const reason = await screen.findByRole("textbox", { name: "Reason" });
    await waitFor(() => expect(reason).toHaveFocus());
    await user.keyboard("Not on a Sunday.");
    await user.click(await button("Refuse call"));
    await screen.findByText("Refused");
    expect(sent()[0]?.body).toEqual({ answer: "refuse", reason: "Not on a Sunday." });
  });

  it("never says of an answer that counts that it was not sent", async () => {
    withQuestions(service(), aWaitingCall());
    const { user } = renderConsole("/inbox/ask_mail");
    await button("Approve");
    await user.keyboard("r");
    await user.type(await screen.findByRole("textbox", { name: "Reason" }), "Not on a Sunday.");
    // What is read after the answer is still on its way.
    service().override(getInboxItem, never);
    await user.click(await button("Refuse call"));
    await screen.findByText("Refused");
    expect(screen.queryByText("What you typed was not sent")).toBeNull();
  });

  it("is approved with edited arguments, and says under them what does not fit the tool", async () => {
    withQuestions(service(), aWaitingCall());
    const { user } = renderConsole("/inbox/ask_mail");
    await button("Approve");
    await user.keyboard("e");
    await writeInto("Arguments as JSON", '{"to": 1');
    await screen.findByText(/Line 1, column 9: unexpected end/);
    expect(await button("Approve with edits")).toHaveAttribute("aria-disabled", "true");
    await writeInto("Arguments as JSON", '{"to": 1}');
    expect(await screen.findByRole("region", { name: "Your edits" })).toHaveTextContent('"to": 1');
    service().override(
      answerInboxItem,
      new Refusal("invalid_body", {
        param: "arguments_text.to",
        message: "arguments_text.to must be a list.",
      }),
      { times: 1 },
    );
    await user.click(await button("Approve with edits"));
    await screen.findByText("to must be a list.");
    await writeInto("Arguments as JSON", '{"to": []}');
    expect(screen.queryByText("to must be a list.")).toBeNull();
    await user.click(await button("Approve with edits"));
    await screen.findByText(/^Approved with edits/);
    expect(sent().at(-1)?.body).toEqual({ answer: "approve_edited", arguments_text: '{"to": []}' });
  });

  it("keeps the reason and the edited arguments over a reload", async () => {
    withQuestions(service(), aWaitingCall());
    const store = memoryStore();
    const before = renderConsole("/inbox/ask_mail", { browser: { store } });
    await button("Approve");
    await before.user.keyboard("e");
    await writeInto("Arguments as JSON", '{"to": ["me"]}');
    await before.user.click(await button("Back"));
    await before.user.click(await button("Refuse…"));
    await before.user.type(await screen.findByRole("textbox", { name: "Reason" }), "Too early");
    before.unmount();
    const { user } = renderConsole("/inbox/ask_mail", { browser: { store } });
    expect(await screen.findByRole("textbox", { name: "Reason" })).toHaveValue("Too early");
    await user.click(await button("Back"));
    await user.click(await button("Go on editing…"));
    expect((await region("Your edits")).getByText(/me/)).toBeInTheDocument();
  });

  it.each([
    [
      "already_answered",
      { details: { answer: answered(aWaitingCall()).answer } },
      "Bob Ross answered first: approved",
    ],
    ["approval_lapsed", {}, "Too late: the time limit has passed"],
    ["approval_withdrawn", {}, "No one waits for this answer any more"],
    ["tool_definition_changed", {}, "The tool has changed since the agent asked"],
    ["forbidden", {}, "You may not answer this"],
  ] as const)("says in words why an answer did not count: %s", async (code, facts, words) => {
    withQuestions(service(), aWaitingCall());
    service().override(answerInboxItem, new Refusal(code, facts));
    const { user } = renderConsole("/inbox/ask_mail");
    await user.click(await button("Approve"));
    expect(within(await screen.findByRole("alert")).getByText(words)).toBeInTheDocument();
  });

  it("shows who was first, and keeps what was typed and not sent", async () => {
    const all = withQuestions(service(), aWaitingCall());
    const { user } = renderConsole("/inbox/ask_mail");
    await user.click(await button("Refuse…"));
    await user.type(await screen.findByRole("textbox", { name: "Reason" }), "My reason");
    all.set("ask_mail", answered(aWaitingCall()));
    await user.click(await button("Refuse call"));
    await screen.findByText("Bob Ross answered first: approved");
    await screen.findByText("What you typed was not sent");
    expect(screen.getByText("My reason")).toBeInTheDocument();
    await user.click(await button("Discard"));
    await waitFor(() => expect(screen.queryByText("My reason")).toBeNull());
  });

  it("says why it waits no more, and that another question stands in its place", async () => {
    withQuestions(
      service(),
      aWaitingCall({ id: "ask_lapsed", state: "lapsed", ended_at: "2026-11-20T08:15:04.123Z" }),
      aWaitingCall({ id: "ask_withdrawn", state: "withdrawn", ended_at: "2026-11-20T08:15:04.123Z" }),
      aWaitingCall({ id: "ask_changed", state: "tool_changed", ended_at: "2026-11-20T08:15:04.123Z" }),
      aWaitingCall({ id: "ask_again", asked_again_for: "ask_changed" }),
    );
    for (const [id, words] of [
      ["ask_lapsed", /No one answered in time/],
      ["ask_withdrawn", /ended or was stopped/],
      ["ask_changed", /The tool changed after the agent asked/],
      ["ask_again", /has changed since it was asked about before/],
    ] as const) {
      const { unmount } = renderConsole(`/inbox/${id}`);
      await screen.findByText(words);
      unmount();
    }
  });

  it("lets nobody answer who may only see it", async () => {
    withQuestions(service(), aWaitingCall({ may_answer: false, may_edit: false }));
    renderConsole("/inbox/ask_mail");
    await screen.findByText(/you can see this, but not answer it/);
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
  });

  it("C-08: writes characters that cannot be seen as what they are", async () => {
    withQuestions(service(), aWaitingCall({ arguments_text: JSON.stringify({ file: "gpj\u202e.exe" }) }));
    renderConsole("/inbox/ask_mail");
    expect((await region("Arguments")).getByText(/gpj\\u202e\.exe/)).toBeInTheDocument();
  });
});

describe("what a flow asks", () => {
  it("is shown with its form, and approved with what was filled in", async () => {
    withQuestions(service(), aFlowQuestion());
    const { user } = renderConsole("/inbox/ask_berth");
    await screen.findByRole("heading", { name: "Give the berth to the Halcyon?" });
    expect(screen.getByText(/The flow/)).toHaveTextContent(
      "The flow Assign berths asks this before it goes on, for you.",
    );
    expect(screen.getByRole("link", { name: "Open the run" })).toHaveAttribute("href", "/runs/run_berths");
    expect(screen.getByText("She is 80 m long.")).toBeInTheDocument();
    expect(screen.queryByRole("button", { name: "Edit…" })).not.toBeInTheDocument();
    // Nothing is sent that the form does not take; the field says so.
    await user.click(await button("Approve"));
    expect(await screen.findByText("This is required.")).toBeInTheDocument();
    const nights = screen.getByRole("textbox", { name: "Nights" });
    expect(nights).toHaveFocus();
    await user.type(nights, "2.5");
    expect(await screen.findByText("This must be a whole number.")).toBeInTheDocument();
    expect(sent()).toEqual([]);
    await user.clear(nights);
    await user.type(nights, "3");
    await user.selectOptions(screen.getByRole("combobox", { name: "Berth" }), "South");
    await user.click(await button("Approve"));
    await waitFor(() =>
      expect(sent().map(({ body }) => body)).toEqual([
        { answer: "approve", values: { nights: 3, berth: "South" } },
      ]),
    );
    const filledIn = await region("Filled in");
    expect(filledIn.getByText("3")).toBeInTheDocument();
    expect(filledIn.getByText("South")).toBeInTheDocument();
  });

  it("is refused with a reason, and sends no values", async () => {
    withQuestions(service(), aFlowQuestion());
    const { user } = renderConsole("/inbox/ask_berth");
    await user.click(await button("Refuse…"));
    await user.type(await screen.findByRole("textbox", { name: "Reason" }), "Full.");
    await user.click(await button("Refuse"));
    await waitFor(() =>
      expect(sent().map(({ body }) => body)).toEqual([{ answer: "refuse", reason: "Full." }]),
    );
  });

  it("says at the field what the service refuses, and who was first to whoever is late", async () => {
    withQuestions(service(), aFlowQuestion());
    service().override(
      answerInboxItem,
      () =>
        new Refusal("invalid_body", { message: "values.nights must be at most 2.", param: "values.nights" }),
    );
    const { user } = renderConsole("/inbox/ask_berth");
    await user.type(await screen.findByRole("textbox", { name: "Nights" }), "3");
    await user.click(await button("Approve"));
    expect(await screen.findByText("This must be at most 2.")).toBeInTheDocument();
    const first = answered(aFlowQuestion()).answer;
    service().override(
      answerInboxItem,
      () => new Refusal("already_answered", { details: { answer: first, state: "approved" } }),
    );
    await user.click(await button("Approve"));
    expect(await screen.findByText("Bob Ross answered first: approved")).toBeInTheDocument();
  });

  it("is in the list with its question and its flow", async () => {
    withQuestions(service(), aFlowQuestion());
    renderConsole("/inbox");
    const mine = await region("Waiting for you");
    expect(mine.getByRole("link", { name: "Give the berth to the Halcyon?" })).toBeInTheDocument();
    expect(mine.getByText("Assign berths")).toBeInTheDocument();
    expect(mine.getByText("asked by ask")).toBeInTheDocument();
  });
});
