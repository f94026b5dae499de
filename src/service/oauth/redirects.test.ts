import { describe, expect, it } from "vitest";
import { isRedirect, matchesRedirect, placeOfRedirect, redirectWith } from "./redirects.ts";

describe("the address at which a program is answered", () => {
  it.each([
    "https://app.example.com/callback",
    "https://app.example.com",
    "https://app.example.com:8443/a?b=c",
    "http://127.0.0.1/callback",
    "http://127.0.0.1:8080/callback",
    "http://[::1]:5000/",
    "http://localhost:3000/callback",
    "com.example.app:/callback",
    "com.example.app://callback",
  ])("may be %s", (uri) => expect(isRedirect(uri)).toBe(true));

  it.each([
    "http://app.example.com/callback",
    "https://*.example.com/callback",
    "https://user:word@app.example.com/",
    "https://app.example.com/#part",
    "https://app.example.com/a b",
    "https://app.example.com/../x",
    "https:///x",
    "https://",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "myapp:/callback",
    "http://127.0.0.1.evil.example/",
    "http://127.0.0.1@evil.example/",
    "http://127.0.0.1:99999/",
    "http://0.0.0.0/",
    "http://localhost.evil.example/",
    "http://2130706433/",
    "/callback",
    "",
  ])("S-161: may not be %s", (uri) => expect(isRedirect(uri)).toBe(false));

  it("may have any port on the program's own device, and no other difference", () => {
    const matches = (known: string, asked: string) => matchesRedirect([known], asked);
    expect(matches("http://127.0.0.1/callback", "http://127.0.0.1:49152/callback")).toBe(true);
    expect(matches("http://127.0.0.1:1000/callback", "http://127.0.0.1/callback")).toBe(true);
    expect(matches("http://[::1]/callback", "http://[::1]:49152/callback")).toBe(true);
    expect(matches("http://127.0.0.1/callback", "http://localhost:49152/callback")).toBe(false);
    expect(matches("http://127.0.0.1/callback", "http://127.0.0.1:49152/other")).toBe(false);
    expect(matches("http://127.0.0.1/callback", "http://127.0.0.1:49152/callback?x=1")).toBe(false);
    expect(matches("https://app.example.com/callback", "https://app.example.com:8443/callback")).toBe(false);
  });

  it("gets the answer beside what is in its query, and says to people where it goes", () => {
    const answer = { code: "c&d", state: null };
    expect(redirectWith("https://app.example.com/a?b=c", "https://me.example", answer)).toBe(
      "https://app.example.com/a?b=c&code=c%26d&iss=https%3A%2F%2Fme.example",
    );
    expect(redirectWith("com.example.app:/back", "https://me.example", answer)).toMatch(
      /^com\.example\.app:\/back\?code=/,
    );
    expect(placeOfRedirect("http://127.0.0.1:1/x")).toBe("this device");
    expect(placeOfRedirect("https://app.example.com/x")).toBe("app.example.com");
    expect(placeOfRedirect("com.example.app:/x")).toBe("com.example.app");
  });
});
