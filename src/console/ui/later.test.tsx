import { act, render, screen } from "@testing-library/react";
import { Component, type ReactNode, Suspense } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { later } from "./later.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError = () => ({ isBroken: true });
  override render = () => (this.state.isBroken ? "it cannot be had" : this.props.children);
}

/** A part whose code cannot be had the first times; shows `the part`, and `waiting` until then. */
function open(failures: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= failures)
      throw new TypeError("Failed to fetch dynamically imported module");
    return { default: () => <p>the part</p> };
  });
  const Part = later(load);
  render(
    <Boundary>
      <Suspense fallback="waiting">
        <Part />
      </Suspense>
    </Boundary>,
  );
  return load;
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("code that the service could not give while it was away comes when it is back", async () => {
  const load = open(2);
  await pass(900);
  expect(screen.getByText("waiting")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(1);
  await pass(2_200);
  expect(screen.getByText("the part")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(3);
});

test("C-20 offline nothing is tried before the network is there", async () => {
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const load = open(1);
  await pass(600_000);
  expect(load).toHaveBeenCalledTimes(1);
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event("online"));
  await pass(0);
  expect(screen.getByText("the part")).toBeTruthy();
});

test("C-33 code that is gone for good is given up after a minute", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const load = open(Number.POSITIVE_INFINITY);
  await pass(60_000);
  expect(screen.getByText("waiting")).toBeTruthy();
  await pass(5_000);
  expect(screen.getByText("it cannot be had")).toBeTruthy();
  expect(load).toHaveBeenCalledTimes(7);
});
