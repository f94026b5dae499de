import { describe, expect, it } from "vitest";
import { fitsForm, otherKeys, readNumber, sectionsOf, settingKeys, withKey } from "./metadata.ts";

const [steps, , temperature] = settingKeys.preferences;
if (!steps || !temperature) throw new Error("preferences have these keys");

describe("metadata by section", () => {
  it("reads a number as people write it, and nothing outside its limits", () => {
    expect(readNumber("24", steps)).toEqual({ ok: true, value: 24 });
    expect(readNumber("0,2", temperature)).toEqual({ ok: true, value: 0.2 });
    expect(readNumber(" ", steps)).toEqual({ ok: true, value: undefined });
    for (const text of ["0", "1001", "2.5", "many"]) expect(readNumber(text, steps).ok).toBe(false);
    expect(readNumber("2.1", temperature).ok).toBe(false);
  });

  it("has no form for values of another type, so that none is lost", () => {
    expect(fitsForm("preferences", { max_steps: 3, colour: [] })).toBe(true);
    expect(fitsForm("preferences", { max_steps: "3" })).toBe(false);
    expect(fitsForm("chat", { starter_prompts: ["a", 1] })).toBe(false);
    expect(fitsForm("appearance", "red")).toBe(false);
    expect(fitsForm("appearance", null)).toBe(true);
    expect(otherKeys("preferences", { max_steps: 3, colour: [] })).toEqual({ colour: [] });
  });

  it("takes a key out, and keeps what stands beside it", () => {
    expect(withKey({ a: 1, b: 2 }, "a", undefined)).toEqual({ b: 2 });
    expect(withKey(null, "a", 1)).toEqual({ a: 1 });
  });

  it("shows sections with a form always, and others of either version", () => {
    expect(sectionsOf(true, { odd: 1, evaluation: {} }, { chat: {}, even: 2 })).toEqual([
      "preferences",
      "personalization",
      "chat",
      "appearance",
      "odd",
      "even",
    ]);
    expect(sectionsOf(false, { evaluation: {} })).toContain("evaluation");
  });
});
