import { readFileSync } from "node:fs";
import { minifySync, type Plugin } from "vite";

const file = new URL("../../src/console/app/theme-init.js", import.meta.url);

/**
 * Puts the script that sets the theme into the page, where `<!-- theme -->` stands: the first paint waits for it, and would
 * wait for another request. The service allows exactly this script by its hash (`src/service/http/static.ts`).
 */
export function themeInPage(): Plugin {
  return {
    name: "wheelhouse:theme-in-page",
    transformIndexHtml: {
      order: "post",
      handler: (html) => {
        const { code } = minifySync("theme-init.js", readFileSync(file, "utf8"));
        return html.replace("<!-- theme -->", () => `<script>${code.trim()}</script>`);
      },
    },
  };
}
