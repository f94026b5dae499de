import type pg from "pg";
import type { FileStore } from "./file-store.ts";
import { fileNames } from "./sweep-files.ts";

/** So many of each kind are looked for: a place that is the wrong one, or empty, has none of them. */
const some = 10;

/** What became of some files that a database names. */
export interface LostFiles {
  readonly looked: number;
  /** Of these, how many are not in their place. */
  readonly lost: number;
}

/** Looks for some of the files that the database names. @throws the system's error, FilesError, that of the database */
export async function lookForFiles(
  database: Pick<pg.ClientBase, "query">,
  files: Pick<FileStore, "size">,
): Promise<LostFiles> {
  const ids = fileNames.map(
    ({ table, column }) => `(select ${column} as id from ${table} order by ${column} desc limit ${some})`,
  );
  const { rows } = await database.query<{ id: string }>(ids.join(" union all "));
  const sizes = await Promise.all(rows.map(({ id }) => files.size(id)));
  return { looked: sizes.length, lost: sizes.filter((size) => size === null).length };
}
