import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { answerInboxItem, type InboxItem } from "../../../contract/inbox.ts";
import { answered, aWaitingCall, mailTool, withQuestions } from "../../../testing/inbox.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const sent = () => service().seen(answerInboxItem);
const button = (name: string) => screen.findByRole("button", { name });

const plain = { help: null, required: false, default: null, min: null, max: null, whole: false, choices: [] };
/** What the server of a tool asks Ada. */
const asked = (part: Partial<InboxItem> = {}) =>
  aWaitingCall({
    ...{ id: "ask_server", kind: "server", title: "Which berth?", may_edit: false, tool: mailTool },
    form: {
      ...{ question: "Which berth? <b>Now</b>", details: null },
      fields: [
        { ...plain, name: "mail", type: "text", label: "Your address", required: true, format: "email" },
        {
          ...{ ...plain, name: "crew", type: "choices", label: "Crew", default: ["ann"], min: 1 },
          ...{ choices: ["ann", "bob"], choice_labels: ["Ann", "Bob"] },
        },
      ],
    },
    ...part,
  });

it("says which server asks from which host, in its own words as plain text, and sends what was filled in", async () => {
  withQuestions(service(), asked());
  const { user } = renderConsole("/inbox/ask_server");
  const question = within(await screen.findByRole("region", { name: "The question" }));
  expect(await question.findByText("Mail (mail.example)")).toBeInTheDocument();
  expect(question.getByText("Which berth? <b>Now</b>")).toBeInTheDocument();
  expect(question.getByText(/Don’t type a password/)).toBeInTheDocument();
  expect(question.getByText("Waiting for an answer")).toBeInTheDocument();
  await user.click(await button("Send answer"));
  expect(question.getByRole("textbox", { name: "Your address" })).toHaveFocus();
  await user.keyboard("ada");
  await user.click(await button("Send answer"));
  expect(question.getByText("This must be an email address.")).toBeInTheDocument();
  await user.type(question.getByRole("textbox", { name: "Your address" }), "@example.com");
  await user.click(question.getByRole("checkbox", { name: "Bob" }));
  await user.click(await button("Send answer"));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]?.body).toEqual({
    ...{ answer: "approve", values: { mail: "ada@example.com", crew: ["ann", "bob"] } },
  });
});

it("says of a choice of several what it takes, also to whoever listens", async () => {
  withQuestions(service(), asked());
  renderConsole("/inbox/ask_server");
  const crew = await screen.findByRole("group", { name: "Crew" });
  expect(crew).toHaveAccessibleDescription("At least 1 of them");
});

it("says that an answer did not count also where more was typed while it was on its way", async () => {
  withQuestions(service(), asked());
  const answer = service().holdBack(answerInboxItem, new Refusal("internal"));
  const { user } = renderConsole("/inbox/ask_server");
  const address = await screen.findByRole("textbox", { name: "Your address" });
  await user.type(address, "ada@example.com");
  await user.click(await button("Send answer"));
  await waitFor(() => expect(sent()).toHaveLength(1));
  await user.type(address, "pany");
  answer();
  await screen.findByText("Not answered");
  expect(address).toHaveValue("ada@example.company");
});

it("names the flow where a run has called the tool, and the way to the run", async () => {
  const run = {
    run_id: "run_1",
    saved_item_id: "flow_1",
    saved_item_name: "Nightly",
    node: "book",
    readable: true,
  };
  withQuestions(service(), asked({ run, agent: null, session: null, message_id: null, part_id: null }));
  renderConsole("/inbox/ask_server");
  const question = within(await screen.findByRole("region", { name: "The question" }));
  expect(await question.findByText(/The flow/)).toHaveTextContent(
    /^The server Mail \(mail\.example\) asks this\. The flow Nightly has called its tool send for .*, and the call waits\.$/,
  );
  expect(question.getByRole("link", { name: "Open the run" })).toHaveAttribute("href", "/runs/run_1");
  expect(question.getByText(/who started the run/)).toBeInTheDocument();
  expect(question.getByText(/The run gets the result/)).toBeInTheDocument();
});

it("says no more that the call waits once the server was answered", async () => {
  withQuestions(service(), answered(asked(), { answer: "approve" }));
  renderConsole("/inbox/ask_server");
  const question = within(await screen.findByRole("region", { name: "The question" }));
  expect(await question.findByText(/The server/)).toHaveTextContent(/asked this\. .* for you\.$/);
  expect(question.queryByText("Waiting for an answer")).toBeNull();
});

it.each([
  ["Decline", "refuse"],
  ["Leave", "leave"],
])("lets a person %s without filling in anything", async (name, answer) => {
  withQuestions(service(), asked());
  const { user } = renderConsole("/inbox/ask_server");
  await user.click(await button(name));
  await waitFor(() => expect(sent().map(({ body }) => body)).toEqual([{ answer }]));
});

it.each(["Leave", "Decline"])("shows on “%s” that it is on its way, and on no other button", async (name) => {
  withQuestions(service(), asked());
  service().holdBack(answerInboxItem, new Refusal("internal"));
  const { user } = renderConsole("/inbox/ask_server");
  await user.click(await button(name));
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(await button(name)).toHaveAttribute("aria-busy", "true");
  expect(screen.getAllByRole("button", { busy: true })).toHaveLength(1);
});

it("S-203: leads to a page by one click in a new tab, host first, and to nothing that could run", async () => {
  const link = { url: "https://bank.example/sign-in", host: "bank.example", is_foreign: true };
  const form = { question: "Sign in at the bank.", details: null, fields: [] };
  withQuestions(service(), asked({ link, form }));
  const { user, unmount } = renderConsole("/inbox/ask_server");
  const open = await screen.findByRole("link", { name: "Open bank.example in a new tab" });
  expect(open).toHaveAttribute("href", link.url);
  expect(open).toHaveAttribute("rel", "noopener noreferrer");
  expect(open).toHaveAttribute("target", "_blank");
  expect(screen.getByText(/not the server’s own host/)).toBeInTheDocument();
  await user.click(await button("I have done it"));
  await waitFor(() => expect(sent()[0]?.body).toEqual({ answer: "approve", values: {} }));
  unmount();
  withQuestions(service(), asked({ link: { ...link, url: "javascript:alert(1)" }, form }));
  renderConsole("/inbox/ask_server");
  await button("I have done it");
  expect(screen.queryByRole("link", { name: /in a new tab/ })).toBeNull();
});

it("says afterwards what was answered, in words of a question and not of an approval", async () => {
  withQuestions(service(), answered(asked(), { answer: "refuse" }));
  renderConsole("/inbox/ask_server");
  expect(await screen.findByText(/^Declined/)).toBeInTheDocument();
});
