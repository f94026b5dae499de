/** The rows of each key, in their order; `Map.groupBy`, which Node 20 lacks. */
export function groupBy<K, T>(rows: readonly T[], keyOf: (row: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** In their order, in groups that are no larger together; one alone may be. */
export function* inGroups<T extends { readonly size: number }>(
  rows: readonly T[],
  most: number,
): Generator<T[]> {
  let group: T[] = [];
  let size = 0;
  for (const row of rows) {
    if (group.length > 0 && size + row.size > most) {
      yield group;
      [group, size] = [[], 0];
    }
    group.push(row);
    size += row.size;
  }
  if (group.length > 0) yield group;
}
