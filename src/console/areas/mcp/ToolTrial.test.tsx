import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { callMcpTool, listMcpServers, listMcpTools, type McpTrialAsks } from "../../../contract/mcp.ts";
import { anMcpServer } from "../../../testing/builders.ts";
import { Refusal } from "../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

const plain = { help: null, required: true, default: null, min: null, max: null, whole: false, choices: [] };
const berth = {
  ...{ id: "berth", digest: "d1", question: "Which berth?", link: null, refusal: null },
  fields: [{ ...plain, name: "berth", type: "number" as const, label: "Berth" }],
};
const terms = {
  ...{ id: "terms", digest: "d2", question: "Agree to the terms", fields: [], refusal: null },
  link: { url: "https://terms.example.test/x", host: "terms.example.test", is_foreign: true },
};
const secret = {
  ...{ id: "key", digest: "d3", question: "", fields: [], link: null, refusal: "asks for a secret" },
};
const answer = { content: [{ type: "text", text: "Booked" }], is_error: false, duration_ms: 12 };
const asking = (asks: McpTrialAsks) => ({ content: [], is_error: false, duration_ms: 3, asks });
const sent = () =>
  service()
    .seen(callMcpTool)
    .map(({ body }) => body);

/** Opens the tool, and calls it. */
async function tryIt() {
  service().override(listMcpServers, { servers: [anMcpServer()] });
  const tool = {
    tool_call_id: "almanac__book",
    name: "book",
    description: "Books a berth",
    input_schema: {},
  };
  service().override(listMcpTools, { tools: [tool] });
  const { user } = renderConsole("/mcp?server=almanac");
  const panel = within(await screen.findByRole("region", { name: "The selected server" }));
  await user.click(await panel.findByRole("button", { name: /book/ }));
  await user.click(panel.getByRole("button", { name: "Try it…" }));
  expect(panel.getByRole("textbox", { name: "Arguments" })).toHaveFocus();
  const call = () => user.click(panel.getByRole("button", { name: "Call tool as you" }));
  await call();
  const question = async () => within(await panel.findByRole("region", { name: "The server asks" }));
  return { user, panel, call, question };
}

it("says of a call without an answer that the call failed", async () => {
  service().override(callMcpTool, Response.error());
  const { panel } = await tryIt();
  expect(await panel.findByRole("alert")).toHaveTextContent("The tool call failed");
  expect(panel.queryByText(/The response could not be loaded/)).toBeNull();
});

it("shows what the server asks in the place of the answer, question by question, and calls again with the answers", async () => {
  service().override(callMcpTool, ({ body }) =>
    body.answered ? answer : asking({ state: "s1", questions: [berth, terms] }),
  );
  const { user, panel, question } = await tryIt();
  const first = await question();
  expect(first.getByText("Which berth?")).toBeInTheDocument();
  expect(first.getByText(/Don’t type a password/)).toBeInTheDocument();
  await user.click(first.getByRole("button", { name: "Send answer" }));
  expect(first.getByRole("textbox", { name: "Berth" })).toHaveFocus();
  await user.keyboard("7{Enter}");
  const second = await question();
  expect(await second.findByText("Agree to the terms")).toBeInTheDocument();
  expect(second.getByText(/which is not the server’s own host/)).toBeInTheDocument();
  expect(sent()).toHaveLength(1);
  await user.click(second.getByRole("button", { name: "I have done it" }));
  expect(await panel.findByText("Booked")).toBeInTheDocument();
  expect(panel.queryByRole("region", { name: "The server asks" })).toBeNull();
  const answers = [
    { id: "berth", digest: "d1", answer: "approve", values: { berth: 7 } },
    { id: "terms", digest: "d2", answer: "approve", values: null },
  ];
  expect(sent()[1]).toEqual({ arguments: {}, answered: [{ state: "s1", answers }] });
});

it.each([
  ["Decline", "refuse"],
  ["Leave", "leave"],
] as const)("%s tells the server that no one answered the form", async (name, given) => {
  service().override(callMcpTool, ({ body }) =>
    body.answered ? answer : asking({ state: null, questions: [berth] }),
  );
  const { user, panel, question } = await tryIt();
  await user.click((await question()).getByRole("button", { name }));
  expect(await panel.findByText("Booked")).toBeInTheDocument();
  const answers = [{ id: "berth", digest: "d1", answer: given, values: null }];
  expect(sent()[1]).toEqual({ arguments: {}, answered: [{ state: null, answers }] });
});

it("says why a question is shown to no one, which can only be declined", async () => {
  service().override(callMcpTool, ({ body }) =>
    body.answered ? answer : asking({ state: null, questions: [secret] }),
  );
  const { user, panel, question } = await tryIt();
  const shown = await question();
  expect(shown.getByText("Almanac asks for a secret")).toBeInTheDocument();
  expect(shown.queryByRole("textbox")).toBeNull();
  await user.click(shown.getByRole("button", { name: "Decline and go on" }));
  expect(await panel.findByText("Booked")).toBeInTheDocument();
});

it("declines what is shown to no one together with what is asked, and asks for no click of its own for it", async () => {
  service().override(callMcpTool, ({ body }) =>
    body.answered ? answer : asking({ state: null, questions: [secret, berth, { ...secret, id: "pin" }] }),
  );
  const { user, panel, question } = await tryIt();
  await user.type((await question()).getByRole("textbox", { name: "Berth" }), "7{Enter}");
  expect(await panel.findByText("Booked")).toBeInTheDocument();
  const answers = [
    { id: "berth", digest: "d1", answer: "approve", values: { berth: 7 } },
    { id: "key", digest: "d3", answer: "refuse", values: null },
    { id: "pin", digest: "d3", answer: "refuse", values: null },
  ];
  expect(sent()[1]).toEqual({ arguments: {}, answered: [{ state: null, answers }] });
});

it.each([
  [[secret, berth], "One more question is declined automatically: Almanac asks for a secret."],
  [
    [
      secret,
      berth,
      { ...secret, id: "pin" },
      { ...secret, id: "much", refusal: "asks for too much at once" },
    ],
    "3 more questions are declined automatically: Almanac asks for a secret and asks for too much at once.",
  ],
  [
    [secret, { ...secret, id: "pin" }],
    "One more question is declined automatically: Almanac asks for a secret.",
  ],
])("says what is declined together with what is asked (%#)", async (questions, words) => {
  service().override(callMcpTool, asking({ state: null, questions }));
  const { question } = await tryIt();
  await question();
  expect(screen.getByRole("region", { name: "The server asks" })).toHaveTextContent(words);
});

it("says nothing of others where all that is asked is shown", async () => {
  service().override(callMcpTool, asking({ state: null, questions: [berth, terms] }));
  const { question } = await tryIt();
  expect((await question()).queryByText(/declined/)).toBeNull();
});

it("keeps what was typed where the answer does not reach the service, and begins anew with another call", async () => {
  let isDown = false;
  service().override(callMcpTool, () =>
    isDown
      ? new Refusal("tool_call_failed", { message: "The server does not answer." })
      : asking({ state: "s1", questions: [berth] }),
  );
  const { user, panel, call, question } = await tryIt();
  await user.type((await question()).getByRole("textbox", { name: "Berth" }), "7");
  isDown = true;
  await user.click((await question()).getByRole("button", { name: "Send answer" }));
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(await panel.findByText(/The server does not answer/)).toBeInTheDocument();
  expect((await question()).getByRole("textbox", { name: "Berth" })).toHaveValue("7");
  isDown = false;
  await call();
  await waitFor(() => expect(sent()[2]).toEqual({ arguments: {} }));
  expect((await question()).getByRole("textbox", { name: "Berth" })).toHaveValue("");
});
