import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/**
 * Signatures over text with a key derived from the service's secret. A signature carries the key's id, so that links
 * made with an older secret are told apart from forged ones, and rotating the secret ends all of them.
 */
export interface Signer {
  /** The same secret, another key: a signature made for one purpose never passes for another. */
  for(purpose: string): Signer;
  /** @returns `<key id>.<HMAC-SHA-256>` in base64url */
  sign(text: string): string;
  /** Compared in constant time. False for anything malformed. */
  verify(text: string, signature: string): boolean;
  /** 32 bytes derived from the same secret for another algorithm, different for each purpose. */
  derive(purpose: string): Uint8Array;
}

/** @param secret at least 32 characters, `WHEELHOUSE_SECRET` or the file made in the data directory */
export function createSigner(secret: string, purpose = "root"): Signer {
  const key = Buffer.from(hkdfSync("sha256", secret, "wheelhouse", purpose, 32));
  const keyId = createHash("sha256").update(key).digest("base64url").slice(0, 6);
  const sign = (text: string) => `${keyId}.${createHmac("sha256", key).update(text).digest("base64url")}`;
  return {
    for: (next) => createSigner(secret, `${purpose}/${next}`),
    sign,
    derive: (use) => new Uint8Array(hkdfSync("sha256", secret, "wheelhouse", `${purpose}/${use}/key`, 32)),
    verify(text, signature) {
      const expected = Buffer.from(sign(text));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
