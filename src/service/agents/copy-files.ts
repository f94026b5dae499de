import { sql } from "kysely";
import { toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import type { CopiedFrom, CopyServices } from "./copy-conversation.ts";

/** A version of a file, and the one that the copy has of it. */
type CopiedVersion = {
  readonly old_version: string;
  readonly artifact_id: string;
  readonly version_id: string;
  readonly file_id: string;
};

/**
 * Gives the copy the files as they were before the message, with bytes of their own: either conversation may change or lose
 * its own. What was deleted since stays deleted, and nothing is shared. Bytes of a transaction that is rolled back are swept.
 */
export async function copyFiles(
  tx: Tx,
  { ids, files }: CopyServices,
  { id, seq }: CopiedFrom,
  to: string,
): Promise<CopiedVersion[]> {
  const { rows } = await sql<{
    id: string;
    artifact_id: string;
    file_id: string;
    media_type: string;
    size: number;
    created_at: Date;
    filename: string;
  }>`
    select version.id, artifact_id, file_id, media_type, size, version.created_at, filename
      from artifact_versions version join artifacts on artifacts.id = artifact_id
     where interaction_id = ${id} and removed_at is null and version.id in (
           select part->'file'->>'version_id' from message_parts
            where interaction_id = ${id} and message_seq < ${seq} and part->>'type' = 'file')
     order by artifact_id, version.major_version`.execute(tx);
  const copied: (CopiedVersion & (typeof rows)[number] & { number: number })[] = [];
  for (const row of rows) {
    const bytes = await files.read(row.file_id);
    if (bytes === null) continue;
    const before = copied.at(-1);
    const isNext = before?.filename === row.filename;
    const version_id = ids.make("ver");
    const file_id = `copy-${version_id}`;
    await files.write(file_id, bytes);
    const artifact_id = isNext ? before.artifact_id : ids.make("art");
    copied.push({
      ...{ ...row, old_version: row.id, artifact_id, version_id, file_id },
      number: isNext ? before.number + 1 : 1,
    });
  }
  const newest = copied.filter((one, index) => copied[index + 1]?.artifact_id !== one.artifact_id);
  await sql`
    with written as (
      insert into artifacts (id, agent_id, interaction_id, user_id, team_id, filename, version_id, major_version)
      select given.artifact_id, agent_id, interactions.id, user_id, team_id, given.filename, given.version_id, given.number
        from json_to_recordset(${toJson(newest.map(({ created_at: _, ...one }) => one))}::json)
             as given (artifact_id text, filename text, version_id text, number integer)
        join interactions on interactions.id = ${to}
    )
    insert into artifact_versions (id, artifact_id, major_version, file_id, media_type, size, created_at)
    select given.version_id, given.artifact_id, given.number, given.file_id, given.media_type, given.size, given.created_at
      from json_to_recordset(${toJson(copied.map(({ created_at, ...one }) => ({ ...one, created_at: created_at.toISOString() })))}::json)
           as given (version_id text, artifact_id text, number integer, file_id text, media_type text, size double precision,
                     created_at timestamptz)`.execute(tx);
  return copied.map(({ old_version, artifact_id, version_id, file_id }) => ({
    ...{ old_version, artifact_id, version_id, file_id },
  }));
}
