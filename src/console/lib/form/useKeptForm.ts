import { useState } from "react";
import type { FieldValues } from "react-hook-form";
import type { DraftKind } from "../drafts/draft.ts";
import { useDraft } from "../drafts/useDraft.ts";
import { type Rules, useForm } from "./useForm.ts";

/** What the service had when the editing began, and when that had been changed last. */
export interface Begun<V> {
  readonly base: V;
  readonly updatedAt: string | null;
}

/** As it is kept in this browser: with what was made of it. */
interface Kept<V> extends Begun<V> {
  readonly draft: V;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * A form for something that the service has: kept in this browser with each change until it is as it was, which a save
 * makes it too.
 * @param place the name of the draft
 * @param fresh as the service has it now; what nobody touches follows it
 */
export function useKeptForm<V extends FieldValues>(place: string, fresh: Begun<V>, rules: Rules) {
  const [kind] = useState(() => kindOf(fresh.base));
  const { draft: kept, change } = useDraft(place, kind);
  // What a save made stands until the service tells something newer: by its moment, else by what it is.
  const [saved, setSaved] = useState({ ...fresh, over: fresh.base });
  const isNewer =
    saved.updatedAt !== fresh.updatedAt || (!fresh.updatedAt && !isSame(saved.over, fresh.base));
  const begun = kept ?? (isNewer ? fresh : saved);
  const { base, updatedAt } = begun;
  const draft = kept?.draft ?? base;
  const keep = (from: Begun<V>, wanted: V) =>
    change(() => (isSame(from.base, wanted) ? null : { ...from, draft: wanted }));
  const { form } = useForm<V>(rules, draft, (edited) => keep({ base, updatedAt }, edited));
  const begin = (from: Begun<V>, wanted = from.base) => {
    setSaved({ ...from, over: fresh.base });
    keep(from, wanted);
  };
  return {
    base,
    updatedAt,
    form,
    draft,
    isChanged: kept !== null,
    /** Begins anew with what the service has. */
    begin: (from: Begun<V>) => begin(from),
    /** Keeps what was changed, over what somebody else made of the rest meanwhile. */
    rebase: (from: Begun<V>) => begin(from, { ...from.base, ...changedParts(base, draft) }),
  };
}

/** @param like has all parts of the form, each of its kind */
const kindOf = <V extends FieldValues>(like: V): DraftKind<Kept<V>> => ({
  read: (kept) => keptOf(kept, like),
  // What was typed before it was known what is kept goes over it.
  join: (kept, typed) => ({ ...kept, draft: { ...kept.draft, ...changedParts(typed.base, typed.draft) } }),
});

/** The parts of `draft` that differ from `base`; null where none does. */
export function changedParts<V extends object>(base: V, draft: V): Partial<V> | null {
  const parts = Object.entries(draft).filter(([name, value]) => !isSame(value, base[name as keyof V]));
  return parts.length === 0 ? null : (Object.fromEntries(parts) as Partial<V>);
}

/**
 * What was kept, if it is one; an older version may have kept something of another shape.
 * @param like has all parts, each of its kind; one that was not kept yet is as here
 */
function keptOf<V extends object>(kept: unknown, like: V): Kept<V> | null {
  if (typeof kept !== "object" || kept === null) return null;
  const { base, draft, updatedAt } = kept as Partial<Kept<V>>;
  const isLike = (one: V | undefined) =>
    typeof one === "object" &&
    one !== null &&
    Object.entries(like).every(([name, known]) => {
      const found: unknown = one[name as keyof V] ?? known;
      return typeof found === typeof known && Array.isArray(found) === Array.isArray(known);
    });
  if (!isLike(base) || !isLike(draft)) return null;
  return {
    base: { ...like, ...base },
    draft: { ...like, ...draft },
    updatedAt: updatedAt ?? null,
  } as Kept<V>;
}
