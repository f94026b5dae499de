/** What a tab lets the others know of a thing that it watches. */
type Word = "viewing" | "killed";

/** How the open tabs of one person agree on who tells of an end. */
export interface Tabs {
  /** Lets the other tabs know, until the returned function is called or this tab is gone. */
  say(word: Word, key: string): () => void;
  /**
   * Calls `tell`, unless another tab told of the same end or `unless` is said by one.
   * @param since when this tab last knew that it had not ended, ms since 1970: who told later told of this end
   */
  once(key: string, since: number, unless: readonly Word[], tell: () => void): Promise<void>;
  close(): void;
}

/**
 * Tabs that agree by the names of the locks that they hold: a name says something, and goes with its tab, so nothing has
 * to be stored and cleared. Where the browser has no locks (a page over plain HTTP), each tab is for itself.
 * @param identity whose tabs these are
 */
export function tabsOf(identity: string, locks: LockManager | undefined, now: () => number): Tabs {
  const nameOf = (...parts: readonly string[]) =>
    ["wheelhouse", identity, ...parts].map(encodeURIComponent).join(" ");
  const held = new Set<() => void>();

  /** Resolves when the others can see it. */
  function hold(name: string): { seen: Promise<void>; release: () => void } {
    let release = () => {};
    const gone = new Promise<void>((resolve) => {
      release = () => {
        held.delete(release);
        resolve();
      };
    });
    held.add(release);
    const seen = new Promise<void>((resolve) => {
      const asked = locks?.request(name, { mode: "shared" }, () => {
        resolve();
        return gone;
      });
      // A tab that is being closed gets no lock any more.
      (asked ?? Promise.resolve()).catch(() => {}).finally(resolve);
    });
    return { seen, release };
  }

  return {
    say: (word, key) => hold(nameOf(word, key)).release,
    async once(key, since, unless, tell) {
      if (!locks) return tell();
      const told = `${nameOf("told", key)} `;
      // One after the other, so that two tabs that see an end at the same moment do not both tell.
      await locks.request(nameOf("telling"), async () => {
        const names = ((await locks.query()).held ?? []).map(({ name = "" }) => name);
        if (unless.some((word) => names.includes(nameOf(word, key)))) return;
        if (names.some((name) => name.startsWith(told) && Number(name.slice(told.length)) > since)) return;
        await hold(told + now()).seen;
        tell();
      });
    },
    close() {
      for (const release of [...held]) release();
    },
  };
}

/** What of a document the badge touches. */
type Tab = Pick<Document, "title" | "head" | "querySelector">;

/**
 * Puts a number before whatever title the pages set, and a mark on the tab's icon.
 * @param count how many ends nobody has looked at
 * @returns takes both away
 */
export function showTabBadge(tab: Tab, count: number): () => void {
  let plain = tab.title;
  let written: string | null = null;
  const apply = () => {
    if (tab.title === written) return;
    plain = tab.title;
    tab.title = `(${count}) ${plain}`;
    // As the browser made it of ours.
    written = tab.title;
  };
  const observer = new MutationObserver(apply);
  observer.observe(tab.head, { childList: true, characterData: true, subtree: true });
  apply();
  const icon = tab.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const plainIcon = icon?.getAttribute("href") ?? "";
  icon?.setAttribute("href", plainIcon.replace(/icon\.svg$/, "icon-news.svg"));
  return () => {
    observer.disconnect();
    if (tab.title === written) tab.title = plain;
    icon?.setAttribute("href", plainIcon);
  };
}
