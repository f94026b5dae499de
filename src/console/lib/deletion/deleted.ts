import { useEffect, useState } from "react";
import { useApi } from "../api/api-context.tsx";
import type { Drafts } from "../history/drafts.ts";
import { useNow } from "../time/clock.tsx";

/** Something that this person deleted in this browser, and can restore until then (ms since 1970). */
export interface Deleted {
  readonly name: string;
  readonly until: number;
}

const place = "deleted";
/** Nobody looks for more. */
const most = 200;

/** Keeps what was deleted for as long as it can be restored, so that its own page can offer that. */
export function rememberDeleted(drafts: Drafts, id: string, deleted: Deleted, now: number): void {
  void drafts.change(place, (kept) => {
    const others = Object.entries(read(kept)).filter(([other, { until }]) => other !== id && until > now);
    return Object.fromEntries([...others.slice(1 - most), [id, deleted]]);
  });
}

/** It was restored, or can be no more. */
export function forgetDeleted(drafts: Drafts, id: string): void {
  void drafts.change(place, (kept) => {
    const { [id]: _, ...rest } = read(kept);
    return rest;
  });
}

/** Whether the person deleted it here and can restore it still; null where not. */
export function useDeleted(id: string): Deleted | null {
  const { drafts } = useApi();
  const now = useNow(true, 60_000);
  const [all, setAll] = useState(() => read(drafts.get(place)));
  useEffect(() => {
    const show = () => setAll(read(drafts.get(place)));
    void drafts.load().then(show);
    return drafts.subscribe((name) => {
      if (name === place) show();
    });
  }, [drafts]);
  const found = all[id];
  return found !== undefined && found.until > now ? found : null;
}

function read(kept: unknown): Readonly<Record<string, Deleted>> {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(
    Object.entries(kept).filter(([, one]) => typeof one?.name === "string" && typeof one?.until === "number"),
  );
}
