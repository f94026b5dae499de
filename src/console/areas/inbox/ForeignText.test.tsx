import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aFlowQuestion, withQuestions } from "../../../testing/inbox.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

const withDetails = (details: string) =>
  withQuestions(service(), aFlowQuestion({ form: { question: "Pay?", details, fields: [] } }));
const details = async () => within(await screen.findByRole("region", { name: "Details" }));

it("C-08: the details of a question show a mark where they would turn what follows", async () => {
  withDetails("Pay \u202E001\u202C to Halcyon, \u2067then 20\u2069 more");
  renderConsole("/inbox/ask_berth");
  expect(
    (await details()).getByText("Pay ⟨U+202E⟩001⟨U+202C⟩ to Halcyon, ⟨U+2067⟩then 20⟨U+2069⟩ more"),
  ).toBeInTheDocument();
});

it("C-08: details in Hebrew are shown as they were written", async () => {
  withDetails("המחיר\u200F 100!");
  renderConsole("/inbox/ask_berth");
  expect((await details()).getByText("המחיר\u200F 100!")).toBeInTheDocument();
});
