import type { Connection } from "../../api/connection.ts";

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

/**
 * Where the bytes of a file lie. `here`: below this very connection, so the page may read them. `elsewhere`: another
 * place, which is never asked by the page, only opened by a click. `nowhere`: no usable address was given (C-05).
 */
export type FilePlace =
  | { readonly kind: "here"; readonly url: string }
  | { readonly kind: "elsewhere"; readonly url: string; readonly host: string }
  | { readonly kind: "nowhere" };

const isThisDevice = ({ hostname }: URL): boolean => ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

/** Judges an address that a service gave. */
export function placeOf(api: Pick<Connection, "base">, address: string | null | undefined): FilePlace {
  const url = safeUrl(address);
  if (!url) return { kind: "nowhere" };
  // One who opens the console by another name of this device gets the same file by that name, and asks no other place.
  const own = new URL(api.base);
  if (url.protocol === own.protocol && url.port === own.port && isThisDevice(url) && isThisDevice(own))
    url.hostname = own.hostname;
  // Not only the origin: behind an upstream's connection somebody else chooses the addresses.
  if (url.href.startsWith(`${api.base}/`)) return { kind: "here", url: url.href };
  return { kind: "elsewhere", url: url.href, host: url.host };
}

/** Whether a text has nothing in it that markdown would change, so that it can be shown at once, without a worker. */
export function isPlain(text: string): boolean {
  if (text.length > 20_000) return false;
  if (/[*_`#[\]<>|~\\&]|https?:|www\.|@/.test(text)) return false;
  // Lists, rules, underlined headings, indented code and forced line ends.
  return !/^(?: {0,3}(?:[-+=]|\d+[.)])| {4}|\t)| {2}$/m.test(text);
}

/** The paragraphs of a plain text. */
export function paragraphsOf(text: string): readonly string[] {
  return text.split(/\n\s*\n/).filter((one) => one.trim() !== "");
}
