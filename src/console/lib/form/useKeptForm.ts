import { useEffect, useState } from "react";
import type { FieldValues } from "react-hook-form";
import { useApi } from "../api.tsx";
import { useKept } from "../drafts/useDraft.ts";
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
  const { drafts } = useApi();
  const [begun, setBegun] = useState(fresh);
  const { form, fill } = useForm<V>(rules, fresh.base, (edited) => keep({ ...begun, draft: edited }));
  const draft = form.watch();
  const isChanged = !isSame(begun.base, draft);

  const keep = (next: Kept<V>) => {
    if (isSame(next.base, next.draft)) void drafts.remove(place);
    else void drafts.set(place, next, join);
  };
  /** What was kept, with what was typed before that was known over it. */
  const join = (kept: unknown, typed: unknown): unknown => {
    const [before, after] = [keptOf(kept, fresh.base), keptOf(typed, fresh.base)];
    return before && after ? { ...before, draft: { ...before.draft, ...changed(after) } } : typed;
  };
  const show = ({ draft: wanted, ...from }: Kept<V>) => {
    setBegun(from);
    fill(wanted);
  };
  const begin = (from: Begun<V>, wanted = from.base) => {
    const next = { ...from, draft: wanted };
    show(next);
    keep(next);
  };

  useKept(place, (kept) => {
    const found = keptOf(kept, fresh.base);
    if (found) show(found);
  });
  useEffect(() => {
    if (!isChanged && fresh.updatedAt !== begun.updatedAt) show({ ...fresh, draft: fresh.base });
  });
  return {
    ...begun,
    form,
    draft,
    isChanged,
    /** Begins anew with what the service has. */
    begin: (from: Begun<V>) => begin(from),
    /** Keeps what was changed, over what somebody else made of the rest meanwhile. */
    rebase: (from: Begun<V>) => begin(from, { ...from.base, ...changed({ base: begun.base, draft }) }),
  };
}

/** The parts that a person changed. */
function changed<V extends object>({ base, draft }: Pick<Kept<V>, "base" | "draft">): Partial<V> {
  const parts = Object.entries(draft).filter(([name, value]) => !isSame(value, base[name as keyof V]));
  return Object.fromEntries(parts) as Partial<V>;
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
