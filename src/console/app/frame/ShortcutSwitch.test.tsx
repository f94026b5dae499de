import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

mockServicePerTest();
afterEach(() => localStorage.clear());

const here = (router: ReturnType<typeof renderConsole>["router"]) => router.state.location.pathname;

describe("keys that act alone", () => {
  it("do nothing once they are switched off in the settings, also after a reload, while Ctrl K still searches", async () => {
    const first = renderConsole("/runs");
    await first.user.click(await screen.findByRole("button", { name: "Settings" }));
    await first.user.click(await screen.findByRole("menuitemcheckbox", { name: "Single-key shortcuts" }));
    first.unmount();

    const { user, router } = renderConsole("/runs");
    const search = await screen.findByRole("searchbox", { name: "Search runs" });
    await user.keyboard("?n/");
    await user.keyboard("ga");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(search).not.toHaveFocus();
    expect(here(router)).toBe("/runs");
    await user.keyboard("{Control>}k{/Control}");
    expect(await screen.findByRole("dialog", { name: "Search or jump to" })).toBeInTheDocument();
  });

  it("are off in every tab at once, and the list of keys says so and switches them on", async () => {
    const { user, router } = renderConsole("/runs");
    await screen.findByRole("searchbox", { name: "Search runs" });
    localStorage.setItem("wheelhouse:keys", "off");
    act(() => void dispatchEvent(new StorageEvent("storage", { key: "wheelhouse:keys", newValue: "off" })));
    await user.keyboard("ga");
    expect(here(router)).toBe("/runs");

    // The palette leads there without a single key.
    await user.keyboard("{Control>}k{/Control}");
    await user.keyboard("Keyboard shortcuts{Enter}");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    expect(sheet.getByRole("status")).toHaveTextContent(/^Off: /);
    const keyOf = (does: string) => sheet.getByText(does, { selector: "dt" }).nextElementSibling;
    expect(keyOf("Go to Agents")).toHaveTextContent("offga");
    expect(keyOf("Search or jump to")).toHaveTextContent("Ctrl K");
    await user.click(sheet.getByRole("switch", { name: "Single-key shortcuts" }));
    expect(keyOf("Go to Agents")).toHaveTextContent("ga");
    expect(localStorage.getItem("wheelhouse:keys")).toBe("on");
    await user.keyboard("{Escape}");
    await user.keyboard("ga");
    await waitFor(() => expect(here(router)).toBe("/agents"));
  });

  it("are not promised by hints while they are off", async () => {
    localStorage.setItem("wheelhouse:keys", "off");
    const { user } = renderConsole("/runs");
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    const entry = await screen.findByRole("menuitem", { name: /^Keyboard/ });
    // The stylesheet hides what has this class.
    expect(within(entry).getByText("?")).toHaveClass("single-key");
  });
});
