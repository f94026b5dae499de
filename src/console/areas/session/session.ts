import type { TabChannel } from "../../api/across-tabs.ts";
import type { Gate } from "../../api/connection.ts";
import type { ConsoleError } from "../../api/errors.ts";
import type { Credential } from "../../api/request.ts";
import { Store } from "../../api/store.ts";
import { identityOf, parseSignedIn, type SignedIn } from "./signed-in.ts";
import type { Vault } from "./vault.ts";

export type SessionState =
  /** Not known yet: another tab is being asked. */
  | { readonly status: "starting" }
  | { readonly status: "signed-out"; readonly why: "never" | "here" | "elsewhere" }
  | { readonly status: "signed-in"; readonly as: SignedIn }
  /** The key is no longer accepted. Pages stay, polls rest, calls wait for `renew`. */
  | { readonly status: "expired"; readonly as: SignedIn; readonly error: ConsoleError | null };

/** So long is waited for another tab to hand over its sign-in. */
const askMs = 120;

export interface SessionOptions {
  readonly vault: Vault;
  /** Null where the browser has none: then each tab is for itself. */
  readonly channel: TabChannel | null;
  readonly now: () => number;
  /** Ends a sign-in at the service: called when somebody signs out here. */
  readonly end?: (as: SignedIn) => void;
}

export interface SignOutOptions {
  /** Keeps what this browser knows of runs and conversations; cleared by default (C-26). */
  readonly keepHistory?: boolean;
}

type Message =
  | { readonly type: "ask" }
  | { readonly type: "give" | "renewed"; readonly as: unknown }
  | { readonly type: "signed-out"; readonly at: number };

/** Who is signed in, in this tab and in step with the others. */
export class Session {
  readonly state = new Store<SessionState>({ status: "starting" });
  readonly #options: SessionOptions;
  readonly #onSignOut = new Set<(options: SignOutOptions) => void>();

  constructor(options: SessionOptions) {
    this.#options = options;
    options.channel?.addEventListener("message", ({ data }) => this.#hear(data));
  }

  /** Finds an earlier sign-in: of this tab, else of another open one. Settles in at most `askMs`. */
  async start(): Promise<void> {
    const { vault, channel } = this.#options;
    const kept = vault.load();
    if (kept) return this.#enter(kept);
    if (channel) {
      channel.postMessage({ type: "ask" } satisfies Message);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(done, askMs);
        const unsubscribe = this.state.subscribe(done);
        function done() {
          clearTimeout(timer);
          unsubscribe();
          resolve();
        }
      });
    }
    if (this.state.get().status === "starting") this.state.set({ status: "signed-out", why: "never" });
  }

  /** Takes a sign-in that was checked. */
  readonly signIn = (as: SignedIn): void => {
    this.#enter(as);
    this.#tell(as, "give");
  };

  /**
   * Goes on after the key was refused. The same person goes on where they were; another one starts anew: calls that
   * waited for the first are given up, never sent as the second.
   */
  readonly renew = (as: SignedIn): void => {
    this.#enter(as);
    this.#tell(as, "renewed");
  };

  /** Ends the session in all tabs and forgets the key. */
  readonly signOut = (options: SignOutOptions = {}): void => {
    const at = this.#options.now();
    const state = this.state.get();
    if (state.status === "signed-in") this.#options.end?.(state.as);
    this.#options.vault.noteSignOut(at);
    this.#options.channel?.postMessage({ type: "signed-out", at } satisfies Message);
    this.#leave("here", options);
  };

  /** Called when a tab wakes up, because a sleeping one hears no messages. */
  readonly recheck = (): void => {
    const state = this.state.get();
    // Whoever signed out has cleared what is kept; what is there now came since.
    if ("as" in state && state.as.signedInAt <= this.#options.vault.signedOutAt())
      this.#leave("elsewhere", { keepHistory: true });
  };

  /** `run` clears what belongs to the person: caches, drafts, history. */
  readonly onSignOut = (run: (options: SignOutOptions) => void): (() => void) => {
    this.#onSignOut.add(run);
    return () => this.#onSignOut.delete(run);
  };

  /**
   * Changes what is remembered beside the key: the team in use, what the service can do. What was known is no news: it
   * comes while the first page is drawn, which would be drawn again.
   */
  readonly amend = (part: Partial<Pick<SignedIn, "known" | "teams" | "userName">>): void => {
    const state = this.state.get();
    if (!("as" in state)) return;
    const as = { ...state.as, ...part };
    if (JSON.stringify(as) === JSON.stringify(state.as)) return;
    this.#options.vault.save({ ...as, known: { ...as.known, tried: onlyThere(as.known.tried) } });
    this.state.set({ ...state, as });
  };

  /** The gate of calls made as one identity. */
  gateFor(identity: string): Gate {
    const mine = (): SignedIn | null => {
      const state = this.state.get();
      return "as" in state && identityOf(state.as) === identity ? state.as : null;
    };
    const ready = async (signal?: AbortSignal): Promise<Credential> => {
      for (;;) {
        signal?.throwIfAborted();
        const as = mine();
        if (!as) throw new DOMException("The session has ended", "AbortError");
        if (this.state.get().status === "signed-in") return as.credential;
        await this.#nextState(signal);
      }
    };
    return {
      ready,
      refused: async (error, used, signal) => {
        const as = mine();
        // A late answer to the key before: the one in use now was not refused.
        if (as && this.state.get().status === "signed-in" && as.credential.secret === used?.secret) {
          this.state.set({ status: "expired", as, error });
        }
        try {
          await ready(signal);
        } catch (ended) {
          throw signal?.aborted ? ended : error;
        }
      },
    };
  }

  close(): void {
    this.#options.channel?.close();
  }

  #nextState(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        unsubscribe();
        reject(signal?.reason);
      };
      const unsubscribe = this.state.subscribe(() => {
        unsubscribe();
        signal?.removeEventListener("abort", onAbort);
        resolve();
      });
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  #enter(as: SignedIn): void {
    const before = this.state.get();
    if ("as" in before && identityOf(before.as) !== identityOf(as)) this.#clear({ keepHistory: true });
    this.#options.vault.save(as);
    this.state.set({ status: "signed-in", as });
  }

  #leave(why: "here" | "elsewhere", options: SignOutOptions): void {
    this.#options.vault.forget();
    this.state.set({ status: "signed-out", why });
    this.#clear(options);
  }

  #clear(options: SignOutOptions): void {
    for (const run of this.#onSignOut) run(options);
  }

  #tell(as: SignedIn, type: "give" | "renewed"): void {
    if (!as.thisTabOnly) this.#options.channel?.postMessage({ type, as } satisfies Message);
  }

  #hear(data: unknown): void {
    if (data === null || typeof data !== "object" || !("type" in data)) return;
    const message = data as Message;
    const state = this.state.get();
    if (message.type === "signed-out") {
      if ("as" in state) this.#leave("elsewhere", { keepHistory: true });
      return;
    }
    if (message.type === "ask") {
      if (state.status === "signed-in") this.#tell(state.as, "give");
      return;
    }
    if (message.type !== "give" && message.type !== "renewed") return;
    const as = parseSignedIn(message.as);
    if (!as || as.signedInAt <= this.#options.vault.signedOutAt()) return;
    const same = "as" in state && identityOf(state.as) === identityOf(as);
    if (!("as" in state) || (same && (message.type === "renewed" || state.status === "expired"))) {
      this.#enter(as);
    }
  }
}

/** What was missing is tried again at the next load: the service may have been renewed. */
function onlyThere(tried: Readonly<Record<string, boolean>>): Record<string, boolean> {
  return Object.fromEntries(Object.entries(tried).filter(([, there]) => there));
}
