/** Something of a page: the first element that the selector finds, has a place on the screen, and holds the text. */
export interface Mark {
  readonly selector: string;
  readonly text?: string;
}

export interface Marks {
  readonly frame: Mark;
  readonly ready: Mark;
}

/** What the page itself measured, in ms since its navigation began. */
export interface Probed {
  readonly frame: number;
  readonly ready: number;
  readonly firstPaint: number;
  /** Each task of more than 50 ms that began before the page was ready. */
  readonly longTasks: readonly { readonly start: number; readonly duration: number }[];
}

/** Where the page keeps its promise of what it measured. */
declare global {
  interface Window {
    firstRouteProbe?: Promise<Probed>;
  }
}

/**
 * Runs in the page before anything of it. When something changes it looks, in the frame that will show the change, whether
 * a mark stands; the time is that of the first task after this frame was drawn, so it is what a person sees.
 *
 * It is sent as text: functions of its own are methods, which no compiler wraps into a helper that the page has not.
 */
export function probe(marks: Marks): void {
  const at = new Map<string, number>();
  const longTasks: { start: number; duration: number }[] = [];
  const watch = {
    take(entries: PerformanceEntryList) {
      for (const { startTime, duration } of entries) longTasks.push({ start: startTime, duration });
    },
    stands({ selector, text = "" }: Mark) {
      for (const one of document.querySelectorAll(selector))
        if ((one.textContent ?? "").includes(text) && one.getClientRects().length > 0) return true;
      return false;
    },
    /** Calls back when the frame that is being made has been drawn. */
    drawn(then: () => void) {
      const channel = new MessageChannel();
      channel.port1.onmessage = then;
      channel.port2.postMessage(null);
    },
  };
  const tasks = new PerformanceObserver((list) => watch.take(list.getEntries()));
  tasks.observe({ type: "longtask", buffered: true });
  window.firstRouteProbe = new Promise((resolve) => {
    let isWaiting = false;
    const mutations = new MutationObserver(() => {
      if (isWaiting) return;
      isWaiting = true;
      requestAnimationFrame(() => {
        isWaiting = false;
        const found = (["frame", "ready"] as const).filter(
          (name) => !at.has(name) && watch.stands(marks[name]),
        );
        if (found.length === 0) return;
        watch.drawn(() => {
          for (const name of found) at.set(name, performance.now());
          const ready = at.get("ready");
          if (ready === undefined) return;
          mutations.disconnect();
          // A task is told of after it has ended.
          setTimeout(() => {
            watch.take(tasks.takeRecords());
            resolve({
              ready,
              // A page without a frame of its own has it with its content.
              frame: at.get("frame") ?? ready,
              firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? ready,
              longTasks: longTasks.filter((one) => one.start < ready),
            });
          }, 100);
        });
      });
    });
    mutations.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
  });
}
