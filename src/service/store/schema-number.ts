import { type Migration, migrations, schemaBefore } from "./migrations/index.ts";

/** The number of a migration: the schema has it once it was applied. */
export const numberOf = ({ name }: Pick<Migration, "name">): number => Number(name.slice(0, 4));

/** The number of the schema that this release works with: that of its newest migration. */
export const schemaNumber: number = Math.max(...migrations.map(numberOf));

/** The number of the oldest schema whose release can work with the database once this migration has been applied. */
export function worksFrom(migration: Migration): number {
  const number = numberOf(migration);
  return migration.breaksRelease === true ? number : Math.min(number, schemaBefore);
}
