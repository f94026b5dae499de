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
  useEffect(() => restPreloads(router), [router]);
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

/** Offline nothing is fetched for being pointed at: it could only fail, and be told of, though nobody wants it yet (C-51). */
function restPreloads(router: ReturnType<typeof useRouter>): () => void {
  const { preloadRoute } = router;
  router.preloadRoute = async (to) => (navigator.onLine ? preloadRoute(to) : undefined);
  return () => {
    router.preloadRoute = preloadRoute;
  };
}
