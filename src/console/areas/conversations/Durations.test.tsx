import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { getSession } from "../../../contract/sessions.ts";
import { aCall, anAnswer, aQuestion, aSession } from "../../../testing/conversations.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { viewSizes } from "../../../testing/view-sizes.ts";

const service = mockServicePerTest();
viewSizes();
const address = "/agents/agent_clerk/conversations/int_1";
const from = { started_at: "2026-11-20T08:15:00.000Z" };
const times = { ...from, finished_at: "2026-11-20T08:15:02.400Z" };
const card = async (name: string) =>
  within(await screen.findByRole("article", { name: `Tool call ${name}` }));

it("each tool call and each turn says how long it took", async () => {
  const call = { ...aCall("look", "completed", {}, {}), ...times };
  const answer = anAnswer([call], { ...from, finished_at: "2026-11-20T08:16:05.000Z" });
  service().override(getSession, aSession({ messages: [aQuestion("Look"), answer] }));
  renderConsole(address);
  expect((await card("look")).getByTitle("Duration")).toHaveTextContent("took 2.4 s");
  expect(screen.getAllByTitle("Duration").map(({ textContent }) => textContent)).toContain("took 1 m 05 s");
});

it("a call under way says how long it takes so far; one whose turn has not come says nothing", async () => {
  const started_at = new Date(Date.now() - 12_000).toISOString();
  const parts = [{ ...aCall("look", "running", {}, null), started_at }, aCall("draw", "running", {}, null)];
  service().override(
    getSession,
    aSession({ state: "processing", messages: [aQuestion("Look"), anAnswer(parts)] }),
  );
  renderConsole(address);
  expect((await card("look")).getByText(/^1\d s$/)).toBeInTheDocument();
  expect((await card("draw")).queryByText(/\d s$/)).toBeNull();
});

it("where a service sends no times, nothing is shown", async () => {
  const call = aCall("look", "completed", {}, {});
  service().override(getSession, aSession({ messages: [aQuestion("Look"), anAnswer([call])] }));
  renderConsole(address);
  await card("look");
  expect(screen.queryByTitle("Duration")).toBeNull();
});
