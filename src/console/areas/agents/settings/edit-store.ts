import { Store } from "../../../api/store.ts";
import type { Drafts } from "../../../lib/history/drafts.ts";
import { sameJson } from "../../../lib/json/json-value.ts";
import { type AgentDraft, changedFields } from "../agent/agent-draft.ts";
import {
  agentDraftName,
  readAgentDraft,
  removeAgentDraft,
  type StoredAgentDraft,
  settleAgentDraft,
  writeAgentDraft,
} from "../agent/draft-store.ts";

/** What of an agent is being edited in this browser. */
export interface EditState {
  /** The browser's database has answered, so that `draft` is what there is. */
  readonly isReady: boolean;
  /** Null while nothing is changed. */
  readonly draft: StoredAgentDraft | null;
  /** `pending`: being written. `lost`: it lasts only until the page is left. */
  readonly keeping: "kept" | "pending" | "lost";
}

/** The agent as the service has it now. */
export interface Latest {
  readonly draft: AgentDraft;
  readonly version: number | null;
}

interface EditStoreOptions {
  readonly drafts: Drafts;
  readonly agentId: string;
  readonly now: () => number;
  readonly page: Pick<Window, "addEventListener" | "removeEventListener">;
}

const settles = 250;

/**
 * The draft of one agent, kept in this browser when typing rests and at the latest when the tab is left.
 *
 * Decided (C-29): there is one draft per agent and browser, and all tabs show it. A tab that others overtook takes the
 * kept draft when it is told, or when it comes to the front again; what is being typed in this very tab goes first.
 * Two browsers have two drafts, and the version decides between them (§4.14).
 */
export class EditStore {
  readonly state: Store<EditState>;
  readonly #options: EditStoreOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isTouched = false;

  constructor(options: EditStoreOptions) {
    this.#options = options;
    const draft = readAgentDraft(options.drafts, options.agentId);
    this.state = new Store<EditState>({ isReady: draft !== null, draft, keeping: "kept" });
  }

  /** Begins to listen to the browser and to other tabs; the returned function ends it and writes what is open. */
  readonly open = (): (() => void) => {
    const { page, drafts, agentId } = this.#options;
    const name = agentDraftName(agentId);
    const unhear = drafts.subscribe((changed) => {
      if (changed === name) this.#show();
    });
    const onFront = () => void drafts.refresh(name).then(() => this.#show());
    const onLeave = () => this.#write();
    // A store that was only slow has answered: what it missed is written once more, and is kept.
    const forget = drafts.trouble.subscribe(() => {
      if (drafts.trouble.get() !== null || this.state.get().keeping !== "lost") return;
      this.#isTouched = true;
      this.#write();
    });
    page.addEventListener("focus", onFront);
    page.addEventListener("blur", onLeave);
    page.addEventListener("pagehide", onLeave);
    void drafts.load().then(onFront);
    return () => {
      this.#write();
      unhear();
      forget();
      page.removeEventListener("focus", onFront);
      page.removeEventListener("blur", onLeave);
      page.removeEventListener("pagehide", onLeave);
    };
  };

  /**
   * Changes the draft; one that says nothing new any more is none.
   * @param latest what a new draft begins with
   * @param part the fields as they are now
   * @param texts what cannot be read yet by its path; null: it can be read now
   */
  readonly change = (
    latest: Latest,
    part: Partial<AgentDraft>,
    texts: Readonly<Record<string, string | null>> = {},
  ): void => {
    const now = this.#options.now();
    const before = this.state.get().draft;
    const begun = before ?? {
      base: latest.draft,
      baseVersion: latest.version,
      mine: latest.draft,
      since: now,
    };
    const mine = { ...begun.mine, ...part };
    const held = Object.entries({ ...before?.texts, ...texts }).filter(
      (entry): entry is [string, string] => entry[1] !== null,
    );
    const isNothing = held.length === 0 && changedFields(begun.base, mine).length === 0;
    this.#take(isNothing ? null : { ...begun, mine, at: now, texts: Object.fromEntries(held) });
  };

  /** Puts a whole draft in the place of the one that is there: one that was thrown away comes back. */
  readonly restore = (draft: StoredAgentDraft): void => this.#take({ ...draft, at: this.#options.now() });

  /** Throws the draft away that is shown. */
  readonly discard = (): void => {
    const shown = this.#writeNow();
    const { drafts, agentId } = this.#options;
    if (shown !== null) this.#keep(null, removeAgentDraft(drafts, agentId, shown));
  };

  /**
   * To be called when a save begins; the returned function when it has succeeded. The draft that was saved is none any
   * more; what was typed in another tab while it was on its way stays one.
   */
  readonly beginSave = (): ((now: Latest | null) => void) => {
    const sent = this.#writeNow();
    const { drafts, agentId } = this.#options;
    return (now) => {
      if (sent === null) return;
      const isShown = sameJson(this.state.get().draft, sent);
      const settled = settleAgentDraft(drafts, agentId, sent, now);
      if (isShown) this.#keep(null, settled);
    };
  };

  /** Writes what is open. @returns the draft that is shown */
  #writeNow(): StoredAgentDraft | null {
    this.#write();
    return this.state.get().draft;
  }

  #take(draft: StoredAgentDraft | null): void {
    this.#isTouched = true;
    this.state.set({ isReady: true, draft, keeping: "pending" });
    clearTimeout(this.#timer);
    // Until it is known what is kept, each key is noted, so that the two come together.
    if (!this.#options.drafts.isKnown.get()) this.#write();
    else this.#timer = setTimeout(() => this.#write(), settles);
  }

  #write(): void {
    clearTimeout(this.#timer);
    if (!this.#isTouched) return;
    this.#isTouched = false;
    const { drafts, agentId } = this.#options;
    const { draft } = this.state.get();
    this.#keep(
      draft,
      draft === null ? removeAgentDraft(drafts, agentId, null) : writeAgentDraft(drafts, agentId, draft),
    );
  }

  #keep(draft: StoredAgentDraft | null, written: Promise<void>): void {
    this.state.set({ isReady: true, draft, keeping: "pending" });
    void written.then(() => {
      if (this.#isTouched) return;
      const isLost = this.#options.drafts.trouble.get() !== null;
      this.state.set({ ...this.state.get(), isReady: true, keeping: isLost ? "lost" : "kept" });
    });
  }

  /** Shows what is kept now, unless something is being typed here that is not written yet. */
  #show(): void {
    const { drafts, agentId } = this.#options;
    const before = this.state.get();
    const draft = this.#isTouched ? before.draft : readAgentDraft(drafts, agentId);
    const isSame = sameJson(draft, before.draft);
    this.state.set({ ...before, isReady: true, draft: isSame ? before.draft : draft });
  }
}
