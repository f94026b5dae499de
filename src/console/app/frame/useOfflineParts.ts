import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useToast } from "../../ui/Toast.tsx";

/** What opens over any page and has a script of its own; all else of the kind comes with the script of this hook. */
const parts = [
  () => import("../../lib/filter/FilterMenu.tsx"),
  () => import("../../lib/page/RefreshSetting.tsx"),
];

/**
 * Fetches what may be opened before the network is gone (C-50), and says of the rest, where it is wanted offline, that it comes
 * with the network: `later` waits for that in silence.
 */
export function useOfflineParts(): void {
  const toaster = useToast();
  const router = useRouter();
  useEffect(() => hushPreloads(router), [router]);
  useEffect(() => {
    const gone = new AbortController();
    const tell = () => {
      if (navigator.onLine) return; // then ReloadPrompt asks
      toaster.show({
        tone: "waiting",
        title: "You are offline",
        detail: "What is not loaded yet opens when the connection is back.",
        duration: 10_000,
      });
    };
    void Promise.allSettled(parts.map((load) => load())).then(() =>
      addEventListener("vite:preloadError", tell, { signal: gone.signal }),
    );
    return () => gone.abort();
  }, [toaster]);
}

/** What is only pointed at says nothing where it cannot be had (C-51): a click asks for it again. */
function hushPreloads(router: ReturnType<typeof useRouter>): () => void {
  const { preloadRoute } = router;
  const hush = (event: Event) => router.state.isLoading || event.stopImmediatePropagation();
  router.preloadRoute = async (to) => {
    addEventListener("vite:preloadError", hush, true);
    return preloadRoute(to).finally(() => removeEventListener("vite:preloadError", hush, true));
  };
  return () => {
    router.preloadRoute = preloadRoute;
  };
}
