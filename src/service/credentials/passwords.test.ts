import { describe, expect, test, vi } from "vitest";
import { ServiceError } from "../service-error.ts";
import { createPasswords } from "./passwords.ts";

const work = vi.hoisted(() => ({ running: 0, most: 0, times: 0 }));
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  type Done = (error: Error | null, key: Buffer) => void;
  const scrypt = (password: string, salt: string, length: number, options: object, done: Done) => {
    work.times++;
    work.most = Math.max(work.most, ++work.running);
    // A cost that tests can pay; what runs at the same time is the same.
    crypto.scrypt(password, salt, length, { ...options, N: 2 }, (error, key) => {
      work.running--;
      done(error, key);
    });
  };
  return { ...crypto, scrypt };
});

describe("S-36: passwords", () => {
  test("are hashed two at a time, and all of them", async () => {
    const passwords = createPasswords();
    const kept = await passwords.hash("correct horse 42");
    const all = await Promise.all(
      Array.from({ length: 30 }, () => passwords.verify("correct horse 42", kept)),
    );
    expect(all).toEqual(Array(30).fill(true));
    expect(work.most).toBe(2);
  });

  test("are refused, not queued for minutes, when too many wait", async () => {
    const passwords = createPasswords();
    const before = work.times;
    const asked = await Promise.allSettled(
      Array.from({ length: 200 }, () => passwords.hash("correct horse 42")),
    );
    const refused = asked.filter((one) => one.status === "rejected").map(({ reason }) => reason);
    expect(refused).toHaveLength(200 - 66);
    expect(refused.every((error) => error instanceof ServiceError && error.code === "unavailable")).toBe(
      true,
    );
    expect(work.times - before).toBe(66);
    expect(await passwords.hash("correct horse 42")).toContain("scrypt$");
  });

  test("that are broken in the database fit nothing", async () => {
    const passwords = createPasswords();
    for (const kept of ["", "scrypt", "scrypt$2$8$1$x", "plain$2$8$1$x$y", "scrypt$2$8$1$$", "a$b$c$d$e$f$g"])
      expect(await passwords.verify("correct horse 42", kept)).toBe(false);
  });
});
