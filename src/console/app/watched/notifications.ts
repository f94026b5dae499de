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
export function notificationsAllowed(): Allowed {
  if (!("Notification" in window) || window.isSecureContext === false) return "never";
  return Notification.permission;
}

/** Asks the person, in the browser's own words. Only for a click: a browser refuses a question that comes by itself. */
export async function askForNotifications(): Promise<Allowed> {
  const before = notificationsAllowed();
  if (before !== "default") return before;
  try {
    return await Notification.requestPermission();
  } catch {
    return "never";
  }
}

/**
 * Shows one notification where the browser lets us.
 * @param onOpen the person clicked it
 * @returns takes it away again
 */
export function notify(note: Note, onOpen: () => void): () => void {
  if (notificationsAllowed() !== "granted") return () => {};
  try {
    const shown = new Notification(note.title, { body: note.body, tag: note.tag });
    shown.onclick = () => {
      window.focus();
      shown.close();
      onOpen();
    };
    return () => shown.close();
  } catch {
    // Browsers of phones have the permission and no such notifications: the tab still tells.
    return () => {};
  }
}
