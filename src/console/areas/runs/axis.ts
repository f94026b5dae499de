import { type RefCallback, useCallback, useState } from "react";
import { onResize } from "../../ui/resize.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  0.1 * second,
  0.2 * second,
  0.5 * second,
  second,
  2 * second,
  5 * second,
  10 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
];

/** Round places on an axis from 0 to `length` ms, at most `most` after the zero. */
export function ticks(length: number, most: number): readonly number[] {
  if (!(length > 0)) return [0];
  const step =
    steps.find((one) => length / one <= most) ?? Math.ceil(length / most / (24 * hour)) * 24 * hour;
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, at) => at * step);
}

/** A tick in words, as short as it can be said: `20 ms`, `30 s`, `1 m`, `1 m 30 s`, `2 h`. */
export function tickWord(ms: number): string {
  if (ms === 0) return "0";
  if (ms < second / 10) return `${Math.round(ms)} ms`;
  if (ms < second) return `${Number((ms / second).toFixed(2))} s`;
  if (ms < minute) return `${ms / second} s`;
  if (ms < hour) {
    const rest = (ms % minute) / second;
    return `${Math.floor(ms / minute)} m${rest > 0 ? ` ${rest} s` : ""}`;
  }
  const rest = (ms % hour) / minute;
  return `${Math.floor(ms / hour)} h${rest > 0 ? ` ${rest} m` : ""}`;
}

/** The widest word of a tick, `12 h 30 m`, with air around it. */
const emsOfWord = 6;
const mostTicks = 9;

/** How many ticks an axis has room for, by its width and its size of type; nine at most. Given the axis by its `ref`. */
export function useTickCount(): readonly [RefCallback<HTMLElement>, number] {
  const [count, setCount] = useState(mostTicks);
  const axis = useCallback((box: HTMLElement | null) => {
    if (!box || !("ResizeObserver" in globalThis)) return;
    const look = () => {
      const word = Number.parseFloat(getComputedStyle(box).fontSize) * emsOfWord;
      setCount(Math.max(1, Math.min(mostTicks, Math.floor(box.clientWidth / word))));
    };
    look();
    return onResize(box, look);
  }, []);
  return [axis, count];
}
