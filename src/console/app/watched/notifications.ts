/** What the browser says to notifications of this page. `never`: it has none, or none for pages over plain HTTP. */
export type Allowed = NotificationPermission | "never";

/** What is shown outside the page. Nothing secret belongs here: it may be seen on a locked screen. */
export interface Note {
  readonly title: string;
  readonly body: string;
  /** A later one with the same tag takes its place. */
  readonly tag: string;
}

/** What the browser would do now. */
export function notificationsAllowed(page: Window & typeof globalThis = window): Allowed {
  if (!("Notification" in page) || page.isSecureContext === false) return "never";
  return page.Notification.permission;
}

/** Asks the person, in the browser's own words. Only for a click: a browser refuses a question that comes by itself. */
export async function askForNotifications(page: Window & typeof globalThis = window): Promise<Allowed> {
  const before = notificationsAllowed(page);
  if (before !== "default") return before;
  try {
    return await page.Notification.requestPermission();
  } catch {
    return "never";
  }
}

/**
 * Shows one notification where the browser lets us.
 * @param onOpen the person clicked it
 * @returns takes it away again
 */
export function notify(
  note: Note,
  onOpen: () => void,
  page: Window & typeof globalThis = window,
): () => void {
  if (notificationsAllowed(page) !== "granted") return () => {};
  try {
    const shown = new page.Notification(note.title, { body: note.body, tag: note.tag });
    shown.onclick = () => {
      page.focus();
      shown.close();
      onOpen();
    };
    return () => shown.close();
  } catch {
    // Browsers of phones have the permission and no such notifications: the tab still tells.
    return () => {};
  }
}
