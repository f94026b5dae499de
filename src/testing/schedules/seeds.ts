/**
 * The seeds that somebody asks for: `SEEDS=1001-3000` all of a portion, `SEED=17` one alone, `SEED=17 SEEDS=40` so many from
 * there on, `SEEDS=40` the first.
 * @param count how many where nothing says so
 * @throws Error where `SEEDS` or `SEED` is no number and no range
 */
export function seedsOf({ SEED, SEEDS }: NodeJS.ProcessEnv, count: number): number[] {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(SEEDS ?? "") ?? [];
  const first = Number(from ?? SEED ?? 1);
  const last = to === undefined ? first + Number(SEEDS ?? (SEED === undefined ? count : 1)) - 1 : Number(to);
  if (!Number.isInteger(first) || !Number.isInteger(last) || last < first)
    throw new Error(`SEED=${SEED} SEEDS=${SEEDS}: not a number, or a range such as 1001-3000`);
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
