import { type ComponentType, type LazyExoticComponent, lazy } from "react";

/**
 * A component of which the code is fetched when it is first drawn. While the browser is offline it waits: what was
 * wanted then comes when the network is back (C-20), instead of being missing until the page is loaded anew.
 * @throws what `load` throws, where it fails while the network is there, such as after the console was renewed (C-33)
 */
export function later<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  const loadOnline = (): ReturnType<typeof load> =>
    load().catch(async (error: unknown) => {
      if (navigator.onLine) throw error;
      await new Promise((resolve) => addEventListener("online", resolve, { once: true }));
      return loadOnline();
    });
  return lazy(loadOnline);
}
