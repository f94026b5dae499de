import { useEffect, useState } from "react";
import { Store } from "../../../api/store.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useMedia } from "../../../lib/useMedia.ts";
import type { RunsAct } from "../many-runs.ts";
import type { Picking } from "./pick/picking.tsx";

/** What is being done to several runs, until its results are closed (`api.keep`): it outlives its page. */
export const runsActOf = () => new Store<RunsAct | null>(null);

/**
 * What selects runs; null until a pointer or a key first comes near, as the first route has no room for it. A finger
 * needs it at once, and so does an act that was begun before.
 */
export function usePicking(): Picking | null {
  const [picking, setPicking] = useState<Picking | null>(null);
  const isWanted = useMedia("(pointer: coarse)");
  const hasAct = useApi().keep(runsActOf).get() !== null;
  useEffect(() => {
    // Without its code the list is as it is.
    const load = () =>
      void import("./pick/picking.tsx").then(
        ({ default: begin }) => setPicking(begin),
        () => {},
      );
    if (isWanted || hasAct) load();
    for (const type of ["pointermove", "keydown"]) addEventListener(type, load, { once: true });
  }, [isWanted, hasAct]);
  return picking;
}
