import { describe, expect, test } from "vitest";
import { ServiceError } from "../service-error.ts";
import { createPasswords, scryptKey } from "./passwords.ts";

/** Counts what runs, at a cost that tests can pay. */
function counted() {
  const work = { running: 0, most: 0, times: 0 };
  const passwords = createPasswords(async (password, salt, length, options) => {
    work.times++;
    work.most = Math.max(work.most, ++work.running);
    try {
      return await scryptKey(password, salt, length, { ...options, N: 2 });
    } finally {
      work.running--;
    }
  });
  return { work, passwords };
}

describe("S-36: passwords", () => {
  test("are hashed two at a time, and all of them", async () => {
    const { work, passwords } = counted();
    const kept = await passwords.hash("correct horse 42");
    const all = await Promise.all(
      Array.from({ length: 30 }, () => passwords.verify("correct horse 42", kept)),
    );
    expect(all).toEqual(Array(30).fill(true));
    expect(work.most).toBe(2);
  });

  test("are refused, not queued for minutes, when too many wait", async () => {
    const { work, passwords } = counted();
    const asked = await Promise.allSettled(
      Array.from({ length: 200 }, () => passwords.hash("correct horse 42")),
    );
    const refused = asked.filter((one) => one.status === "rejected").map(({ reason }) => reason);
    expect(refused).toHaveLength(200 - 66);
    expect(refused.every((error) => error instanceof ServiceError && error.code === "unavailable")).toBe(
      true,
    );
    expect(work.times).toBe(66);
    expect(await passwords.hash("correct horse 42")).toContain("scrypt$");
  });

  test("that are not the one that was set fit nothing", async () => {
    const passwords = createPasswords();
    const kept = await passwords.hash("correct horse 42");
    for (const wrong of ["correct horse 43", "Correct horse 42", "correct horse 42 ", ""])
      expect(await passwords.verify(wrong, kept)).toBe(false);
    expect(await passwords.verify("correct horse 42", kept)).toBe(true);
  });

  test("that are broken in the database fit nothing", async () => {
    const passwords = createPasswords();
    for (const kept of ["", "scrypt", "scrypt$2$8$1$x", "plain$2$8$1$x$y", "scrypt$2$8$1$$", "a$b$c$d$e$f$g"])
      expect(await passwords.verify("correct horse 42", kept)).toBe(false);
  });
});
