import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Keeps secrets of others (tokens that a server gave us) where a copy of the database must not give them away. */
export interface Sealer {
  /** Begins every box of this key, before the first dot. */
  readonly keyId: string;
  /**
   * @param place where the box is kept; it opens nowhere else, so that a row's box cannot be put into another row
   * @returns `<key id>.<nonce>.<tag>.<content>`, each in base64url
   */
  seal(text: string, place: string): string;
  /** @returns null for a box of another key or place, and for anything that was changed */
  open(box: string, place: string): string | null;
}

/** @param key 32 bytes for nothing else: `signer.derive(purpose)` */
export function createSealer(key: Uint8Array): Sealer {
  const keyId = createHash("sha256").update(key).digest("base64url").slice(0, 6);
  return {
    keyId,
    seal(text, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(place));
      const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      const parts = [nonce, cipher.getAuthTag(), content].map((part) => part.toString("base64url"));
      return [keyId, ...parts].join(".");
    },
    open(box, place) {
      const [id, ...parts] = box.split(".");
      const [nonce, tag, content] = parts.map((part) => Buffer.from(part, "base64url"));
      if (id !== keyId || !content || nonce?.length !== 12 || tag?.length !== 16) return null;
      const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: 16 });
      decipher.setAAD(Buffer.from(place)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(content), decipher.final()]).toString("utf8");
      } catch {
        return null;
      }
    },
  };
}

/** Seals and opens one kind of secret; what does not open counts as not there. */
export interface SecretBox<T> {
  seal(value: T, place: string): string;
  open(box: string | null, place: string): T | null;
}

/**
 * @param kind of the secrets, which is sealed with each: none of another kind opens here. A place, such as a row's id, is so too
 */
export function createSecretBox<T>(sealer: Sealer, kind: string): SecretBox<T> {
  return {
    seal: (value, place) => sealer.seal(JSON.stringify(value), `${kind} ${place}`),
    open(box, place) {
      const text = box === null ? null : sealer.open(box, `${kind} ${place}`);
      // Sealed by the same function a while ago, and nothing else opens.
      return text === null ? null : (JSON.parse(text) as T);
    },
  };
}
