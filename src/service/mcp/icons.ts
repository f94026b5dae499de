import { createHash } from "node:crypto";
import { readAtMost } from "../outgoing/read-at-most.ts";

/** A picture that may be shown: one of four raster formats, whatever its server called it. */
export interface Icon {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly mediaType: "image/png" | "image/jpeg" | "image/webp" | "image/gif";
  /** Of the bytes. */
  readonly etag: string;
}

export interface Icons {
  /** @returns null where there is none, or none that may be shown */
  get(serverId: string, url: string, fetch: typeof globalThis.fetch): Promise<Icon | null>;
}

/** Bytes of a picture, at most. */
const maxIconSize = 262_144;
const keepMs = 86_400_000;
/** How long it is remembered that there was none. */
const forgetMs = 300_000;

/** Pictures of servers, fetched here so that no browser ever asks their hosts. Each is asked for once a day at most. */
export function createIcons(now: () => number): Icons {
  const known = new Map<
    string,
    { readonly url: string; readonly until: number; readonly icon: Promise<Icon | null> }
  >();
  return {
    async get(serverId, url, fetch) {
      const entry = known.get(serverId);
      if (entry?.url === url && entry.until > now()) return await entry.icon;
      const icon = load(url, fetch).catch(() => null);
      known.set(serverId, { url, until: now() + keepMs, icon });
      if ((await icon) === null) known.set(serverId, { url, until: now() + forgetMs, icon });
      return await icon;
    },
  };
}

async function load(url: string, fetch: typeof globalThis.fetch): Promise<Icon | null> {
  const response = await fetch(url, { headers: { accept: "image/*" }, signal: AbortSignal.timeout(10_000) });
  if (!response.ok || !response.body) {
    await response.body?.cancel();
    return null;
  }
  const read = await readAtMost(response, maxIconSize);
  if (read === null) return null;
  const bytes = new Uint8Array(read);
  const mediaType = mediaTypeOf(bytes);
  if (mediaType === null) return null;
  return { bytes, mediaType, etag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
}

/** By the first bytes alone: what a server says of its own file counts for nothing, and SVG is no picture but a program. */
function mediaTypeOf(bytes: Uint8Array): Icon["mediaType"] | null {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (head.startsWith("GIF87a") || head.startsWith("GIF89a")) return "image/gif";
  return head.startsWith("RIFF") && head.slice(8) === "WEBP" ? "image/webp" : null;
}
