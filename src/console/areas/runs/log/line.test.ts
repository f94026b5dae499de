import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLine } from "./line.ts";

describe("a line of a log", () => {
  it("is taken apart into time, node and text", () => {
    expect(readLine("2026-11-20T08:15:04.123Z [Fetch tariff] lane NL-PL")).toEqual({
      at: Date.UTC(2026, 10, 20, 8, 15, 4, 123),
      node: "Fetch tariff",
      text: "lane NL-PL",
      level: "plain",
    });
  });

  it("may lack the node, or all of its form", () => {
    expect(readLine("2026-11-20T08:15:04+00:00 started")).toMatchObject({ node: null, text: "started" });
    expect(readLine("[1/3] reading")).toEqual({
      at: null,
      node: null,
      text: "[1/3] reading",
      level: "plain",
    });
    expect(readLine("")).toEqual({ at: null, node: null, text: "", level: "plain" });
  });

  it("keeps how far its text is set in", () => {
    expect(readLine("    at match (match.py:118)").text).toBe("    at match (match.py:118)");
    expect(readLine("2026-11-20T08:15:04Z     at match").text).toBe("    at match");
    expect(readLine("2026-11-20T08:15:04Z [Match]     at match").text).toBe("    at match");
  });

  it("C-11: keeps an impossible time as text", () => {
    expect(readLine("0001-01-01T00:00:00Z [a] b")).toMatchObject({
      at: null,
      text: "0001-01-01T00:00:00Z [a] b",
    });
  });

  it("shows after carriage returns what was written last", () => {
    expect(readLine("10 %\r50 %\r100 %").text).toBe("100 %");
    expect(readLine("done\r").text).toBe("done");
    expect(readLine("head\n10 %\r50 %\nfoot").text).toBe("head\n50 %\nfoot");
  });

  it("keeps all of a text whose lines end as on Windows, with its time and node", () => {
    const text = "failed: 502\r\n<html>\r\n</html>";
    expect(readLine(`2026-11-20T08:15:04Z [Fetch] ${text}`)).toEqual({
      at: Date.UTC(2026, 10, 20, 8, 15, 4),
      node: "Fetch",
      text,
      level: "error",
    });
    expect(readLine("10 %\r20 %\r\r\ndone").text).toBe("20 %\r\r\ndone");
  });

  it("has its level from its words", () => {
    expect(readLine("2026-11-20T08:15:04Z [a] failed: 502").level).toBe("error");
    expect(readLine("2026-11-20T08:15:04Z [a] 502, retry 1 of 3").level).toBe("warning");
    expect(readLine("0 errorless").level).toBe("plain");
  });

  it("is none where a branch was not taken, and a warning where something of the work was left out", () => {
    const level = (text: string) => readLine(`2026-11-20T08:15:04Z [a] ${text}`).level;
    expect([level("skipped"), level("417: skipped")]).toEqual(["plain", "plain"]);
    expect([level("skipped 3 malformed rows"), level("417: row skipped")]).toEqual(["warning", "warning"]);
  });

  it("is a warning where what went wrong is tried again, also for an item of `each`", () => {
    const level = (text: string) => readLine(`2026-11-20T08:15:04Z [a] ${text}`).level;
    const why = "the connection failed: TLS error (attempt 1 of 3)";
    expect(level(`tries again in 2.1 s: ${why}`)).toBe("warning");
    expect(level(`17: tries again in 2.1 s: ${why}`)).toBe("warning");
    expect(level("17: tries again in 2.1 s: localhost answered 503 (attempt 2 of 3)")).toBe("warning");
    expect(level("request failed with 502, retrying in 5 s")).toBe("warning");
    expect(level("error 502, retry 1 of 3")).toBe("warning");
    expect(level("failed: localhost answered 503")).toBe("error");
    expect(level("retry 3 of 3 failed: 502")).toBe("error");
    expect(level("failed after 3 retries")).toBe("error");
    expect(level("failed, even after retrying 3 times")).toBe("error");
    expect(level("17: failed: no order")).toBe("error");
  });

  it("never throws and never loses words, whatever comes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (raw) => {
        const line = readLine(raw);
        expect(raw.endsWith(line.text) || raw.includes("\r")).toBe(true);
      }),
    );
  });
});
