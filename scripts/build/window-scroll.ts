import type { Plugin } from "vite";

/**
 * What the router does with the scroll of the window after each step, and with what it kept of it: nothing, since no page of
 * the console scrolls the window. Each scrolls in the frame, and is another one than the page before it. The router's own,
 * which also scrolls to the part that an address names after `#`, comes with it even where it is switched off.
 */
export function windowScroll(): Plugin {
  return {
    name: "wheelhouse:window-scroll",
    apply: "build",
    load: {
      order: "pre",
      filter: { id: /[\\/]router-core[\\/]dist[\\/]esm[\\/]scroll-restoration\.js$/ },
      handler: () => `export const setupScrollRestoration = () => {}, storageKey = "";
        export { setupScrollRestoration as defaultGetScrollRestorationKey, setupScrollRestoration as getElementScrollRestorationEntry };`,
    },
  };
}
