import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { aDoneRun } from "../../../testing/builders.ts";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";
import { rank } from "./Palette.tsx";

const service = mockServicePerTest();

describe("the palette", () => {
  it("opens by the key, finds a flow before its runs, and starts with it", async () => {
    service().state.runs = [aDoneRun()];
    const { user, router } = renderConsole("/runs");
    await screen.findByRole("table", { name: "Runs" });
    await user.keyboard("{Control>}k{/Control}");
    const dialog = within(await screen.findByRole("dialog", { name: "Search or jump to" }));
    await dialog.findByText("Start");
    await user.keyboard("say hello{Enter}");
    await screen.findByRole("textbox", { name: /^name/ });
    expect(router.state.location.search).toEqual({ flow: "flow_hello" });
  });

  it("shows the keys by ?, and Escape closes them", async () => {
    const { user } = renderConsole("/runs");
    await screen.findByRole("heading", { name: "No runs known yet" });
    await user.keyboard("?");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard" }));
    expect(sheet.getByText("Go to Runs")).toBeInTheDocument();
    expect(sheet.getByRole("heading", { name: "On this page" })).toBeInTheDocument();
    expect(sheet.getByText("Next run")).toBeInTheDocument();
    await user.keyboard("{Escape}");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("ranks names that begin so before names that hold it, before details", () => {
    const fits = (text: string) =>
      [["Fail"], ["Will fail"], ["Hello", "fails at stock"], ["Other"]].map((words) => rank("", text, words));
    expect(fits("fail")).toEqual([1, 0.8, 0.5, 0]);
    expect(rank("", "hello stock", ["Hello", "fails at stock"])).toBe(0.5);
  });
});
