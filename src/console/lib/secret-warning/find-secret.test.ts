import { expect, test } from "vitest";
import { shownName } from "../shownName.ts";
import { findSecret } from "./find-secret.ts";

test.each([
  "use sk-proj-abcdefghijklmnopqrstuvwx",
  "sk-ant-api03-abcdefghijklmnop",
  "ghp_abcdefghijklmnopqrst1234",
  "AKIAABCDEFGHIJKLMNOP",
  "-----BEGIN OPENSSH PRIVATE KEY-----",
  "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuvwxyz'",
  "postgres://admin:hunter22@db.example/x",
  "password = correct-horse-battery",
])("%s looks like a secret, and is not shown whole (C-39)", (text) => {
  const found = findSecret(text);
  expect(found).not.toBeNull();
  expect(found?.shown.length).toBeLessThanOrEqual(12);
});

test.each([
  "What is the password policy?",
  "curl -H 'Authorization: Bearer $WHEELHOUSE_KEY'",
  "see https://example.com/a:b@c",
  "the risk-management-of-the-harbor-is-good",
  "api_key: $KEY",
])("%s is no secret", (text) => {
  expect(findSecret(text)).toBeNull();
});

test("what the person called harmless is passed over, the next one is not", () => {
  const text = "sk-ant-api03-abcdefghijklmnop and ghp_abcdefghijklmnopqrst1234";
  const first = findSecret(text);
  expect(first?.what).toBe("an Anthropic key");
  expect(findSecret(text, new Set([first?.shown ?? ""]))?.what).toBe("a GitHub token");
});

test("a name that turns the reading direction shows that it does (C-08)", () => {
  expect(shownName("photo\u202egpj.exe")).toBe("photo⟨U+202E⟩gpj.exe");
});
