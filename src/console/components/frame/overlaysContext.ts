import { createContext, use } from "react";

/** Opens what lies over every page. */
export interface Overlays {
  openPalette(): void;
  openSheet(): void;
}

export const OverlaysContext = createContext<Overlays>({ openPalette: () => {}, openSheet: () => {} });

/** The palette and the sheet of keys. */
export const useOverlays = (): Overlays => use(OverlaysContext);
