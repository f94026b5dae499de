interface Held {
  readonly name: string;
  readonly mode: LockMode;
  readonly lose: () => void;
}

/** The locks of one browser, as far as the console uses them. */
export function browserLocks(): LockManager {
  const held: Held[] = [];
  let waiting: (() => boolean)[] = [];
  const settle = () => {
    waiting = waiting.filter((start) => !start());
  };
  const drop = (lock: Held) => {
    const at = held.indexOf(lock);
    if (at >= 0) held.splice(at, 1);
    settle();
  };
  const ask = <T>(name: string, options: LockOptions, run: LockGrantedCallback<T>): Promise<Awaited<T>> => {
    const { mode = "exclusive", ifAvailable, steal, signal } = options;
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (steal) for (const one of held.filter((other) => other.name === name)) one.lose();
      const start = () => {
        const others = held.filter((one) => one.name === name);
        if (others.some((one) => one.mode === "exclusive" || mode === "exclusive")) return false;
        signal?.removeEventListener("abort", onAbort);
        const lose = () => {
          drop(lock);
          reject(new DOMException("The lock was taken away", "AbortError"));
        };
        const lock: Held = { name, mode, lose };
        held.push(lock);
        Promise.resolve(run({ name, mode }))
          .then(resolve, reject)
          .finally(() => drop(lock));
        return true;
      };
      const onAbort = () => {
        waiting = waiting.filter((one) => one !== start);
        reject(signal?.reason);
      };
      if (start()) return;
      if (ifAvailable) {
        Promise.resolve(run(null)).then(resolve, reject);
        return;
      }
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.push(start);
    });
  };
  const query = async () => ({ held: held.map(({ name, mode }) => ({ name, mode })), pending: [] });
  function request<T>(name: string, run: LockGrantedCallback<T>): Promise<Awaited<T>>;
  function request<T>(name: string, options: LockOptions, run: LockGrantedCallback<T>): Promise<Awaited<T>>;
  function request<T>(
    name: string,
    ...rest: [LockGrantedCallback<T>] | [LockOptions, LockGrantedCallback<T>]
  ) {
    return rest.length === 1 ? ask(name, {}, rest[0]) : ask(name, rest[0], rest[1]);
  }
  return { request, query };
}

type Listener = (event: { data: unknown }) => void;

/** The channels of one browser. `delay`: what is said is heard when `deliver` is called. */
export function browserChannels() {
  const open = new Map<string, Set<{ hear: Listener | null }>>();
  const said: { readonly name: string; readonly data: unknown }[] = [];
  let late: (() => void)[] = [];
  const state = { delay: false };
  return {
    /** Everything that was said. */
    said,
    state,
    deliver: () => {
      const now = late;
      late = [];
      for (const one of now) one();
    },
    channel: (name: string) => {
      const ends = open.get(name) ?? new Set();
      open.set(name, ends);
      const own: { hear: Listener | null } = { hear: null };
      ends.add(own);
      return {
        postMessage: (message: unknown) => {
          const data = structuredClone(message);
          said.push({ name, data });
          const tell = () => {
            for (const end of ends) if (end !== own) end.hear?.({ data: structuredClone(data) });
          };
          if (state.delay) late.push(tell);
          else queueMicrotask(tell);
        },
        addEventListener: (_type: "message", listener: Listener) => {
          own.hear = listener;
        },
        close: () => {
          ends.delete(own);
        },
      };
    },
  };
}
