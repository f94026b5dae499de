import { useRef } from "react";

/**
 * Gives the focus back to where it was before something opened over the page. Radix gives it back to its own trigger
 * only, and what pages open by state has none. From a menu's item it goes to the button of that menu; when the opener is
 * gone by then, to the page itself, so that it is never lost.
 */
export function useFocusReturn() {
  const opener = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      const active = document.activeElement;
      const menu = active?.closest("[role=menu]")?.getAttribute("aria-labelledby");
      const origin = menu ? document.getElementById(menu) : active;
      opener.current = origin instanceof HTMLElement ? origin : null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      const target = opener.current?.isConnected ? opener.current : document.getElementById("content");
      target?.focus();
    },
  };
}
