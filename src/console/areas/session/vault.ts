import { parseSignedIn, type SignedIn } from "./signed-in.ts";

const key = "wheelhouse:session";
const signedOutKey = "wheelhouse:signed-out-at";

/**
 * Keeps the sign-in of this tab over a reload (C-25, C-26).
 *
 * Decided: the key lives in memory and in this tab's `sessionStorage`, never in `localStorage`, IndexedDB, a cookie or
 * an address. That is the narrowest place that survives a reload. Another tab gets it from an open one by a
 * BroadcastChannel (session.ts), unless the person chose "For this tab only"; when the last tab closes it is gone.
 * `localStorage` holds the time of the last sign-out, so that a tab that slept through it notices, and who signed in
 * where (last-sign-in.ts).
 */
export class Vault {
  readonly #tab: () => Storage;
  readonly #shared: () => Storage;

  /** The storages are functions: merely reading `window.sessionStorage` can throw. */
  constructor(tab: () => Storage, shared: () => Storage) {
    this.#tab = tab;
    this.#shared = shared;
  }

  /** What an earlier load of this tab left; null after a sign-out anywhere, or where it cannot be read (C-30). */
  load(): SignedIn | null {
    try {
      const text = this.#tab().getItem(key);
      const found = text === null ? null : parseSignedIn(JSON.parse(text));
      if (found && found.signedInAt > this.signedOutAt()) return found;
    } catch {
      // Blocked or corrupted: nobody is signed in.
    }
    this.forget();
    return null;
  }

  /** @returns false where it holds for this page load only, because storage is blocked or full */
  save(signedIn: SignedIn): boolean {
    try {
      this.#tab().setItem(key, JSON.stringify(signedIn));
      return true;
    } catch {
      return false;
    }
  }

  forget(): void {
    try {
      this.#tab().removeItem(key);
    } catch {
      // Blocked storage holds nothing.
    }
  }

  /** Notes for all tabs, also sleeping ones, that sign-ins up to this moment are over. */
  noteSignOut(at: number): void {
    try {
      this.#shared().setItem(signedOutKey, String(at));
    } catch {
      // Other open tabs are still told by the channel.
    }
  }

  /** Milliseconds since 1970; 0 for never. */
  signedOutAt(): number {
    try {
      return Number(this.#shared().getItem(signedOutKey)) || 0;
    } catch {
      return 0;
    }
  }
}

const marker = "#sign-in=";

/**
 * Takes the token of a sign-in link (`/#sign-in=TOKEN`) out of the address, at once and also out of the tab's history,
 * so that it can neither be read over a shoulder nor be copied with the address.
 * @returns null where the address has none
 */
export function takeSignInToken(window: Pick<Window, "location" | "history">): string | null {
  const { hash, pathname, search } = window.location;
  if (!hash.startsWith(marker)) return null;
  window.history.replaceState(window.history.state, "", pathname + search);
  try {
    return decodeURIComponent(hash.slice(marker.length)) || null;
  } catch {
    return null;
  }
}
