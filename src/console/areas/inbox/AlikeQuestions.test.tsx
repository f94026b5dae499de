import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aFlowQuestion, aWaitingCall, bob, withQuestions } from "../../../testing/inbox.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();
const region = async (name: string) => within(await screen.findByRole("region", { name }));

const aRun = (id: string, inputs: Record<string, unknown>) => ({
  ...{ run_id: `run_${id}`, saved_item_id: "flow_berths", saved_item_name: "Assign berths", node: "ask" },
  ...{ readable: true, inputs },
});
const alike = () =>
  withQuestions(
    service(),
    aFlowQuestion({ id: "ask_1", run: aRun("1", { ship: "Halcyon", length: "20" }) }),
    aFlowQuestion({ id: "ask_2", run: aRun("2", { ship: "Halcyon", length: "35\n" }), started_by: bob }),
  );

it("the inbox tells questions of one flow apart by what their runs were given, and for whom they go", async () => {
  alike();
  renderConsole("/inbox");
  const rows = (await region("Waiting for you")).getAllByRole("listitem");
  expect(rows[0]).toHaveTextContent("Assign berths, Halcyon · 20");
  expect(rows[1]).toHaveTextContent("Assign berths for Bob Ross, Halcyon · 35");
});

it("a question says with which inputs its run goes", async () => {
  alike();
  renderConsole("/inbox/ask_2");
  const asked = await region("The question");
  expect(await asked.findByText("Halcyon · 35")).toBeInTheDocument();
});

it("the inbox says for whom an agent wants to call a tool, where that is another person", async () => {
  withQuestions(service(), aWaitingCall(), aWaitingCall({ id: "ask_bob", started_by: bob }));
  renderConsole("/inbox");
  const rows = (await region("Waiting for you")).getAllByRole("listitem");

  expect(rows[0]).not.toHaveTextContent("Clerk for");
  expect(rows[1]).toHaveTextContent("Clerk for Bob Ross");
});

it("the overview tells questions of one flow apart by what their runs were given", async () => {
  alike();
  renderConsole("/");
  const waiting = await region("Questions waiting for you");
  await waitFor(() => expect(waiting.getByText("Halcyon · 20")).toBeInTheDocument());
  expect(waiting.getByText("Halcyon · 35")).toBeInTheDocument();
});
