import { useEffect, useRef, useState } from "react";

/**
 * For what a part of the page has begun and nobody waits for once that part is gone.
 * @returns gives a signal that aborts when this part of the page goes; to be asked for when something begins, not while drawing
 */
export function useGoneSignal(): () => AbortSignal {
  const shown = useRef<AbortController>(null);
  useEffect(
    () => () => {
      shown.current?.abort();
      shown.current = null;
    },
    [],
  );
  const [signal] = useState(() => () => {
    shown.current ??= new AbortController();
    return shown.current.signal;
  });
  return signal;
}
