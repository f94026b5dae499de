import { type RefObject, useLayoutEffect, useState } from "react";

/** The widest word of a tick, `12 h 30 m`, with air around it. */
const emsOfWord = 6;
const most = 9;

/** How many ticks an axis has room for, by its width and its size of type; nine at most. */
export function useTickCount(axis: RefObject<HTMLElement | null>): number {
  const [count, setCount] = useState(most);
  useLayoutEffect(() => {
    const box = axis.current;
    if (!box || !("ResizeObserver" in globalThis)) return;
    const look = () => {
      const word = Number.parseFloat(getComputedStyle(box).fontSize) * emsOfWord;
      setCount(Math.max(1, Math.min(most, Math.floor(box.clientWidth / word))));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => observer.disconnect();
  }, [axis]);
  return count;
}
