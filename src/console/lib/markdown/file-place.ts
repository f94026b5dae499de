import type { Connection } from "../../api/connection.ts";
import { safeUrl } from "./links.ts";

/**
 * Where the bytes of a file lie. `here`: below this very connection, so the page may read them. `elsewhere`: another
 * place, which is never asked by the page, only opened by a click. `nowhere`: no usable address was given (C-05).
 */
export type Place =
  | { readonly kind: "here"; readonly url: string }
  | { readonly kind: "elsewhere"; readonly url: string; readonly host: string }
  | { readonly kind: "nowhere" };

/** Judges an address that a service gave. */
export function placeOf(api: Pick<Connection, "base">, address: string | null | undefined): Place {
  const url = safeUrl(address);
  if (!url) return { kind: "nowhere" };
  // Not only the origin: behind an upstream's connection somebody else chooses the addresses.
  if (url.href.startsWith(`${api.base}/`)) return { kind: "here", url: url.href };
  return { kind: "elsewhere", url: url.href, host: url.host };
}
