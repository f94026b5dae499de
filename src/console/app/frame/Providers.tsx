import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useMemo } from "react";
import type { Wheelhouse } from "../../areas/session/wheelhouse.tsx";
import { WheelhouseProvider } from "../../areas/session/wheelhouse.tsx";
import { PreferencesProvider, type PreferencesStore } from "../../lib/preferences/preferences.tsx";
import { ClockProvider, makeClock } from "../../lib/time/clock.tsx";

type Props = { wheelhouse: Wheelhouse; preferences: PreferencesStore; children: ReactNode };

/** What every part of the console finds around it. Times tick by the service's clock while somebody is signed in. */
export function Providers({ wheelhouse, preferences, children }: Props) {
  const clock = useMemo(
    () => makeClock(() => wheelhouse.api.get()?.serverClock.now() ?? Date.now()),
    [wheelhouse],
  );
  return (
    <WheelhouseProvider wheelhouse={wheelhouse}>
      <QueryClientProvider client={wheelhouse.queries}>
        <PreferencesProvider store={preferences}>
          <ClockProvider clock={clock}>{children}</ClockProvider>
        </PreferencesProvider>
      </QueryClientProvider>
    </WheelhouseProvider>
  );
}
