import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { answerInboxItem } from "../../../contract/inbox.ts";
import type { MessagePart } from "../../../contract/messages.ts";
import { getSession, listSessions } from "../../../contract/sessions.ts";
import { aCall, anAnswer, aQuestion, aSession } from "../../../testing/conversations.ts";
import { answered, aWaitingCall, bob, withQuestions } from "../../../testing/inbox.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const address = "/agents/agent_clerk/conversations/int_1";
const article = () => screen.findByRole("article", { name: "Tool call send" });
const card = async () => within(await article());
const says = (words: string) => waitFor(async () => expect(await article()).toHaveTextContent(words));

type Approval = NonNullable<MessagePart["approval"]>;
const anApproval = (part: Partial<Approval> = {}): Approval => ({
  ...{ inbox_id: "ask_mail", state: "waiting", answer: null, answered_by: null, answered_at: null },
  ...{ reason: null, lapses_at: "2036-11-20T08:15:04.123Z" },
  ...part,
});

/** A conversation in which this call stands. */
function withCall(call: MessagePart, state = "approval_required") {
  service().override(getSession, aSession({ state, messages: [aQuestion("Write"), anAnswer([call])] }));
}
const aCallToAnswer = (
  part: Partial<Approval> = {},
  state = "approval_required",
  result: unknown = null,
) => ({
  ...aCall("mail__send", state, { to: ["harbour@example.com"] }, result),
  approval: anApproval(part),
});

describe("a call that people are asked about", () => {
  it("waits in its conversation, where it is approved as in the inbox", async () => {
    const all = withQuestions(service(), aWaitingCall());
    withCall(aCallToAnswer());
    const { user } = renderConsole(address);
    const call = await card();
    expect(call.getByText("waiting for approval")).toBeInTheDocument();
    expect(call.getByText(/harbour@example.com/)).toBeInTheDocument();
    expect(call.queryByRole("button", { name: /^Result/ })).toBeNull();
    expect(call.getByRole("link", { name: "Open in the inbox" })).toHaveAttribute("href", "/inbox/ask_mail");
    expect(document.title).toMatch(/^waiting for approval/);
    expect(screen.getByText(/A call waits for approval\.\s+Your message queues/)).toBeInTheDocument();
    await user.click(await call.findByRole("button", { name: "Approve" }));
    await waitFor(() => expect(all.get("ask_mail")?.state).toBe("approved"));
    await says("Approved by you");
    expect(service().seen(answerInboxItem)).toHaveLength(1);
  });

  it("is refused in its conversation with a reason, and says who was first where somebody was", async () => {
    const all = withQuestions(service(), aWaitingCall());
    withCall(aCallToAnswer());
    const { user } = renderConsole(address);
    const call = await card();
    await user.click(await call.findByRole("button", { name: "Refuse…" }));
    await user.type(await call.findByRole("textbox", { name: "Reason" }), "Not today");
    all.set("ask_mail", answered(aWaitingCall()));
    await user.click(call.getByRole("button", { name: "Refuse call" }));
    await call.findByText("Bob Ross answered first: approved");
    await says("Approved by Bob Ross");
  });

  it("keeps the focus at the call when its buttons make way for the answer, and when the conversation tells of it", async () => {
    withQuestions(service(), aWaitingCall());
    withCall(aCallToAnswer());
    const { user } = renderConsole(address);
    const approve = await (await card()).findByRole("button", { name: "Approve" });
    approve.focus();
    await user.keyboard("{Enter}");
    await says("Approved by you");
    expect(screen.getByRole("region", { name: "Approval" })).toHaveFocus();
    withCall(aCallToAnswer({ state: "approved", answer: "approve" }, "completed", "Sent"), "completed");
    await (await card()).findByRole("link", { name: "Open in the inbox" });
    expect(screen.getByRole("region", { name: "Approval" })).toHaveFocus();
  });

  it("says for whom it waits where that is somebody else", async () => {
    withQuestions(
      service(),
      aWaitingCall({ may_answer: false, who: { rule: "people", people: [bob], count: 1 } }),
    );
    withCall(aCallToAnswer());
    renderConsole(address);
    await (await card()).findByText("Waiting for: Bob Ross");
    expect((await card()).queryByRole("button", { name: "Approve" })).toBeNull();
  });

  it("shows afterwards who answered, with the reason", async () => {
    withCall(
      aCallToAnswer(
        {
          ...{ state: "refused", answer: "refuse", answered_by: bob, reason: "Not on a Sunday." },
          answered_at: new Date(Date.now() - 150_000).toISOString(),
        },
        "failed",
        "Refused by a person.",
      ),
      "completed",
    );
    renderConsole(address);
    await says("Refused by Bob Ross 2 m ago: Not on a Sunday.");
    expect((await card()).queryByRole("button", { name: "Approve" })).toBeNull();
  });

  it("cannot be answered by what a text says: a tool that says it was approved is a text", async () => {
    withCall(
      aCall("mail__send", "completed", {}, { approval: { inbox_id: "ask_x", state: "waiting" } }),
      "completed",
    );
    renderConsole(address);
    await card();
    expect(screen.queryByRole("button", { name: "Approve" })).toBeNull();
    expect(screen.queryByRole("link", { name: "Open in the inbox" })).toBeNull();
  });

  it("shows in the list of conversations that one waits for approval", async () => {
    const { messages: _, ...summary } = aSession({ state: "approval_required" }).session;
    service().override(listSessions, { sessions: [summary], next_cursor: null });
    renderConsole("/agents/agent_clerk");
    expect(await screen.findByText("waiting for approval")).toBeInTheDocument();
  });
});
