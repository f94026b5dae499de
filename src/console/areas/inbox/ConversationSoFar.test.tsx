import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { getSession } from "../../../contract/sessions.ts";
import { aCall, anAnswer, aQuestion, aSession } from "../../../testing/conversations.ts";
import { aWaitingCall, withQuestions } from "../../../testing/inbox.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const region = async (name: string) => within(await screen.findByRole("region", { name }));
const button = (name: string) => screen.findByRole("button", { name });

test("shows what was said before the call, and only to who may read it", async () => {
  withQuestions(
    service(),
    aWaitingCall(),
    aWaitingCall({ id: "ask_foreign", session: { id: "int_1", name: null } }),
  );
  const text = { type: "text", id: "text-1", text: "I write to the harbour." };
  const call = { ...aCall("mail__send", "approval_required", {}, null), id: "tool-1-0" };
  const later = { type: "text", id: "text-2", text: "Said later." };
  service().override(
    getSession,
    aSession({
      messages: [aQuestion("Book a berth"), anAnswer([text, call, later], { id: "msg_2" })],
    }),
  );
  const { unmount } = renderConsole("/inbox/ask_mail");
  const sofar = await region("Conversation so far");
  expect(sofar.getByText("Book a berth")).toBeInTheDocument();
  expect(sofar.getByText("I write to the harbour.")).toBeInTheDocument();
  expect(sofar.queryByText("Said later.")).toBeNull();
  unmount();
  renderConsole("/inbox/ask_foreign");
  await button("Approve");
  expect(screen.queryByRole("region", { name: "Conversation so far" })).toBeNull();
});
