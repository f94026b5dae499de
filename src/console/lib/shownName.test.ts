import { describe, expect, it } from "vitest";
import { shownName, startedVia } from "./shownName.ts";

describe("a name as it may be shown", () => {
  it("C-08: marks what cannot be seen or turns the reading direction", () => {
    expect(shownName("photo\u202Egpj.exe")).toBe("photo⟨U+202E⟩gpj.exe");
    expect(shownName("a\u200Db\u200B")).toBe("a⟨U+200D⟩b⟨U+200B⟩");
    expect(shownName("🚀\u200Dexe")).toBe("🚀⟨U+200D⟩exe");
  });

  it("leaves pictures that are joined from several as they are", () => {
    for (const name of ["👩🏽‍🚀 crew", "🏳️‍🌈", "👨‍👩‍👧"]) expect(shownName(name)).toBe(name);
  });
});

it("says what a conversation was started via as people write it, and a strange kind as it came", () => {
  expect(startedVia("api")).toBe("API");
  expect(startedVia("console")).toBe("console");
  expect(startedVia("sl\u202Eack")).toBe("sl⟨U+202E⟩ack");
});
