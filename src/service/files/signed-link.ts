import type { Signer } from "../credentials/signer.ts";

/** What a signed link opens: one file of the store, under this name. */
export interface LinkedFile {
  /** In the `FileStore`. */
  readonly fileId: string;
  readonly filename: string;
  readonly mediaType: string;
}

export type OpenedLink =
  | { readonly type: "file"; readonly file: LinkedFile }
  /** Any change to the address ends here, and so does a link that was signed with another secret. */
  | { readonly type: "forged" }
  | { readonly type: "expired" };

const purpose = "file link";

/** How long the links in answers live, in seconds. */
export const linkLifetime = 900;

/**
 * A link that opens a file without a credential until `expires` (the artifact's `url`, §2.3).
 * @param publicUrl of the context, without a trailing slash
 * @returns an absolute address
 */
export function signFileLink(signer: Signer, publicUrl: string, file: LinkedFile, expires: Date): string {
  const query = new URLSearchParams({
    name: file.filename,
    type: file.mediaType,
    expires: String(Math.floor(expires.getTime() / 1000)),
  });
  const address = `/api/v1/files/${encodeURIComponent(file.fileId)}?${query}`;
  return `${publicUrl}${address}&signature=${signer.for(purpose).sign(address)}`;
}

/**
 * Checks the address as it was sent, letter by letter, so that reordered, added or re-encoded parameters fail too.
 * @param address path and query
 */
export function openFileLink(signer: Signer, address: string, now: Date): OpenedLink {
  const mark = "&signature=";
  const cut = address.lastIndexOf(mark);
  if (cut === -1) return { type: "forged" };
  const signed = address.slice(0, cut);
  if (!signer.for(purpose).verify(signed, address.slice(cut + mark.length))) return { type: "forged" };
  const url = new URL(signed, "http://localhost");
  if (Number(url.searchParams.get("expires")) * 1000 < now.getTime()) return { type: "expired" };
  return {
    type: "file",
    file: {
      fileId: decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf("/") + 1)),
      filename: url.searchParams.get("name") ?? "file",
      mediaType: url.searchParams.get("type") ?? "application/octet-stream",
    },
  };
}
