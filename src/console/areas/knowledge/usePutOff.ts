import { useEffect, useState } from "react";
import { useApi } from "../../lib/api/api-context.tsx";
import type { PutOff } from "./sources.ts";

const place = "knowledge later";

/** What this person put off, in this browser: the interface has no word for it. */
export function usePutOff() {
  const { drafts } = useApi();
  const [putOff, setPutOff] = useState<PutOff>(() => read(drafts.get(place)));
  useEffect(() => {
    const show = () => setPutOff(read(drafts.get(place)));
    void drafts.load().then(show);
    return drafts.subscribe((name) => {
      if (name === place) show();
    });
  }, [drafts]);
  return {
    putOff,
    /** Hides a source until then, ms since 1970; null brings it back. */
    putOffUntil: (id: string, until: number | null) =>
      void drafts.change(place, (kept) => {
        const { [id]: _, ...rest } = read(kept);
        return until === null ? rest : { ...rest, [id]: until };
      }),
  };
}

function read(kept: unknown): PutOff {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === "number"));
}
