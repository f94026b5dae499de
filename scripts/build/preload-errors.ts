import type { Plugin } from "vite";

/**
 * What stands around each `import()` of the build: it tells the page of a script that cannot be had (`vite:preloadError`, which
 * `ReloadPrompt` hears). The bundler's own also fetches what a script needs beside it; here the page names that already, and
 * all styles are in one file.
 */
export function preloadErrors(): Plugin {
  return {
    name: "wheelhouse:preload-errors",
    apply: "build",
    load: {
      order: "pre",
      filter: { id: /preload-helper/ },
      handler: () => `export const __vitePreload = (load) => load().catch((error) => {
        const told = new Event("vite:preloadError", { cancelable: true });
        told.payload = error;
        if (dispatchEvent(told)) throw error;
      });`,
    },
  };
}
