import { type ComponentType, type LazyExoticComponent, lazy } from "react";

// Between two tries while the browser is online, in ms: twice as long each time.
const firstWait = 1_000;
const longestWait = 32_000;

/**
 * A component of which the code is fetched when it is first drawn. Where it cannot be had, it waits: what was wanted
 * while the browser was offline comes with the network (C-20), and what was wanted while the service was away comes
 * when it is back, instead of being missing until the page is loaded anew.
 * @throws what `load` throws, where it still fails after a minute, such as after the console was renewed (C-33)
 */
export function later<Props>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): LazyExoticComponent<ComponentType<Props>> {
  const tryFor = (wait: number): ReturnType<typeof load> =>
    load().catch(async (error: unknown) => {
      const { onLine } = navigator;
      if (onLine && wait > longestWait) throw error;
      await new Promise<unknown>((resolve) => {
        if (onLine) setTimeout(resolve, wait);
        else addEventListener("online", resolve, { once: true });
      });
      return tryFor(onLine ? wait * 2 : wait);
    });
  return lazy(() => tryFor(firstWait));
}
