/** A version of an agent as far as it is known. */
export interface VersionLine {
  readonly version: number;
  /** ISO 8601 UTC, as sent; null where it is not known. */
  readonly at: string | null;
  /** Who made it; null: no person, or not told. */
  readonly by: string | null;
  /** The fields that it changed; null where the service does not say. */
  readonly changed: readonly string[] | null;
}

/** What stands in the timeline: a version, or versions that are not known, both ends included. */
export type TimelineItem =
  | { readonly kind: "version"; readonly line: VersionLine }
  | { readonly kind: "gap"; readonly from: number; readonly to: number };

/**
 * Versions from the newest to the oldest, with what lies between and is not known.
 * @param now the version that the agent has; null where it is not told
 * @param isWhole nothing older is left to be read
 */
export function timelineOf(
  lines: readonly VersionLine[],
  now: number | null,
  isWhole: boolean,
): TimelineItem[] {
  const unique = new Map(lines.map((line) => [line.version, line]));
  const sorted = [...unique.values()].sort((a, b) => b.version - a.version);
  const items: TimelineItem[] = [];
  let expected = now ?? sorted[0]?.version ?? 0;
  for (const line of sorted) {
    if (line.version < expected) items.push({ kind: "gap", from: line.version + 1, to: expected });
    items.push({ kind: "version", line });
    expected = line.version - 1;
  }
  if (isWhole && sorted.length > 0 && expected >= 1) items.push({ kind: "gap", from: 1, to: expected });
  return items;
}

/** The version before this one that is known; null for the oldest. */
export function before(lines: readonly VersionLine[], version: number): number | null {
  const older = lines.map((line) => line.version).filter((one) => one < version);
  return older.length === 0 ? null : Math.max(...older);
}
