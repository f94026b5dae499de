import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, vi } from "vitest";
import { quickComputedStyle } from "./computed-style.ts";
import { restoreWindow } from "./pristine-window.ts";
import { closeWheelhouses } from "./test-wheelhouse.ts";

// The first test that opens a lazy part waits for its code, which a busy machine takes a while to read.
configure({ asyncUtilTimeout: 10_000 });
// A page has thousands of lines of markup: a failed test says what it looked for, not all of them.
configure({ getElementError: (message) => new Error(message?.split("\n\n")[0] ?? "not found") });

// The tests use no globals, so the library cannot see for itself where a test ends. What a console polls and hears ends
// with its test, too: the files share their modules and the window.
afterEach(() => {
  cleanup();
  closeWheelhouses();
});

afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  restoreWindow();
});

const { getComputedStyle } = window;
window.getComputedStyle = quickComputedStyle(getComputedStyle);

// What the floating parts ask of a browser and jsdom does not have: no test is about these, so they do nothing.
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => {};
Element.prototype.releasePointerCapture ??= () => {};
Element.prototype.scrollIntoView ??= () => {};
// What the editor measures: nothing has a size here.
Range.prototype.getClientRects ??= () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect ??= () => new DOMRect();
// Enough for the ids that React makes, which is what user-event asks it for.
globalThis.CSS ??= { escape: (text: string) => text.replaceAll(/[^\w-]/g, "\\$&") } as typeof CSS;
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
