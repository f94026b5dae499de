import { linkPasswordHeader, openSharedLink } from "../../../contract/access.ts";
import type { Output, Received } from "../../../contract/define.ts";
import { call } from "../../api/client.ts";
import type { Caller } from "../../api/connection.ts";
import { ConsoleError } from "../../api/errors.ts";
import { shownName } from "../../lib/shownName.ts";

/** What a link opened. */
export type OpenedFile = Received<Output<typeof openSharedLink>>;

/** What became of opening a link. Times in ms. */
export type Opened =
  | {
      readonly kind: "file";
      readonly file: OpenedFile;
      readonly receivedAt: number;
      /** Why it could not be opened again, which says nothing of the link. */
      readonly failure?: unknown;
    }
  /** It needs its password; nothing else is told. */
  | { readonly kind: "password"; readonly isWrong: boolean }
  /** Too many tries, by whomever: also the right password waits. */
  | { readonly kind: "wait"; readonly until: number }
  /** Switched off, replaced, deleted, or never there: the service answers all alike. */
  | { readonly kind: "ended"; readonly at: number; readonly requestId: string | null }
  | { readonly kind: "failed"; readonly error: unknown };

/** Without a `Retry-After` the page waits so long by itself. */
const unasked = 30_000;

/**
 * Asks what a link opens, without a key, whoever is signed in to this browser (own `GET /shared/{token}`). Never throws.
 * @param password goes in a header and nowhere else; null: without one
 */
export async function openLink(caller: Caller, token: string, password: string | null): Promise<Opened> {
  try {
    const headers = password === null ? undefined : { [linkPasswordHeader]: encodePassword(password) };
    const { data, receivedAt } = await call(caller, openSharedLink, { params: { token } }, { headers });
    return { kind: "file", file: data, receivedAt };
  } catch (error) {
    const now = caller.clock.now();
    if (!(error instanceof ConsoleError)) return { kind: "failed", error };
    if (error.code === "link_password_required") return { kind: "password", isWrong: false };
    if (error.code === "link_password_wrong") return { kind: "password", isWrong: true };
    if (error.status === 429) return { kind: "wait", until: now + (error.retryAfterMs ?? unasked) };
    if (error.kind === "http" && (error.status === 404 || error.status === 410)) {
      return { kind: "ended", at: now, requestId: error.requestId };
    }
    return { kind: "failed", error };
  }
}

/** Headers hold ASCII only. Half a character, which no keyboard writes, cannot be encoded and is replaced. */
function encodePassword(password: string): string {
  return encodeURIComponent(password.replace(/[\uD800-\uDFFF]/gu, "\uFFFD"));
}

/** The token of an address such as `/shared/abc`; null for any other address. */
export function tokenOf(pathname: string): string | null {
  const raw = /^\/shared\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (raw === undefined) return null;
  try {
    const token = decodeURIComponent(raw);
    // A dot segment would address another endpoint.
    return token === "." || token === ".." ? null : token;
  } catch {
    return null;
  }
}

/** A file's name as it may be shown; a file without one is called so. */
export function shownFilename(name: string | null | undefined): string {
  return name ? shownName(name) : "Untitled file";
}
