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
