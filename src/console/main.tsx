import "./api/jitless.ts";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Providers } from "./components/frame/Providers.tsx";
import { PreferencesStore } from "./components/preferences/preferences.tsx";
import { makeRouter } from "./router.tsx";
import { createWheelhouse } from "./session/wheelhouse.ts";
import "./styles.css";
import { bodiesSpawner, bodiesUrl } from "./workers/bodies/spawn-bodies.ts";
import { compareSpawner, compareUrl } from "./workers/compare/spawn-compare.ts";
import { filesSpawner, filesUrl } from "./workers/files/spawn-files.ts";
import { pdfSpawner, pdfUrl } from "./workers/pdf/spawn-pdf.ts";
import { searchSpawner, searchUrl } from "./workers/search/spawn-search.ts";
import { markdownSpawner, markdownUrl } from "./workers/spawn-markdown.ts";
import { runReaderSpawner, runReaderUrl } from "./workers/spawn-run-reader.ts";
import { workerUrls } from "./workers/worker-urls.ts";

/** Radix sets styles of its own while a dialog is open; the page's rules let it only with the nonce of this answer. */
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce;
if (nonce) setNonce(nonce);

const urls = workerUrls(window, [
  runReaderUrl,
  bodiesUrl,
  markdownUrl,
  compareUrl,
  filesUrl,
  pdfUrl,
  searchUrl,
]);
const wheelhouse = createWheelhouse({
  spawnRunReader: runReaderSpawner(window, urls),
  spawnBodies: bodiesSpawner(window, urls),
  spawnMarkdown: markdownSpawner(window, urls),
  spawnCompare: compareSpawner(window, urls),
  spawnFiles: filesSpawner(window, urls),
  spawnSearch: searchSpawner(window, urls),
  spawnPdf: pdfSpawner(window, urls),
});

/** Not awaited at the top: what `start` loads imports from this file's chunk, and would wait for it to end. */
async function show(root: HTMLElement): Promise<void> {
  const arrival = await wheelhouse.start();
  createRoot(root).render(
    <StrictMode>
      <Providers wheelhouse={wheelhouse} preferences={new PreferencesStore()}>
        <RouterProvider router={makeRouter({ wheelhouse, arrival })} />
      </Providers>
    </StrictMode>,
  );
}

const root = document.getElementById("root");
if (root) void show(root);
