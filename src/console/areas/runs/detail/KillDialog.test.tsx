import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { getRunDetails, killPipeline } from "../../../../contract/run.ts";
import { aRun, someRunDetails } from "../../../../testing/builders.ts";
import { never } from "../../../../testing/msw.ts";
import { Refusal } from "../../../../testing/msw-state.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";

const service = mockServicePerTest();
const ended = { state: "TERMINATED", finished_ts: "2026-11-20T08:16:00.000+00:00" };

/** Asks to stop the run, and is asked back. */
async function stopIt() {
  service().state.runs = [aRun()];
  service().override(getRunDetails, someRunDetails());
  const { user } = renderConsole("/runs/run_hello");
  await user.click(await screen.findByRole("button", { name: "Stop run" }));
  const dialog = await screen.findByRole("dialog", { name: /Stop this run of Say hello/ });
  return (name = "Stop run") => user.click(within(dialog).getByRole("button", { name }));
}

it("says that it stopped, and nothing that is wrong, where the run is seen to have ended before all else is read again", async () => {
  const stop = await stopIt();
  service().override(killPipeline, () => {
    Object.assign(service().state.runs[0] ?? {}, ended);
    service().override(getRunDetails, never);
    return { success: true, run_id: "run_hello" };
  });
  await stop();
  expect(await screen.findByText("Run stopped")).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("says in the message that a run stopped, once its page shows that it has", async () => {
  const stop = await stopIt();
  service().override(killPipeline, () => ({ success: true, run_id: "run_hello" }));
  await stop();
  await screen.findByText("Stop requested");
  Object.assign(service().state.runs[0] ?? {}, ended);
  service().override(getRunDetails, someRunDetails(ended));
  expect(await screen.findByText("Run stopped")).toBeInTheDocument();
  expect(screen.queryByText("Stop requested")).toBeNull();
});

it("says what came of it also where the run ended by itself and the dialog is gone", async () => {
  const stop = await stopIt();
  const answer = service().holdBack(killPipeline, { success: false, run_id: "run_hello" });
  await stop();
  Object.assign(service().state.runs[0] ?? {}, ended);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  answer();
  expect(await screen.findByText("The run had already ended")).toBeInTheDocument();
});

it("says that it was not stopped also to whoever cancelled while the request was on its way", async () => {
  const press = await stopIt();
  const answer = service().holdBack(killPipeline, new Refusal("forbidden"));
  await press();
  await waitFor(() => expect(service().seen(killPipeline)).toHaveLength(1));
  await press("Cancel");
  answer();
  expect(await screen.findByText("The run could not be stopped")).toBeInTheDocument();
  expect(screen.queryByText(/The response/)).toBeNull();
});

it("C-49: leaves the keyboard on the page where the run that was stopped has ended", async () => {
  const stop = await stopIt();
  const answer = service().holdBack(killPipeline, { success: true, run_id: "run_hello" });
  await stop();
  answer();
  const button = await screen.findByRole("button", { name: "Stop requested…" });
  await waitFor(() => expect(button).toHaveFocus());
  Object.assign(service().state.runs[0] ?? {}, ended);
  service().override(getRunDetails, someRunDetails(ended));
  await waitFor(() => expect(button).not.toBeInTheDocument());
  expect(document.getElementById("content")).toHaveFocus();
});
