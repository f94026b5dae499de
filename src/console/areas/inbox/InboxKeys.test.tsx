import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { aWaitingCall, withQuestions } from "../../../testing/inbox.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

const service = mockServicePerTest();

it("the inbox goes on by j where one answered, not at the top", async () => {
  const ids = ["ask_first", "ask_second", "ask_third"];
  withQuestions(service(), ...ids.map((id) => aWaitingCall({ id })));
  const { user, router } = renderConsole("/inbox/ask_second");
  await user.click(await screen.findByRole("button", { name: "Approve" }));
  await screen.findByText("Approved");
  const waiting = within(await screen.findByRole("region", { name: "Waiting for you" }));
  await waitFor(() => expect(waiting.getAllByRole("link")).toHaveLength(2));
  await user.keyboard("j");
  await waitFor(() => expect(router.state.location.pathname).toBe("/inbox/ask_third"));
});
