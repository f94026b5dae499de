import { createContext, type RefObject, use, useEffect, useLayoutEffect, useRef } from "react";
import { usePreferences } from "../preferences/preferences.tsx";

/** A key as it is written in the sheet: `j`, `/`, `?`, `Escape`, two after each other as `g r`, with the command key as `mod+k`. */
export type Keys = string;

export interface Shortcut {
  readonly keys: Keys;
  /** What it does, for the sheet. */
  readonly does: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Also while something is being typed. */
  readonly whileTyping?: boolean;
}

/** The second key of `g r` has to come within this many ms. */
const pairTimeoutMs = 1_200;
/** Begins the pairs that lead to pages: what follows it is never a key of the page. */
const leader = "g";

/**
 * Tells from one key press after the other which shortcut is meant; `mod` is the command key on a Mac, else control.
 * @returns a function that takes a press with its time in ms and answers the shortcut or null
 */
export function makeMatcher() {
  let first: { key: string; at: number } | null = null;
  return (press: KeyPress, shortcuts: readonly Shortcut[], now: number): Shortcut | null => {
    const key = nameOf(press);
    if (key === null) return null;
    const usable = shortcuts.filter((one) => !press.isTyping || one.whileTyping === true);
    const before = first !== null && now - first.at <= pairTimeoutMs ? first.key : null;
    first = null;
    const pair = usable.find((one) => before !== null && one.keys === `${before} ${key}`);
    if (pair || before === leader) return pair ?? null;
    const match = usable.find((one) => one.keys === key);
    if (match) return match;
    if (!press.isTyping && (key === leader || usable.some((one) => one.keys.startsWith(`${key} `))))
      first = { key, at: now };
    return null;
  };
}

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isTyping: boolean;
}

function nameOf(press: KeyPress): string | null {
  if (press.altKey || ["Shift", "Control", "Meta", "Alt"].includes(press.key)) return null;
  const hasMod = press.ctrlKey || press.metaKey;
  return hasMod ? `mod+${press.key.toLowerCase()}` : press.key;
}

/** Whether keys pressed here are text. */
export function isTypingInto(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea,select")) return true;
  return (
    target instanceof HTMLInputElement && !["checkbox", "radio", "button", "submit"].includes(target.type)
  );
}

/**
 * Listens for these shortcuts while the component is there. None acts while a dialog or menu is open, unless `whileTyping`.
 * A page's own go before those of `everywhere`. Single keys, and pairs of them, only while the person wants them.
 */
export function useShortcuts(shortcuts: readonly Shortcut[], scope: "page" | "everywhere" = "page"): void {
  const current = useRef(shortcuts);
  const single = useRef("on");
  const { keys } = usePreferences();
  // With the page that shows them: a key that is pressed as soon as it is seen is not lost.
  useLayoutEffect(() => {
    current.current = shortcuts;
    single.current = keys;
  });
  useNamedKeys(scope === "page" ? "On this page" : null, current);
  useLayoutEffect(() => {
    const match = makeMatcher();
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      const isTyping =
        isTypingInto(event.target) || document.querySelector("[role=dialog],[role=menu]") !== null;
      const { key, ctrlKey, metaKey, altKey } = event;
      // A button is pressed by it and a link followed, whatever else it opens here: but one to where one is already
      // leads nowhere. Keys go to an element: what has the focus, or the body.
      if (key === "Enter" && (event.target as Element).matches("button,a:not([aria-current=true])")) return;
      if (single.current === "off" && key.length === 1 && !ctrlKey && !metaKey) return;
      const found = match({ key, ctrlKey, metaKey, altKey, isTyping }, current.current, event.timeStamp);
      if (!found) return;
      event.preventDefault();
      found.run(event);
    };
    // A key press reaches the window last.
    const target = scope === "page" ? document : window;
    target.addEventListener("keydown", onKey as EventListener);
    return () => target.removeEventListener("keydown", onKey as EventListener);
  }, [scope]);
}

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

/** Whether the command key, not control, goes with letters here. */
export function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.userAgent);
}
