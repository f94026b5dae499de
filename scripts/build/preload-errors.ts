import type { Plugin } from "vite";

/**
 * What stands around each `import()` of the build: it tells the page of a script that cannot be had (`vite:preloadError`, which
 * `ReloadPrompt` hears). The bundler's own also fetches what a script needs beside it; here the page names that already, and
 * all styles are in one file.
 *
 * A browser may keep for good that a script could not be had (Chromium does since 150), so without a network one is only
 * imported if the browser has it: what was wanted meanwhile can then come with the network (C-20).
 */
export function preloadErrors(): Plugin {
  return {
    name: "wheelhouse:preload-errors",
    apply: "build",
    load: {
      order: "pre",
      filter: { id: /preload-helper/ },
      // The script is the first text of `load`: () => import("./runs.js").
      handler: () => `export const __vitePreload = (load) =>
        (navigator.onLine
          ? load()
          : fetch(new URL(/["'\`](.+?)["'\`]/.exec(load)[1], import.meta.url), { cache: "only-if-cached", mode: "same-origin" }).then(load)
        ).catch((error) => {
          const told = new Event("vite:preloadError");
          told.payload = error;
          dispatchEvent(told);
          throw error;
        });`,
    },
  };
}
