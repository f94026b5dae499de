import { vi } from "vitest";

/** Runs a test with a browser that is narrow, and used with a finger. */
export async function onPhone(test: () => Promise<void>): Promise<void> {
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: /max-width|coarse/.test(query),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  try {
    await test();
  } finally {
    vi.unstubAllGlobals();
  }
}
