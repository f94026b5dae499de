import "../api/jitless.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { freeCaller } from "../api/caller.ts";
import { systemClock } from "../api/clock.ts";
import files from "../areas/artifacts/worker/files.ts?worker&url";
import pdf from "../areas/artifacts/worker/pdf.ts?worker&url";
import type { Surroundings } from "../areas/recipient/FilePreview.tsx";
import { RecipientPage } from "../areas/recipient/RecipientPage.tsx";
import { tokenOf } from "../areas/recipient/shared-link.ts";
import markdown from "../lib/markdown/worker/markdown.ts?worker&url";
import { PreferencesProvider, PreferencesStore } from "../lib/preferences/preferences.tsx";
import { ClockProvider, makeClock } from "../lib/time/clock.tsx";
import "./styles.css";

/**
 * The page for strangers, with an entry of its own (shared.html): no session, no key, no history and no router are
 * loaded here, so nothing of them can be reached from it.
 */
const caller = freeCaller("/api/v1", null, {
  origin: location.origin,
  fetch: window.fetch.bind(window),
  clock: systemClock,
});

/** Loaded with the first file, and made once. */
let surroundings: Promise<Surroundings> | undefined;
const surround = (): Promise<Surroundings> => {
  surroundings ??= import("../areas/recipient/FilePreview.tsx").then(({ surroundingsOf }) =>
    surroundingsOf(window, caller, { markdown, files, pdf }),
  );
  return surroundings;
};

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <PreferencesProvider store={new PreferencesStore()}>
        <ClockProvider clock={makeClock()}>
          <RecipientPage caller={caller} surround={surround} token={tokenOf(location.pathname)} />
        </ClockProvider>
      </PreferencesProvider>
    </StrictMode>,
  );
}
