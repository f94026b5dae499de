import "../api/jitless.ts";
import type { QueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { setNonce } from "get-nonce";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { PreferencesStore } from "../lib/preferences/preferences.tsx";
import { createWheelhouse } from "./create-wheelhouse.ts";
import { Providers } from "./frame/Providers.tsx";
import { makeRouter } from "./router.tsx";
import "./styles.css";
import { workersOf, workerUrls } from "../lib/workers/workers.ts";
import { workerFiles } from "./worker-files.ts";

/** Radix sets styles of its own while a dialog is open; the page's rules let it only with the nonce of this answer. */
const nonce = document.querySelector<HTMLMetaElement>("meta[property=csp-nonce]")?.nonce;
if (nonce) setNonce(nonce);

const urls = workerUrls(window, Object.values(workerFiles));
const wheelhouse = createWheelhouse({ workers: workersOf(window, urls, workerFiles) });

/** Not awaited at the top: what `start` loads imports from this file's chunk, and would wait for it to end. */
async function show(root: HTMLElement): Promise<void> {
  const started = await wheelhouse.start();
  const router = makeRouter({ wheelhouse, started });
  // Before anything is drawn: what the page reads is on its way meanwhile, and a page that is here is drawn with its frame.
  const isLoaded = router.load();
  // Where the page has named its scripts they are here, and the loader begins its reads before the frame takes the browser's
  // time. What the page itself has begun to read is drawn at once with what came, and not first without. What is still on
  // the way, or cannot be had, holds up nothing.
  const isSignedIn = "as" in wheelhouse.session.state.get();
  const isNamed = document.querySelector("link[rel=modulepreload]") !== null;
  const isBegun = isSignedIn && isNamed ? isLoaded.then(() => import("./reads.ts")) : isLoaded;
  await soon(isBegun);
  if (window.wheelhousePreloaded) await soon(isBegun.then(() => allRead(wheelhouse.queries)));
  // In slices, as far as React can: an answer that comes meanwhile is read meanwhile.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <Providers wheelhouse={wheelhouse} preferences={new PreferencesStore()}>
          <RouterProvider router={router} />
        </Providers>
      </StrictMode>,
    ),
  );
}

/** Waits for it for 50 ms at most, and as long where it fails. */
const soon = (work: Promise<unknown>) => Promise.any([work, new Promise((go) => setTimeout(go, 50))]);

/** Resolves as soon as nothing is being read. */
const allRead = (queries: QueryClient) =>
  new Promise<void>((resolve) => {
    const look = () => {
      if (queries.isFetching() > 0) return;
      stop();
      resolve();
    };
    const stop = queries.getQueryCache().subscribe(look);
    look();
  });

const root = document.getElementById("root");
if (root) void show(root);
