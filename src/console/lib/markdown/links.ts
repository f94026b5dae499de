/** An address that a click may open: absolute, http or https, and nothing else (C-05). Null for all others. */
export function safeUrl(address: string | null | undefined): URL | null {
  try {
    // Without a base, so that "//host" and "\\host" are no addresses: they would take our scheme.
    const url = new URL(address ?? "");
    return url.protocol === "https:" || url.protocol === "http:" ? url : null;
  } catch {
    return null;
  }
}

/**
 * The host to show beside a link whose words could be taken for another place; null where they say nothing of a host,
 * or the true one. Hosts are in punycode, as `URL` writes them (C-08).
 */
export function hostToShow(words: string, url: URL): string | null {
  const named = words
    .trim()
    .match(/^(?:https?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+[\p{L}]{2,})(?::\d+)?(?=[/?#\s]|$)/iu)?.[1];
  if (named === undefined) return null;
  const isSame = named.toLowerCase() === url.hostname || `www.${named.toLowerCase()}` === url.hostname;
  return isSame ? null : url.host;
}
