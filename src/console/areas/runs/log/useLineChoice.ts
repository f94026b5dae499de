import { useCallback, useEffect, useRef, useState } from "react";
import { formatRange, type LineAddress, type LineRange, parseRange } from "./line-range.ts";

export interface LineChoice {
  readonly range: LineRange | undefined;
  /** The line that was picked last: where the next step begins. */
  readonly head: number | undefined;
  /** Picks a line, or from the first picked one up to it. The only picked line is let go. */
  pick(number: number, isRange: boolean): void;
  /** Picks without letting go. */
  moveTo(number: number, isRange: boolean): void;
  pickAll(count: number): void;
  clear(): void;
}

interface Picked {
  /** Where a range begins, and the end that moves. */
  readonly anchor: number;
  readonly head: number;
}

/** Browsers refuse addresses that change with every key that is held. */
const settleMs = 250;

/**
 * The lines that a person has chosen, also where they are not on the screen. They stand in the address, a moment later;
 * another address (a link, back) chooses its lines.
 */
export function useLineChoice(
  address: LineAddress | undefined,
  onAddress: (address: LineAddress | undefined) => void,
): LineChoice {
  const [picked, setPicked] = useState<Picked | undefined>(() => fromAddress(address));
  const [known, setKnown] = useState(address);
  if (known !== address) {
    setKnown(address);
    if (String(address) !== String(toAddress(picked))) setPicked(fromAddress(address));
  }
  const tell = useRef(onAddress);
  useEffect(() => {
    tell.current = onAddress;
  });
  useEffect(() => {
    const next = toAddress(picked);
    if (String(next) === String(address)) return;
    const timer = setTimeout(() => tell.current(next), settleMs);
    return () => clearTimeout(timer);
  }, [picked, address]);

  const moveTo = useCallback(
    (number: number, isRange: boolean) =>
      setPicked((old) => ({ anchor: isRange && old ? old.anchor : number, head: number })),
    [],
  );
  const pick = useCallback(
    (number: number, isRange: boolean) =>
      setPicked((old) => {
        if (isRange && old) return { anchor: old.anchor, head: number };
        return old?.anchor === number && old.head === number ? undefined : { anchor: number, head: number };
      }),
    [],
  );
  const pickAll = useCallback(
    (count: number) => setPicked(count > 0 ? { anchor: 1, head: count } : undefined),
    [],
  );
  const clear = useCallback(() => setPicked(undefined), []);
  return { range: rangeOf(picked), head: picked?.head, pick, moveTo, pickAll, clear };
}

function rangeOf(picked: Picked | undefined): LineRange | undefined {
  return picked && { from: Math.min(picked.anchor, picked.head), to: Math.max(picked.anchor, picked.head) };
}
function toAddress(picked: Picked | undefined): LineAddress | undefined {
  const range = rangeOf(picked);
  return range && formatRange(range);
}
function fromAddress(address: LineAddress | undefined): Picked | undefined {
  const range = parseRange(address);
  return range && { anchor: range.from, head: range.to };
}
