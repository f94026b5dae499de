import { useEffect, useState } from "react";
import { useApi } from "../api-context.tsx";
import type { PutOff } from "./sources.ts";

const place = "knowledge later";

/** What this person put off, in this browser: the interface has no word for it. */
export function usePutOff() {
  const { drafts } = useApi();
  const [putOff, setPutOff] = useState<PutOff>(() => read(drafts.get(place)));
  useEffect(() => {
    void drafts.load().then(() => setPutOff(read(drafts.get(place))));
  }, [drafts]);
  const keep = (next: PutOff) => {
    setPutOff(next);
    void drafts.set(place, next);
  };
  return {
    putOff,
    /** Hides a source until then, ms since 1970; null brings it back. */
    putOffUntil: (id: string, until: number | null) => {
      const { [id]: _, ...rest } = read(drafts.get(place));
      keep(until === null ? rest : { ...rest, [id]: until });
    },
  };
}

function read(kept: unknown): PutOff {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(Object.entries(kept).filter((entry) => typeof entry[1] === "number"));
}
