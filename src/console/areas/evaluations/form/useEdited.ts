import { useState } from "react";
import { useApi } from "../../../lib/api/api-context.tsx";
import type { Join } from "../../../lib/history/drafts.ts";
import { useKept } from "../../../lib/useKept.ts";

/** What was read when the editing began, what was made of it, and when that had been changed last. */
export interface Edited<D extends object> {
  readonly base: D;
  readonly draft: D;
  readonly updatedAt: string | null;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** Nothing is changed yet. */
export const unedited = <D extends object>(base: D, updatedAt: string | null | undefined): Edited<D> => ({
  base,
  draft: base,
  updatedAt: updatedAt ?? null,
});

/** The fields that a person changed. */
export function mineOf<D extends object>({ base, draft }: Edited<D>): Partial<D> {
  const changed = Object.entries(draft).filter(([name, value]) => !isSame(value, base[name as keyof D]));
  // Some of the draft's own fields.
  return Object.fromEntries(changed) as Partial<D>;
}

/**
 * What a person makes of something, field by field; kept in this browser until it is as it was, which a save makes it too.
 * @param place the name of the draft
 * @param fresh as the service has it now
 */
export function useEdited<D extends object>(place: string, fresh: Edited<D>) {
  const { drafts } = useApi();
  const [edited, setEdited] = useState(fresh);
  const isChanged = !isSame(edited.base, edited.draft);
  const isKept = (kept: unknown): kept is Edited<D> => isEdited(kept, fresh.base);
  useKept(place, (kept) => {
    if (isKept(kept)) setEdited(kept);
  });
  // What nobody touches follows the service.
  if (!isChanged && fresh.updatedAt !== edited.updatedAt) setEdited(fresh);
  /** What was kept, with what was typed before that was known over it. */
  const join: Join = (kept, typed) =>
    isKept(kept) && isKept(typed) ? { ...kept, draft: { ...kept.draft, ...mineOf(typed) } } : typed;
  const show = (next: Edited<D>) => {
    setEdited(next);
    if (isSame(next.base, next.draft)) void drafts.remove(place);
    else void drafts.set(place, next, join);
  };
  return { edited, isChanged, show };
}

/** @param like has the fields of both; an older version may have kept something of another shape */
function isEdited(kept: unknown, like: object): boolean {
  if (typeof kept !== "object" || kept === null) return false;
  const { base, draft } = kept as { base?: unknown; draft?: unknown };
  return [base, draft].every(
    (one) =>
      typeof one === "object" &&
      one !== null &&
      Object.entries(like).every(([name, known]) => {
        const found = (one as Record<string, unknown>)[name];
        return typeof found === typeof known && Array.isArray(found) === Array.isArray(known);
      }),
  );
}
