import { Store } from "../../api/store.ts";
import type { Drafts } from "../history/drafts.ts";
import { sameJson } from "../json/json-value.ts";

/** What of one thing is being edited in this browser. */
export interface DraftState<D> {
  /** The browser's database has answered, so that `draft` is what there is. */
  readonly isReady: boolean;
  /** Null: nothing that is not sent. */
  readonly draft: D | null;
  /** `pending`: being written. `lost`: it lasts only until the page is left. */
  readonly keeping: "kept" | "pending" | "lost";
}

/** What a draft is. The same object for all of its kind. */
export interface DraftKind<D> {
  /** What was kept, perhaps by an older version; null: that is no draft. */
  readonly read: (kept: unknown) => D | null;
  /** A draft that was kept, with what was typed before it was known. Without it what is typed wins. */
  readonly join?: (kept: D, typed: D) => D;
  /** All tabs show it as it is kept; else each one goes on with what it shows, and the last that is typed is kept. */
  readonly isShared?: boolean;
}

/** Told when a draft was sent. `remaining` says what one is now that another tab has changed meanwhile; else it stays. */
export type Settle<D> = (remaining?: (kept: D, sent: D) => D | null) => void;

type Page = Pick<EventTarget, "addEventListener" | "removeEventListener">;

const settles = 250;

/**
 * One draft, kept in this browser when typing rests and at the latest when the tab is left: a reload, a 401 or a crash
 * loses nothing.
 *
 * Decided (C-29): there is one draft per place and browser, and where it is shared, all tabs show it. A tab that others
 * overtook takes the kept draft when it is told, or when it comes to the front again; what is being typed in this very
 * tab goes first.
 */
export class Draft<D> {
  readonly state: Store<DraftState<D>>;
  readonly #drafts: Drafts;
  readonly #place: string;
  readonly #kind: DraftKind<D>;
  readonly #page: Page;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isTouched = false;
  /** What was sent and is being removed: the store still has it for a moment. */
  #leaving: D | null = null;

  constructor(drafts: Drafts, place: string, kind: DraftKind<D>, page: Page = window) {
    this.#drafts = drafts;
    this.#place = place;
    this.#kind = kind;
    this.#page = page;
    const draft = this.#kept();
    this.state = new Store<DraftState<D>>({ isReady: draft !== null, draft, keeping: "kept" });
  }

  /** Begins to listen to the browser and to other tabs; the returned function ends it and writes what is open. */
  readonly open = (): (() => void) => {
    const drafts = this.#drafts;
    const { isShared = false } = this.#kind;
    const unhear = isShared
      ? drafts.subscribe((changed) => changed === this.#place && this.#show())
      : drafts.isKnown.subscribe(() => this.#show());
    const onFront = () => {
      if (isShared) void drafts.refresh(this.#place).then(() => this.#show());
    };
    // A store that was only slow has answered: what it missed is written once more, and is kept.
    const forget = drafts.trouble.subscribe(() => {
      if (drafts.trouble.get() !== null || this.state.get().keeping !== "lost") return;
      this.#isTouched = true;
      this.#write();
    });
    const onLeave = () => this.#write();
    const events = { focus: onFront, blur: onLeave, pagehide: onLeave };
    for (const [name, listener] of Object.entries(events)) this.#page.addEventListener(name, listener);
    void drafts.load().then(isShared ? onFront : () => this.#show());
    return () => {
      this.#write();
      unhear();
      forget();
      for (const [name, listener] of Object.entries(events)) this.#page.removeEventListener(name, listener);
    };
  };

  /** Changes the draft; null: it says nothing new any more. */
  readonly change = (change: (before: D | null) => D | null): void => {
    const draft = change(this.state.get().draft);
    this.#isTouched = true;
    this.state.set({ isReady: true, draft, keeping: "pending" });
    clearTimeout(this.#timer);
    // Until it is known what is kept, each key is noted, so that the two come together.
    if (draft === null || !this.#drafts.isKnown.get()) this.#write();
    else this.#timer = setTimeout(() => this.#write(), settles);
  };

  /** Throws the draft away that is shown. */
  readonly discard = (): void => {
    this.#write();
    const { draft } = this.state.get();
    if (draft !== null) this.#keep(null, this.#settle(draft));
  };

  /**
   * To be called when a draft is about to be sent; the returned function when it was: it is none any more then. What is
   * typed meanwhile, here or in another tab, stays.
   * @param value what is sent, where it is not what is shown
   */
  readonly beginSend = (value?: D): Settle<D> => {
    this.#write();
    const sent = value ?? this.state.get().draft;
    return (remaining) => {
      if (sent === null) return;
      const isShown = sameJson(this.state.get().draft, sent);
      if (isShown) this.#leaving = sent;
      const settled = this.#settle(sent, remaining).finally(() => {
        this.#leaving = null;
      });
      if (isShown) this.#keep(null, settled);
    };
  };

  /** Removes a draft that is done with. One that says something else by now, because another tab was typed in, stays. */
  async #settle(sent: D, remaining: Parameters<Settle<D>>[0] = (kept) => kept): Promise<void> {
    const rest = (stored: unknown) => {
      const kept = this.#kind.read(stored);
      return kept === null || sameJson(kept, sent) ? undefined : (remaining(kept, sent) ?? undefined);
    };
    if (this.#drafts.isKnown.get()) await this.#drafts.change(this.#place, rest);
    else if (sameJson(this.#kept(), sent)) await this.#drafts.remove(this.#place);
  }

  #kept(): D | null {
    return this.#kind.read(this.#drafts.get(this.#place));
  }

  #write(): void {
    clearTimeout(this.#timer);
    if (!this.#isTouched) return;
    this.#isTouched = false;
    const { draft } = this.state.get();
    const { read, join } = this.#kind;
    this.#keep(
      draft,
      draft === null
        ? this.#drafts.remove(this.#place)
        : this.#drafts.set(this.#place, draft, (stored, typed) => {
            const [kept, now] = [read(stored), read(typed)];
            return kept === null || now === null || !join ? (now ?? kept ?? undefined) : join(kept, now);
          }),
    );
  }

  #keep(draft: D | null, written: Promise<void>): void {
    this.state.set({ isReady: true, draft, keeping: "pending" });
    void written.then(() => {
      if (this.#isTouched) return;
      const isLost = this.#drafts.trouble.get() !== null;
      this.state.set({ ...this.state.get(), isReady: true, keeping: isLost ? "lost" : "kept" });
    });
  }

  /** Shows what is kept now, unless something is being typed here that is not written yet. */
  #show(): void {
    const before = this.state.get();
    const kept = this.#kept();
    const draft = this.#isTouched ? before.draft : sameJson(kept, this.#leaving) ? null : kept;
    const isSame = sameJson(draft, before.draft);
    this.state.set({ ...before, isReady: true, draft: isSame ? before.draft : draft });
  }
}
