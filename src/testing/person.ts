import { waitFor } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";

/**
 * Somebody at the page. What stands in a dialog is there a moment before it can be reached: whoever is quicker than that
 * waits. What never can be reached fails.
 */
export function aPerson(): UserEvent {
  const user = userEvent.setup();
  const reach = async (element: Element) => {
    if (isReachable(element)) return;
    await waitFor(() => {
      if (!isReachable(element)) throw new Error(`nobody can reach "${element.textContent}" by a pointer`);
    });
  };
  return {
    ...user,
    click: async (element) => {
      await reach(element);
      await user.click(element);
    },
    dblClick: async (element) => {
      await reach(element);
      await user.dblClick(element);
    },
    hover: async (element) => {
      await reach(element);
      await user.hover(element);
    },
    type: async (element, ...rest) => {
      await reach(element);
      await user.type(element, ...rest);
    },
    selectOptions: async (element, ...rest) => {
      await reach(element);
      await user.selectOptions(element, ...rest);
    },
  };
}

/** The nearest declaration holds, as in a browser. */
function isReachable(element: Element): boolean {
  for (let one: Element | null = element; one !== null; one = one.parentElement) {
    const { pointerEvents } = getComputedStyle(one);
    if (pointerEvents !== "" && pointerEvents !== "inherit" && pointerEvents !== "unset")
      return pointerEvents !== "none";
  }
  return true;
}
