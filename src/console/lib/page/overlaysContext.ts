import { createContext, type RefObject, use, useEffect } from "react";
import type { Keys } from "./shortcuts.ts";

/** A key that works now, for the sheet that names the keys and the palette. */
export interface NamedKeys {
  readonly keys: Keys;
  readonly does: string;
  /** Left out where the key does something only in its place. */
  readonly run?: (event: KeyboardEvent) => void;
}

/** Opens what lies over every page. */
export interface Overlays {
  openPalette(): void;
  openSheet(): void;
  /** The keys of the page as it stands, by the name of their place. */
  readonly keysOfPage: Set<KeysOfPlace>;
}

interface KeysOfPlace {
  readonly place: string;
  readonly shortcuts: RefObject<readonly NamedKeys[]>;
}

export const OverlaysContext = createContext<Overlays>({
  openPalette: () => {},
  openSheet: () => {},
  keysOfPage: new Set(),
});

/** The palette and the sheet of keys. */
export const useOverlays = (): Overlays => use(OverlaysContext);

/** Names keys in the sheet while the component is there. `place` null: they are named elsewhere. */
export function useNamedKeys(place: string | null, shortcuts: RefObject<readonly NamedKeys[]>): void {
  const { keysOfPage } = useOverlays();
  useEffect(() => {
    if (place === null) return;
    const entry = { place, shortcuts };
    keysOfPage.add(entry);
    return () => {
      keysOfPage.delete(entry);
    };
  }, [keysOfPage, place, shortcuts]);
}
