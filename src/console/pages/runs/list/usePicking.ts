import { useEffect, useState } from "react";
import { useApi } from "../../../components/api-context.tsx";
import { useMedia } from "../../../components/useMedia.ts";
import type { Picking } from "./pick/picking.tsx";

/**
 * What selects runs; null until a pointer or a key first comes near, as the first route has no room for it. A finger
 * needs it at once, and so does an act that was begun before.
 */
export function usePicking(): Picking | null {
  const [picking, setPicking] = useState<Picking | null>(null);
  const isWanted = useMedia("(pointer: coarse)");
  const hasAct = useApi().runsAct.get() !== null;
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
