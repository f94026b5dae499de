import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

mockServicePerTest();

it("leaves the way to all pages open where there is no page", async () => {
  const { user } = renderConsole("/nowhere");
  await screen.findByText("There is no page at this address");
  await user.click(screen.getByRole("button", { name: "Navigation" }));
  expect(screen.getByRole("button", { name: "Navigation" })).toHaveAttribute("aria-expanded", "true");
  expect(screen.getByRole("link", { name: "Go to the overview" })).toHaveAttribute("href", "/");
});
