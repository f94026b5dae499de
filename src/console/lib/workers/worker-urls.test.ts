// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { workerUrls } from "./workers.ts";

const own = ["/assets/run-reader-abc.js"];

/** A window whose Trusted Types behave as the browser's: only a policy's own result is trusted. */
function strictWindow() {
  const made: string[] = [];
  const trustedTypes = {
    createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => {
      made.push(name);
      return { createScriptURL: (url: string) => ({ trusted: rules.createScriptURL(url) }) };
    },
  };
  return { page: Object.assign(Object.create(window), { trustedTypes }) as typeof window, made };
}

describe("addresses of workers", () => {
  it("pass through the one policy, which is made once", () => {
    const { page, made } = strictWindow();
    const urls = workerUrls(page, own);
    expect(urls("/assets/run-reader-abc.js")).toEqual({ trusted: "/assets/run-reader-abc.js" });
    urls("/assets/run-reader-abc.js");
    expect(made).toEqual(["wheelhouse"]);
  });

  it.each([
    "/assets/other.js",
    "https://evil.example/w.js",
    "//evil.example/w.js",
    "data:text/javascript,1",
    "blob:x",
    "",
  ])("that are not ours are refused: %s", (url) => {
    expect(() => workerUrls(strictWindow().page, own)(url)).toThrow(TypeError);
    expect(() => workerUrls(window, own)(url)).toThrow(TypeError);
  });
});
