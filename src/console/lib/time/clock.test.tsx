import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ClockProvider, makeClock, useNow } from "./clock.tsx";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let draws = 0;
function Clock() {
  draws += 1;
  return <time>{useNow()}</time>;
}

it("is drawn once as a page opens, and again as a second has passed", () => {
  const start = Date.now();
  const clock = makeClock();
  vi.setSystemTime(start + 700);
  draws = 0;
  render(
    <ClockProvider clock={clock}>
      <Clock />
    </ClockProvider>,
  );
  expect(draws).toBe(1);
  act(() => void vi.advanceTimersByTime(1000));
  expect(screen.queryByText(String(start + 1700))).not.toBeNull();
});

it("is right at once where it has rested", () => {
  const start = Date.now();
  const clock = makeClock();
  vi.setSystemTime(start + 60_000);
  render(
    <ClockProvider clock={clock}>
      <Clock />
    </ClockProvider>,
  );
  expect(screen.queryByText(String(start + 60_000))).not.toBeNull();
});
