import { useMemo, useState } from "react";
import { useShortcuts } from "../page/shortcuts.ts";
import type { Comparison } from "./compare-lines.ts";
import { type DiffItem, differences } from "./items.ts";

/**
 * Goes from one difference to the next and to the previous, by buttons and by keys; after the last one comes the first again.
 * @param show brings an item into view
 * @returns `noStep`: why there is none to go to
 */
export function useDifferenceSteps(
  items: readonly DiffItem[],
  comparison: Comparison | null,
  show: (index: number) => void,
) {
  const steps = useMemo(() => (comparison ? differences(items, comparison) : []), [items, comparison]);
  // The row of the difference that was stepped to: rows stay when folds are opened.
  const [current, setCurrent] = useState(-1);
  const rowOf = (index: number | undefined) => (index === undefined ? undefined : items[index]?.row) ?? -1;
  const step = (by: 1 | -1) => {
    const next =
      by === 1
        ? (steps.find((one) => rowOf(one) > current) ?? steps[0])
        : (steps.findLast((one) => rowOf(one) < current) ?? steps.at(-1));
    if (next === undefined) return;
    setCurrent(rowOf(next));
    show(next);
  };
  const isOnlyOne = steps.length === 1 && rowOf(steps[0]) === current;
  const toNext = { label: "Next difference", shortcut: "]", onClick: () => step(1) };
  const toPrevious = { label: "Previous difference", shortcut: "[", onClick: () => step(-1) };
  useShortcuts(
    [toNext, toPrevious].map(({ shortcut, label, onClick }) => ({
      keys: shortcut,
      does: label,
      run: onClick,
    })),
  );
  return {
    toNext,
    toPrevious,
    noStep: steps.length === 0 ? "No differences" : isOnlyOne ? "This is the only difference" : undefined,
    isCurrent: (item: DiffItem) => item.kind === "row" && item.row === current,
  };
}
