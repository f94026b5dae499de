import { useState } from "react";

/** What is selected of a list, and how that changes. */
export interface Selection {
  readonly selected: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly toggle: (id: string) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/**
 * What is selected of a list. What a filter takes out of the list is not selected any more: nobody acts on what is not
 * seen.
 * @param ids those in the list that can be selected
 */
export function useSelection(ids: readonly string[]): Selection {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const selected = new Set(ids.filter((id) => wanted.has(id)));
  const isAll = ids.length > 0 && selected.size === ids.length;
  return {
    selected,
    isAll,
    toggle: (id) => {
      const next = new Set(selected);
      if (!next.delete(id)) next.add(id);
      setWanted(next);
    },
    toggleAll: () => setWanted(isAll ? new Set() : new Set(ids)),
    clear: () => setWanted(new Set()),
  };
}
