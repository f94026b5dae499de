import { describe, expect, it } from "vitest";
import { type KeyPress, makeMatcher, type Shortcut } from "./shortcuts.ts";

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isTyping: false,
  ...more,
});
const shortcuts: Shortcut[] = [
  { keys: "g r", does: "Go to runs", run: () => {} },
  { keys: "r", does: "Run again", run: () => {} },
  { keys: "mod+k", does: "Search", run: () => {}, whileTyping: true },
];

describe("the keyboard", () => {
  it("reads two keys after each other as one shortcut", () => {
    const match = makeMatcher();
    expect(match(press("g"), shortcuts, 0)).toBeNull();
    expect(match(press("r"), shortcuts, 300)?.does).toBe("Go to runs");
  });

  it("forgets the first key after a while, and after another key", () => {
    const match = makeMatcher();
    match(press("g"), shortcuts, 0);
    expect(match(press("r"), shortcuts, 5_000)?.does).toBe("Run again");
    match(press("g"), shortcuts, 6_000);
    match(press("x"), shortcuts, 6_100);
    expect(match(press("r"), shortcuts, 6_200)?.does).toBe("Run again");
  });

  it("leaves the key after g to the frame, whatever the page has on it", () => {
    const match = makeMatcher();
    const page = shortcuts.filter((one) => one.keys === "r");
    expect(match(press("g"), page, 0)).toBeNull();
    expect(match(press("r"), page, 300)).toBeNull();
    expect(match(press("r"), page, 600)?.does).toBe("Run again");
  });

  it("leaves typing alone, except for what says otherwise", () => {
    const match = makeMatcher();
    expect(match(press("r", { isTyping: true }), shortcuts, 0)).toBeNull();
    expect(match(press("K", { isTyping: true, metaKey: true }), shortcuts, 0)?.does).toBe("Search");
    expect(match(press("k", { ctrlKey: true }), shortcuts, 0)?.does).toBe("Search");
  });

  it("leaves the browser's own keys alone", () => {
    expect(makeMatcher()(press("r", { ctrlKey: true }), shortcuts, 0)).toBeNull();
    expect(makeMatcher()(press("r", { altKey: true }), shortcuts, 0)).toBeNull();
  });
});
