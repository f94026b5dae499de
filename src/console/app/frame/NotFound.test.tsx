import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

mockServicePerTest();

it("leaves the way to all pages open where there is no page", async () => {
  const { user } = renderConsole("/nowhere");
  await screen.findByText("There is no page at this address");
  expect(screen.getByRole("link", { name: "Go to overview" })).toHaveAttribute("href", "/");
  await user.click(screen.getByRole("button", { name: "Navigation" }));
  const drawer = await screen.findByRole("dialog", { name: "Navigation" });
  expect(within(drawer).getByRole("link", { name: "Runs" })).toHaveAttribute("href", "/runs");
});
