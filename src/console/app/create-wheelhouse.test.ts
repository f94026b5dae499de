// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { signedInWheelhouse, testWheelhouse } from "../../testing/test-wheelhouse.ts";

/** Something that an area keeps, and what it is told. */
function kept() {
  const thing = { close: vi.fn(), forget: vi.fn() };
  return { thing, make: () => thing };
}

it("what an area keeps is made once, and closed when the person signs out", () => {
  const { wheelhouse, api } = signedInWheelhouse();
  const { thing, make } = kept();
  expect(api.keep(make)).toBe(thing);
  expect(api.keep(make)).toBe(thing);
  expect(thing.close).not.toHaveBeenCalled();
  wheelhouse.session.signOut();
  expect(thing.close).toHaveBeenCalledTimes(1);
});

it("what an area keeps is told when the cache lets go of what was read", () => {
  const { wheelhouse, api } = signedInWheelhouse();
  const { thing, make } = kept();
  api.keep(make);
  const queryKey = [api.id, "getRun", "run_1"];
  wheelhouse.queries.setQueryData(queryKey, {});
  expect(thing.forget).not.toHaveBeenCalled();
  wheelhouse.queries.removeQueries({ queryKey });
  expect(thing.forget).toHaveBeenCalledWith(queryKey);
});

it("whoever asks for the sign-in sees it at once, and other pages wait for what another tab hands over", async () => {
  sessionStorage.clear();
  vi.useFakeTimers();
  try {
    const silent = { postMessage: () => {}, addEventListener: () => {}, close: () => {} };
    const isStarted = async (address: string) => {
      window.history.replaceState(null, "", address);
      const started = vi.fn();
      void testWheelhouse({ channel: silent, draftChannel: null }).start().then(started);
      await vi.advanceTimersByTimeAsync(0);
      return started.mock.calls.length === 1;
    };
    expect(await isStarted("/sign-in?next=%2Fruns")).toBe(true);
    expect(await isStarted("/runs")).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

it("draws nothing anew for what the service can do as it was known", () => {
  const { wheelhouse, api } = signedInWheelhouse();
  api.capabilities.learn(["runs", "search"]);
  const told = vi.fn();
  wheelhouse.session.state.subscribe(told);
  api.capabilities.learn(["runs", "search"]);
  expect(told).not.toHaveBeenCalled();
  api.capabilities.learn(["runs"]);
  expect(told).toHaveBeenCalledTimes(1);
  expect(api.capabilities.can("search")).toBe(false);
});
