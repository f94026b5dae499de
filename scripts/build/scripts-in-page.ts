import { readFileSync } from "node:fs";
import { minifySync, type Plugin } from "vite";

const folder = new URL("../../src/console/app/", import.meta.url);

/**
 * Puts the scripts that cannot wait for another request into the page, where `<!-- NAME.js -->` stands: the first paint
 * waits for the theme, and the first reads are begun before any other script has come. The service allows exactly these
 * scripts by their hashes (`src/service/http/static.ts`).
 */
export function scriptsInPage(): Plugin {
  return {
    name: "wheelhouse:scripts-in-page",
    transformIndexHtml: {
      order: "post",
      handler: (html) =>
        html.replaceAll(/<!-- ([\w-]+\.js) -->/g, (_, name: string) => {
          const { code } = minifySync(name, readFileSync(new URL(name, folder), "utf8"));
          return `<script>${code.trim()}</script>`;
        }),
    },
  };
}
