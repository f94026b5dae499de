import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { createLimiter } from "../limiter.ts";
import { ServiceError } from "../service-error.ts";

/** Keeps passwords so that they cannot be read, and compares them. Slow on purpose, and never on the event loop. */
export interface Passwords {
  /** @returns `scrypt$N$r$p$salt$hash`, with a fresh salt */
  hash(password: string): Promise<string>;
  /** @param kept what `hash` made; false for anything else */
  verify(password: string, kept: string): Promise<boolean>;
}

/** 32 MB and about a tenth of a second each; a stored hash keeps the cost that it was made with. */
const cost = { N: 2 ** 15, r: 8, p: 1 };
const keyLength = 32;
const memoryLimit = 128 * 1024 * 1024;
/** Each takes a thread of the few that also read files. */
const places = 2;
/** More than so many would wait for minutes. */
const maxPending = 64;

/** How the same password is written on every keyboard (NFKC). */
function spelled(password: string): Buffer {
  return Buffer.from(password.normalize("NFKC"), "utf8");
}

/**
 * Of all calls of one `Passwords`, at most two run at a time. The links that others wait for take turns, so that guesses at
 * one keep nobody out of another.
 * @param work what makes a key of a password
 */
export function createPasswords(work = scryptKey): Passwords {
  const limiter = createLimiter({ places });
  const limited = async <T>(share: readonly string[], task: () => Promise<T>): Promise<T> => {
    if (limiter.waiting >= maxPending) throw new ServiceError("unavailable", { retryAfter: 10 });
    return await limiter.run({ share }, task);
  };
  return {
    hash: (password) =>
      limited([], async () => {
        const salt = randomBytes(16);
        const key = await work(spelled(password), salt, keyLength, cost);
        const { N, r, p } = cost;
        return ["scrypt", N, r, p, salt.toString("base64url"), key.toString("base64url")].join("$");
      }),
    async verify(password, kept) {
      const [name, N, r, p, salt, key, ...more] = kept.split("$");
      if (name !== "scrypt" || !salt || !key || more.length > 0) return false;
      const expected = Buffer.from(key, "base64url");
      const costs = { N: Number(N), r: Number(r), p: Number(p) };
      const salted = Buffer.from(salt, "base64url");
      const found = await limited([kept], () => work(spelled(password), salted, expected.length, costs));
      return timingSafeEqual(found, expected);
    },
  };
}

/** scrypt with a limit of memory, off the event loop. */
export function scryptKey(
  password: Buffer,
  salt: Buffer,
  length: number,
  options: ScryptOptions,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, length, { ...options, maxmem: memoryLimit }, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
