import { useMemo, useState } from "react";
import type { ArtifactFile } from "../artifact-row.ts";
import { zipHindrance } from "../download-zip.ts";

export interface Selection {
  /** Ids of artifacts. */
  readonly picked: ReadonlySet<string>;
  readonly isAll: boolean;
  readonly toggle: (id: string) => void;
  readonly toggleAll: () => void;
  readonly clear: () => void;
}

/** What is picked of a list. What a filter takes out of the list is not picked any more: nobody acts on what is not seen. */
export function useSelection(files: readonly ArtifactFile[]): Selection {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  return useMemo(() => {
    const able = files.flatMap(({ newest }) => (zipHindrance(newest) === null ? [newest.id] : []));
    const picked = new Set(able.filter((id) => wanted.has(id)));
    const isAll = able.length > 0 && picked.size === able.length;
    return {
      picked,
      isAll,
      toggle: (id) => {
        const next = new Set(picked);
        if (!next.delete(id)) next.add(id);
        setWanted(next);
      },
      toggleAll: () => setWanted(isAll ? new Set() : new Set(able)),
      clear: () => setWanted(new Set()),
    };
  }, [files, wanted]);
}
