import { useEffect, useEffectEvent } from "react";
import { useApi } from "./api/api-context.tsx";

/**
 * Hands over what is kept of a draft, together with what was typed before that was known: at once where the browser's
 * store has answered, else when it does. A page is drawn without waiting for it.
 */
export function useKept(name: string, take: (kept: unknown) => void): void {
  const { drafts } = useApi();
  const onKnown = useEffectEvent((place: string) => take(drafts.get(place)));
  useEffect(() => {
    void drafts.load();
    if (drafts.isKnown.get()) onKnown(name);
    return drafts.isKnown.subscribe(() => onKnown(name));
  }, [drafts, name]);
}
