import "./api/jitless.ts";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { freeCaller } from "./api/caller.ts";
import { systemClock } from "./api/clock.ts";
import { PreferencesProvider, PreferencesStore } from "./components/preferences/preferences.tsx";
import { ClockProvider, makeClock } from "./components/time/clock.tsx";
import { RecipientPage } from "./pages/recipient/RecipientPage.tsx";
import { tokenOf } from "./pages/recipient/shared-link.ts";
import type { Surroundings } from "./pages/recipient/surroundings.tsx";
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
  surroundings ??= import("./pages/recipient/surroundings.tsx").then(({ surroundingsOf }) =>
    surroundingsOf(window, caller),
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
