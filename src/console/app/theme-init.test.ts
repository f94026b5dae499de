// @vitest-environment jsdom
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test, vi } from "vitest";

const script = readFileSync(path.join(import.meta.dirname, "theme-init.js"), "utf8");

/** Runs the script as the page does, on a system that prefers light or dark; returns a way to change that preference. */
function start(prefersDark: boolean) {
  const media = Object.assign(new EventTarget(), { matches: prefersDark });
  vi.stubGlobal("matchMedia", () => media);
  new Function(script)();
  return (isDark: boolean) => {
    media.matches = isDark;
    media.dispatchEvent(new Event("change"));
  };
}
const shown = () => ({ ...document.documentElement.dataset });

beforeEach(() => {
  // The window may be one that another file has used.
  localStorage.clear();
  sessionStorage.clear();
  for (const name of Object.keys(document.documentElement.dataset))
    delete document.documentElement.dataset[name];
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a first visit follows the system", () => {
  start(true);
  expect(shown()).toEqual({ theme: "dark", density: "normal", keys: "on" });
});

test("the theme follows the system while it changes, when nothing was chosen", () => {
  const prefer = start(false);
  expect(shown().theme).toBe("light");
  prefer(true);
  expect(shown().theme).toBe("dark");
});

test("what the person chose wins over the system, now and in the other tabs", () => {
  localStorage.setItem("wheelhouse:theme", "light");
  localStorage.setItem("wheelhouse:density", "compact");
  start(true);
  expect(shown()).toEqual({ theme: "light", density: "compact", keys: "on" });
  localStorage.setItem("wheelhouse:theme", "dark");
  dispatchEvent(new Event("storage"));
  expect(shown().theme).toBe("dark");
});

test("a value that nobody knows is as good as none", () => {
  localStorage.setItem("wheelhouse:theme", "<b>pink</b>");
  start(false);
  expect(shown().theme).toBe("light");
});

test("with a blocked storage the page still shows, and takes the choice that the settings tell it", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new DOMException("denied", "SecurityError");
    },
    clear: () => {},
  });
  start(true);
  expect(shown().theme).toBe("dark");
  dispatchEvent(new CustomEvent("wheelhouse:appearance", { detail: { theme: "light", density: "compact" } }));
  expect(shown()).toEqual({ theme: "light", density: "compact", keys: "on" });
});

test("the frame that stands in the page is for who has signed in, with the entry of the asked page", () => {
  sessionStorage.setItem("wheelhouse:session", "{}");
  history.replaceState(null, "", "/runs/run_1?tab=log");
  start(false);
  expect(shown().frame).toBe("/runs");
  delete document.documentElement.dataset.frame;
  history.replaceState(null, "", "/sign-in");
  start(false);
  expect(shown().frame).toBeUndefined();
  history.replaceState(null, "", "/runs");
  sessionStorage.clear();
  start(false);
  expect(shown().frame).toBeUndefined();
  history.replaceState(null, "", "/sign-in?next=/runs");
  start(false);
  expect(shown().frame, "the sign-in is for who has not").toBe("/sign-in");
});
