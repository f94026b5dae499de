import { fileURLToPath } from "node:url";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { type Plugin, runnerImport } from "vite";

const file = fileURLToPath(new URL("../../src/console/app/frame/FrameShell.tsx", import.meta.url));
type Shell = typeof import("../../src/console/app/frame/FrameShell.tsx");

/** Puts the frame into the page, where `<!-- frame -->` stands: it is drawn while the scripts are on the way. */
export function frameInPage(): Plugin {
  return {
    name: "wheelhouse:frame-in-page",
    transformIndexHtml: {
      order: "post",
      handler: async (html) => {
        const { module } = await runnerImport<Shell>(file);
        return html.replace("<!-- frame -->", () => renderToStaticMarkup(createElement(module.FrameShell)));
      },
    },
  };
}
