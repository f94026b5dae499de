import { useEffect, useState } from "react";
import { Button } from "../../ui/Button.tsx";

/**
 * A part of the page could not be loaded, most likely because a newer console was put in its place: asks once (C-33).
 * Offline it does not: what is missing then comes with the network (C-20).
 */
export function ReloadPrompt() {
  const [isNeeded, setNeeded] = useState(false);
  useEffect(() => {
    // The import itself fails too: LazyPart and the route's error view hold the place.
    const onError = ({ payload }: VitePreloadErrorEvent) => {
      // At the browser's own words for this the router loads the document anew, which may not be there to load.
      payload.message = "unable to preload a part";
      if (navigator.onLine) setNeeded(true);
    };
    addEventListener("vite:preloadError", onError);
    return () => removeEventListener("vite:preloadError", onError);
  }, []);
  if (!isNeeded) return null;
  return (
    <div role="alertdialog" aria-label="Reload the console" className="corner notice">
      <p className="flex-1">
        <strong className="font-semibold">Part of the console could not be loaded.</strong> It may have been
        updated. What you typed is kept.
      </p>
      <Button variant="primary" onClick={() => location.reload()}>
        Reload
      </Button>
    </div>
  );
}
