import type { Signer } from "../credentials/signer.ts";

/** For whom a link was signed: it opens nothing as soon as its holder may not open the artifact any more. */
export type LinkHolder =
  /** The credential that asked for it, by id. */
  | { readonly type: "credential"; readonly id: string }
  /** Whoever opened the artifact's own link, as it was then. */
  | { readonly type: "shared"; readonly revision: number };

/** What a signed link opens: one version of an artifact, shown in place or saved. */
export interface LinkedFile {
  readonly artifactId: string;
  readonly versionId: string;
  readonly disposition: "inline" | "attachment";
  readonly holder: LinkHolder;
}

export type OpenedLink =
  | { readonly type: "file"; readonly file: LinkedFile }
  /** Any change to the address ends here, and so does a link that was signed with another secret. */
  | { readonly type: "forged" }
  /** Its end is over by the clock that it was compared with: whether that one or its signer's has jumped, nobody can tell. */
  | { readonly type: "expired"; readonly endedAt: Date }
  /** Of a time to come, so that clocks differ: its signer's is ahead by `aheadMs` at least. */
  | { readonly type: "early"; readonly aheadMs: number };

const purpose = "file link";

/** How long links live at most, in seconds. */
export const linkLifetime = 900;
/** They end at whole steps, so that an address stays the same for a while and what it brought need not be loaded anew. */
const step = 300;
/** Services that share a database differ by less, in milliseconds. */
const toleranceMs = 5_000;

/**
 * A link that opens a version of an artifact without a credential (the artifact's `url`, §2.3). It names ids and never
 * the file's name, and lives for 10 to 15 minutes.
 * @param publicUrl of the context, without a trailing slash
 * @returns an absolute address
 */
export function signFileLink(signer: Signer, publicUrl: string, file: LinkedFile, now: Date): string {
  const { holder } = file;
  const expires = Math.floor((now.getTime() / 1000 + linkLifetime) / step) * step;
  const query = new URLSearchParams({
    artifact: file.artifactId,
    disposition: file.disposition,
    ...(holder.type === "credential" ? { credential: holder.id } : { shared: String(holder.revision) }),
    expires: String(expires),
  });
  const address = `/api/v1/files/${encodeURIComponent(file.versionId)}?${query}`;
  return `${publicUrl}${address}&signature=${signer.for(purpose).sign(`GET ${address}`)}`;
}

/**
 * Checks the method and the address as they were sent, letter by letter, so that reordered, added or re-encoded
 * parameters fail too. The signature carries the id of its key and is compared in constant time.
 * @param method a link is for GET, which HEAD asks about
 * @param address path and query
 */
export function openFileLink(signer: Signer, method: string, address: string, now: Date): OpenedLink {
  const mark = "&signature=";
  const cut = address.lastIndexOf(mark);
  if (cut === -1) return { type: "forged" };
  const signed = address.slice(0, cut);
  const asked = method === "HEAD" ? "GET" : method;
  if (!signer.for(purpose).verify(`${asked} ${signed}`, address.slice(cut + mark.length))) {
    return { type: "forged" };
  }
  const { pathname, searchParams } = new URL(signed, "http://localhost");
  const expires = Number(searchParams.get("expires")) * 1000;
  if (expires < now.getTime()) return { type: "expired", endedAt: new Date(expires) };
  const aheadMs = expires - linkLifetime * 1000 - now.getTime();
  if (aheadMs > toleranceMs) return { type: "early", aheadMs };
  const credential = searchParams.get("credential");
  return {
    type: "file",
    file: {
      artifactId: searchParams.get("artifact") ?? "",
      versionId: decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1)),
      disposition: searchParams.get("disposition") === "inline" ? "inline" : "attachment",
      holder:
        credential === null
          ? { type: "shared", revision: Number(searchParams.get("shared")) }
          : { type: "credential", id: credential },
    },
  };
}
