import type { QueryClient } from "@tanstack/react-query";
import type { PollClock, PollSetting } from "./poll.ts";
import { Store } from "./store.ts";
import type { Traffic } from "./traffic.ts";

type Situation = Omit<PollClock, "hold" | "random">;

const settingKey = "wheelhouse:polling";
const settings: readonly PollSetting[] = ["auto", "slower", "paused"];

export interface PollEnvironmentOptions {
  readonly window: Pick<Window, "addEventListener" | "removeEventListener" | "navigator">;
  readonly document: Pick<Document, "addEventListener" | "removeEventListener" | "visibilityState">;
  readonly storage: () => Storage;
  readonly now: () => number;
  readonly random?: (seed: string) => number;
}

/** Watches what polling depends on (tab, network, setting, acts) and tells the queries to look at it again. */
export class PollEnvironment {
  readonly situation: Store<Situation>;
  readonly #options: PollEnvironmentOptions;
  readonly #random: (seed: string) => number;
  #traffic: Traffic | null = null;

  constructor(options: PollEnvironmentOptions) {
    this.#options = options;
    this.#random = options.random ?? seeded(options.now());
    this.situation = new Store<Situation>({
      setting: this.#readSetting(),
      hidden: options.document.visibilityState === "hidden",
      online: options.window.navigator.onLine,
      signedOut: false,
      actedAt: 0,
    });
  }

  /** The circumstances as policies take them. */
  readonly clock = (): PollClock => ({
    ...this.situation.get(),
    hold: this.#traffic?.hold.get() ?? null,
    random: this.#random,
  });

  readonly hidden = (): boolean => this.situation.get().hidden;

  /** Notes that the person did something that changes things: polls are fast again. */
  readonly acted = (): void => this.#change({ actedAt: this.#options.now() });

  readonly setSignedOut = (signedOut: boolean): void => this.#change({ signedOut });

  /** The person's choice, for every tab; kept in this browser where it may be. */
  readonly setSetting = (setting: PollSetting): void => {
    this.#change({ setting });
    try {
      this.#options.storage().setItem(settingKey, setting);
    } catch {
      // Full or blocked: the choice holds until the page is left.
    }
  };

  /** Polls of this connection are the ones to describe and wake. */
  readonly setTraffic = (traffic: Traffic): void => {
    this.#traffic = traffic;
  };

  /** Starts listening; the returned function stops it. */
  readonly connect = (queries: QueryClient): (() => void) => {
    const { window, document, now } = this.#options;
    const onVisible = () => {
      const hidden = document.visibilityState === "hidden";
      this.#change(hidden ? { hidden } : { hidden, actedAt: now() });
    };
    const onNetwork = () => this.#change({ online: window.navigator.onLine });
    document.addEventListener("visibilitychange", onVisible);
    // Another tab's choice holds here too.
    const onStorage = ({ key }: StorageEvent) => {
      if (key === settingKey) this.#change({ setting: this.#readSetting() });
    };
    window.addEventListener("storage", onStorage);
    window.addEventListener("online", onNetwork);
    window.addEventListener("offline", onNetwork);
    const unsubscribe = this.situation.subscribe(() => {
      reconsider(queries);
      this.#traffic?.wake();
    });
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      window.removeEventListener("storage", onStorage);
      window.removeEventListener("online", onNetwork);
      window.removeEventListener("offline", onNetwork);
      unsubscribe();
    };
  };

  #change(part: Partial<Situation>): void {
    const before = this.situation.get();
    const changed = (Object.keys(part) as (keyof Situation)[]).some((key) => part[key] !== before[key]);
    if (changed) this.situation.set({ ...before, ...part });
  }

  #readSetting(): PollSetting {
    try {
      const kept = this.#options.storage().getItem(settingKey);
      return settings.find((one) => one === kept) ?? "auto";
    } catch {
      return "auto";
    }
  }
}

/** Lets every mounted query work out its interval again. */
function reconsider(queries: QueryClient): void {
  for (const query of queries.getQueryCache().getAll()) {
    for (const observer of query.observers) observer.setOptions(observer.options);
  }
}

/** A number 0 ≤ x < 1 from a text (FNV-1a), another one in each tab. */
export function seeded(salt: number): (seed: string) => number {
  return (seed) => {
    let hash = 0x811c9dc5 ^ (salt >>> 0);
    for (let i = 0; i < seed.length; i += 1) hash = Math.imul(hash ^ seed.charCodeAt(i), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b);
    return ((hash ^ (hash >>> 15)) >>> 0) / 0x1_0000_0000;
  };
}
