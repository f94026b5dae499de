import { useState } from "react";

/**
 * The ids in their order, but for the one that is shown: an approval moves it to another group, and the keys go on from
 * where it was (C-53).
 */
export function useStaying(ids: readonly string[], shown: string | undefined): readonly string[] {
  const at = ids.indexOf(shown ?? "");
  const [place, setPlace] = useState<{ readonly of?: string; readonly next?: string | undefined }>({});
  if (shown !== undefined && at >= 0 && place.of !== shown) setPlace({ of: shown, next: ids[at + 1] });
  if (shown === undefined || at < 0 || place.of !== shown || !ids.includes(place.next ?? "")) return ids;
  return ids.flatMap((id) => (id === shown ? [] : id === place.next ? [shown, id] : [id]));
}
