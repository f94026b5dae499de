import { createHash, hash, timingSafeEqual } from "node:crypto";
import { randomText } from "../context.ts";

/** A personal key, a team key, or an access token (§5.2, §5.4). */
export type CredentialKind = "personal" | "team" | "token";

/** A secret as it is shown once, and what is kept of it. */
export interface NewSecret {
  /** `wh_<kind>_<27 random characters of base 62: 160 bits>_<checksum>` */
  readonly secret: string;
  /** The readable start, for lists: `wh_personal_3fXa`. */
  readonly prefix: string;
  readonly hash: Buffer;
}

/** Makes a new secret at random. Whoever calls this stores the hash alone, and shows the secret once. */
export function makeSecret(kind: CredentialKind): NewSecret {
  const body = `wh_${kind}_${randomText(27)}`;
  const secret = `${body}_${checksum(body)}`;
  return { secret, prefix: prefixOf(secret), hash: hashSecret(secret) };
}

/** The first characters of a secret that may be shown: never more than a quarter of a key that somebody else chose. */
export function prefixOf(secret: string): string {
  const ours = /^wh_(?:personal|team|token)_.{4}/.exec(secret);
  return ours ? ours[0] : secret.slice(0, Math.min(6, Math.floor(secret.length / 4)));
}

/** Whether the text has the form of our secrets and its checksum holds, so that a scanner or a form can tell a typo. */
export function isWellFormed(secret: string): boolean {
  const parts = /^(wh_(?:personal|team|token)_[0-9A-Za-z]{27})_([0-9a-f]{6})$/.exec(secret);
  return parts?.[1] !== undefined && checksum(parts[1]) === parts[2];
}

/** SHA-256: enough for secrets of 160 random bits, and it can be looked up. */
export function hashSecret(secret: string): Buffer {
  return hash("sha256", secret, "buffer");
}

/** The same in hex, as a key of what is remembered. */
export function hashText(secret: string): string {
  return hash("sha256", secret, "hex");
}

/** In constant time. */
export function sameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other);
}

function checksum(body: string): string {
  return createHash("sha256").update(`checksum:${body}`).digest("hex").slice(0, 6);
}
