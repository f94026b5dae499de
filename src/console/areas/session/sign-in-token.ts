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
