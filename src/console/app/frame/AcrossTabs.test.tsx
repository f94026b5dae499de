import { act, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { mockServicePerTest } from "../../../testing/msw-suite.ts";
import { renderConsole } from "../../../testing/render-console.tsx";

mockServicePerTest();
afterEach(() => localStorage.clear());

/** What another tab of this browser writes; its own events never reach the tab that wrote. */
function anotherTabSets(key: string, newValue: string) {
  localStorage.setItem(key, newValue);
  act(() => void dispatchEvent(new StorageEvent("storage", { key, newValue })));
}

describe("what is chosen in one tab", () => {
  it("pauses the refreshing in the others, and lets it go on", async () => {
    const { wheelhouse } = renderConsole("/runs");
    await screen.findByRole("button", { name: /^Live/ });
    anotherTabSets("wheelhouse:polling", "paused");
    await screen.findByRole("button", { name: /Paused.*by you/ });
    expect(wheelhouse.polling.situation.get().setting).toBe("paused");
    anotherTabSets("wheelhouse:polling", "auto");
    await screen.findByRole("button", { name: /^Live/ });
  });

  it("shows times, rows and theme so in the others", async () => {
    const { user } = renderConsole("/runs");
    await user.click(await screen.findByRole("button", { name: "Settings" }));
    expect(await screen.findByRole("menuitemradio", { name: "Local" })).toBeChecked();
    anotherTabSets("wheelhouse:zone", "utc");
    anotherTabSets("wheelhouse:density", "compact");
    anotherTabSets("wheelhouse:theme", "dark");
    for (const name of ["UTC", "Compact", "Dark"])
      expect(screen.getByRole("menuitemradio", { name })).toBeChecked();
  });
});
