import { Store } from "../../api/store.ts";
import type { Tabs } from "./tabs.ts";

/** A watched thing as it was last read. Times are ms since 1970. */
interface Sight {
  /** `run run_1`, `conversation int_1`: unique among all that is watched. */
  readonly key: string;
  /** When the person began it, or last asked in it. */
  readonly began: number;
  readonly state: "unread" | "moving" | "ended";
  /** When what was read first came. */
  readonly receivedAt: number;
}

interface End {
  readonly key: string;
  /** When it was last known not to have ended. */
  readonly since: number;
}

type Seen = { readonly movedAt: number } | { readonly endedFor: number };

/** Knows which ends are news: of what was seen to move, or was begun since the page was opened. */
class EndMemory {
  readonly #openedAt: number;
  readonly #seen = new Map<string, Seen>();

  constructor(openedAt: number) {
    this.#openedAt = openedAt;
  }

  /** Looks at everything watched. Each end is in one answer only. */
  look(sights: readonly Sight[], now: number): readonly End[] {
    return sights.flatMap((sight) => this.#lookAt(sight, now) ?? []);
  }

  #lookAt({ key, began, state, receivedAt }: Sight, now: number): End | null {
    if (state === "unread") return null;
    if (state === "moving") {
      this.#seen.set(key, { movedAt: now });
      return null;
    }
    const seen = this.#seen.get(key) ?? { endedFor: this.#openedAt };
    if ("movedAt" in seen) {
      this.#seen.set(key, { endedFor: began });
      return { key, since: seen.movedAt };
    }
    // Too quick to be seen moving. What was read before it began is the end of the turn before.
    const isNew = began > seen.endedFor && receivedAt > began;
    this.#seen.set(key, isNew ? { endedFor: began } : seen);
    return isNew ? { key, since: began } : null;
  }
}

/** A watched thing, and what to say when it ends. */
export interface Watched extends Sight {
  /** It was ended before its time. */
  readonly isKilled: boolean;
}

/** What the page does at the moment. */
export interface Circumstances {
  /** The person wants to be told. */
  readonly isOn: boolean;
  /** What is in front of the person: none where the tab is hidden. */
  readonly viewing: ReadonlySet<string>;
  /** What the person asked to be killed, here. */
  readonly killed: ReadonlySet<string>;
}

interface TellerOptions<T> {
  readonly tabs: Tabs;
  readonly now: () => number;
  /** Ends that are older are no news, ms since 1970. */
  readonly openedAt: number;
  /** Shows a notification; the returned function takes it away. */
  readonly show: (ended: T) => () => void;
}

const nothing: Circumstances = { isOn: false, viewing: new Set(), killed: new Set() };

/** Tells once of each end that is news and that nobody looks at, and remembers it until somebody does. */
export class EndTeller<T extends Watched = Watched> {
  /** The ends that were told and not looked at. */
  readonly unseen = new Store<ReadonlySet<string>>(new Set());
  readonly #options: TellerOptions<T>;
  readonly #memory: EndMemory;
  readonly #shown = new Map<string, () => void>();
  readonly #said = new Map<string, () => void>();
  #circumstances = nothing;

  constructor(options: TellerOptions<T>) {
    this.#options = options;
    this.#memory = new EndMemory(options.openedAt);
  }

  /** To be called first: what the person looks at is not told. */
  readonly setCircumstances = (next: Circumstances): void => {
    this.#circumstances = next;
    const said = new Map<string, readonly ["viewing" | "killed", string]>();
    for (const key of next.viewing) said.set(`viewing ${key}`, ["viewing", key]);
    for (const key of next.killed) said.set(`killed ${key}`, ["killed", key]);
    for (const [name, takeBack] of this.#said) {
      if (said.has(name)) continue;
      takeBack();
      this.#said.delete(name);
    }
    for (const [name, [word, key]] of said) {
      if (!this.#said.has(name)) this.#said.set(name, this.#options.tabs.say(word, key));
    }
    this.look(next.isOn ? next.viewing : this.unseen.get());
  };

  /** Takes what was read of everything watched, and tells of the ends. */
  readonly read = (watched: readonly T[]): void => {
    const { tabs, now, show } = this.#options;
    const byKey = new Map(watched.map((one) => [one.key, one]));
    for (const { key, since } of this.#memory.look(watched, now())) {
      const ended = byKey.get(key);
      if (!ended || this.#isQuiet(ended)) continue;
      void tabs.once(key, since, ended.isKilled ? ["viewing", "killed"] : ["viewing"], () => {
        // The person may have come meanwhile.
        if (this.#isQuiet(ended)) return;
        this.#shown.set(key, show(ended));
        this.unseen.set(new Set([...this.unseen.get(), key]));
      });
    }
  };

  /** Somebody looked at these, here or in another tab. */
  readonly look = (keys: Iterable<string>): void => {
    const unseen = new Set(this.unseen.get());
    for (const key of [...keys]) {
      if (!unseen.delete(key)) continue;
      this.#shown.get(key)?.();
      this.#shown.delete(key);
    }
    if (unseen.size < this.unseen.get().size) this.unseen.set(unseen);
  };

  /** The person is gone: nothing of theirs stays on the screen. */
  readonly close = (): void => {
    this.setCircumstances(nothing);
    this.#options.tabs.close();
  };

  #isQuiet({ key, isKilled }: T): boolean {
    const { isOn, viewing, killed } = this.#circumstances;
    return !isOn || viewing.has(key) || (isKilled && killed.has(key));
  }
}
