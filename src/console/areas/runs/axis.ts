import { type RefCallback, useCallback, useState } from "react";
import { onResize } from "../../ui/resize.ts";
import { hour, minute, second } from "./tick-word.ts";

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

/** The widest word of a tick, `12 h 30 m`, with air around it. */
const emsOfWord = 6;
const mostTicks = 9;

/** How many ticks an axis has room for, by its width and its size of type; nine at most. Given the axis by its `ref`. */
export function useTickCount(): readonly [RefCallback<HTMLElement>, number] {
  const [count, setCount] = useState(mostTicks);
  const axis = useCallback((box: HTMLElement | null) => {
    if (!box) return;
    // Called for its first size as well, before that is painted: asking now would have the page laid out once more.
    return onResize(box, () => {
      const word = Number.parseFloat(getComputedStyle(box).fontSize) * emsOfWord;
      setCount(Math.max(1, Math.min(mostTicks, Math.floor(box.clientWidth / word))));
    });
  }, []);
  return [axis, count];
}
