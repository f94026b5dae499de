import type pg from "pg";
import { bareSchema } from "../backup/bare-schema.ts";
import { copyIn, copyOut } from "../backup/copy.ts";
import { quoted } from "../backup/database.ts";
import { savedMigrations, savedSequences, savedTables } from "../backup/snapshot.ts";

/** What was copied. */
export interface Copied {
  readonly tables: number;
  readonly bytes: number;
}

/**
 * Copies one moment of a database that is in use into an empty one, without bytes of files. Reads as a long `select` does:
 * nobody waits for it.
 * @param source changed in nothing
 * @param target has Graphile Worker's schema and nothing of ours; its schema is then the source's
 * @throws what a database throws; the signal's reason
 */
export async function copyDatabase(
  source: pg.Client,
  target: pg.Client,
  onProgress: (done: { tables: number; of: number; bytes: number }) => void,
  signal: AbortSignal,
): Promise<Copied> {
  await source.query("begin isolation level repeatable read read only");
  await target.query("begin");
  const { tables, complete } = await bareSchema(target, new Set(await savedMigrations(source)));
  const saved = (await savedTables(source)).filter(({ name }) => tables.has(name));
  let bytes = 0;
  for (const [at, { name, columns }] of saved.entries()) {
    signal.throwIfAborted();
    const list = columns.map(quoted).join(", ");
    const rows = copyOut(source, `copy ${quoted(name)} (${list}) to stdout`);
    const counted = async function* () {
      for await (const chunk of rows as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        bytes += chunk.length;
        onProgress({ tables: at, of: saved.length, bytes });
        yield chunk;
      }
    };
    await copyIn(target, `copy ${quoted(name)} (${list}) from stdin`, counted());
  }
  await complete(await savedSequences(source));
  await source.query("commit");
  await target.query("commit");
  await target.query("analyze");
  return { tables: saved.length, bytes };
}
