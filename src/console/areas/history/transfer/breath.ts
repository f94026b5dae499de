/** So long may work go on at a time, in ms: a frame is not missed. */
const longest = 8;

/**
 * Lets long work on the page's own thread be interrupted: call it often, it waits only when it is time.
 * @returns resolves after the page had its turn
 */
export function breather(now: () => number = () => performance.now()): () => Promise<void> | null {
  let began = now();
  return () => {
    if (now() - began < longest) return null;
    return new Promise((resolve) => {
      // Unlike a timer, a message also comes at once in a hidden tab.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        began = now();
        resolve();
      };
      port2.postMessage(null);
    });
  };
}
