import { type Kysely, sql } from "kysely";
import type * as z from "zod/mini";
import type { artifactVersion } from "../../contract/artifacts.ts";
import type { Database } from "../store/schema.ts";

/** One version of an artifact, as lists show it. */
export type Version = z.output<typeof artifactVersion>;

/** Of each artifact; nobody looks at more, and a page holds up to a hundred artifacts. */
const maxShown = 50;

/** @returns the newest versions of these artifacts, newest first */
export async function loadVersions(
  db: Kysely<Database>,
  artifactIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Version[]>> {
  const found = new Map<string, Version[]>();
  if (artifactIds.length === 0) return found;
  const { rows } = await sql<{
    artifact_id: string;
    id: string;
    major_version: number;
    created_at: Date;
    size: number;
  }>`
    select version.* from unnest(${[...artifactIds]}::text[]) artifact (id)
     cross join lateral (
       select artifact_id, id, major_version, created_at, size from artifact_versions
        where artifact_id = artifact.id order by major_version desc limit ${maxShown}
     ) version`.execute(db);
  for (const { artifact_id, id, created_at, ...rest } of rows) {
    const versions = found.get(artifact_id) ?? [];
    found.set(artifact_id, versions);
    versions.push({ version_id: id, created_at: created_at.toISOString(), ...rest });
  }
  return found;
}
