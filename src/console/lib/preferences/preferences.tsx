import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { Zone } from "../time/format.ts";

/**
 * What a person sets once for this browser. `app/theme-init.js` reads theme and density before the first paint, so that no
 * page flashes in the wrong theme, and follows other tabs (`storage`) and this one (`wheelhouse:appearance`, which also tells
 * it what was chosen where the storage is blocked). It is sent as it is written, before everything else: it has no words.
 */
export interface Preferences {
  theme: "light" | "dark" | "system";
  density: "normal" | "compact";
  zone: Zone;
  /** Whether the browser and the tab tell when what is watched ends (src/console/app/watched). */
  ends: "off" | "on";
  /** Whether a single key acts: who speaks to the machine, or types by chance, switches them off. */
  keys: "on" | "off";
}

/** What can be chosen; the first is what holds without a choice. */
const choices: { [K in keyof Preferences]: readonly [Preferences[K], ...Preferences[K][]] } = {
  theme: ["system", "light", "dark"],
  density: ["normal", "compact"],
  zone: ["local", "utc"],
  ends: ["off", "on"],
  keys: ["on", "off"],
};
// TypeScript takes the names of any object for texts: it could have more than its type says. This one is written above.
const names = Object.keys(choices) as (keyof Preferences)[];

/** Under which a choice is kept in this browser. */
const preferenceKey = (name: keyof Preferences) => `wheelhouse:${name}`;

/** Reads and writes the preferences in `storage`; a blocked storage leaves them as they are for this page only. */
export class PreferencesStore {
  readonly #storage: () => Storage;
  readonly #listeners = new Set<() => void>();
  #current: Preferences;

  constructor(storage: () => Storage = () => localStorage) {
    this.#storage = storage;
    this.#current = this.#readAll();
  }

  get = (): Preferences => this.#current;

  set = <K extends keyof Preferences>(name: K, value: Preferences[K]): void => {
    this.#current = { ...this.#current, [name]: value };
    try {
      this.#storage().setItem(preferenceKey(name), value);
    } catch {
      // Full or blocked: the choice holds until the page is left.
    }
    this.#tell();
  };

  /** Also hears what another tab chooses, while anybody listens. */
  subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) addEventListener("storage", this.#hear);
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) removeEventListener("storage", this.#hear);
    };
  };

  readonly #hear = ({ key }: Pick<StorageEvent, "key">): void => {
    if (!names.some((name) => preferenceKey(name) === key)) return;
    this.#current = this.#readAll();
    this.#tell();
  };

  #tell(): void {
    dispatchEvent(new CustomEvent("wheelhouse:appearance", { detail: this.#current }));
    for (const listener of this.#listeners) listener();
  }

  #readAll(): Preferences {
    return {
      theme: this.#read("theme"),
      density: this.#read("density"),
      zone: this.#read("zone"),
      ends: this.#read("ends"),
      keys: this.#read("keys"),
    };
  }

  #read<K extends keyof Preferences>(name: K): Preferences[K] {
    const known = choices[name];
    const [fallback] = known;
    try {
      const kept = this.#storage().getItem(preferenceKey(name));
      return known.find((one) => one === kept) ?? fallback;
    } catch {
      return fallback;
    }
  }
}

const PreferencesContext = createContext<PreferencesStore | null>(null);

/** Gives the preferences to all below, also as another tab changes them. */
export function PreferencesProvider({ store, children }: { store: PreferencesStore; children: ReactNode }) {
  return <PreferencesContext value={store}>{children}</PreferencesContext>;
}

/** The preferences and the way to change one. */
export function usePreferences(): Preferences & { set: PreferencesStore["set"] } {
  const store = useContext(PreferencesContext);
  if (!store) throw new Error("usePreferences needs a PreferencesProvider above it");
  return { ...useSyncExternalStore(store.subscribe, store.get), set: store.set };
}
