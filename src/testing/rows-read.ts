import { Query } from "pg";
import { vi } from "vitest";

/** Counts the rows that come from the database from now on, until mocks are restored. */
export function countRows() {
  const { prototype } = Query;
  // Each row calls it; `@types/pg` leaves it out.
  const reader = prototype as typeof prototype & { handleDataRow(row: unknown): void };
  const came = vi.spyOn(reader, "handleDataRow");
  return {
    all: (): number => came.mock.calls.length,
    /** Of the query that gave the most. */
    mostOfOne(): number {
      const counts = new Map<unknown, number>();
      for (const query of came.mock.contexts) counts.set(query, (counts.get(query) ?? 0) + 1);
      return Math.max(0, ...counts.values());
    },
  };
}
