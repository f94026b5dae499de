import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { type Kysely, sql } from "kysely";
import { z } from "zod";
import type { Ids } from "../../context.ts";
import type { FileStore } from "../../files/file-store.ts";
import { mediaTypeOfText } from "../../files/media-type.ts";
import { type JsonValue, toJson } from "../../store/json.ts";
import type { Database } from "../../store/schema.ts";
import { invalidFileName, readArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";

const maxFileSize = 10_000_000;

export interface FileServices {
  readonly db: Kysely<Database>;
  readonly files: FileStore;
  readonly ids: Ids;
}

const writeArguments = z.object({ name: z.string(), content: z.string() });

/**
 * Writes an artifact of the conversation (§2.3). A name that is already there gets a new version. The bytes lie under
 * the call's own key, so that a call that is repeated after a crash replaces them and makes no second file. Their digest is
 * part of it: a worker that has lost the turn may still write what the model told it, which may be something else.
 */
export function writeFileTool({ db, files, ids }: FileServices): Tool {
  return {
    isRepeatable: true,
    spec: {
      name: "write_file",
      description:
        "Writes a text file that the person can open. Writing a name again makes a new version of it.",
      parameters: {
        type: "object",
        properties: {
          name: { type: "string", description: "A file name without folders, such as notes.md" },
          content: { type: "string", description: "The whole text of the file" },
        },
        required: ["name", "content"],
      },
    },
    async run({ args, facts, key }) {
      const read = readArguments(writeArguments, args);
      if (!read.ok) return read.outcome;
      const { name, content } = read.value;
      const invalid = invalidFileName(name);
      if (invalid !== null) return { type: "failed", error: invalid };
      const bytes = Buffer.from(content, "utf8");
      if (bytes.length > maxFileSize) return { type: "failed", error: "content is larger than 10 MB" };
      const mediaType = mediaTypeOfText(name, content);
      const fileId = `${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}-${key}`;
      const size = await files.write(fileId, bytes);
      const before = await findArtifact(db, facts.interactionId, name);
      const version = {
        ...{ interaction_id: facts.interactionId, agent_id: facts.agentId, name },
        ...{ artifact_id: before?.id ?? ids.make("art"), new_artifact_id: ids.make("art") },
        ...{ version_id: ids.make("ver"), major_version: (before?.major_version ?? 0) + 1 },
        ...{ file_id: fileId, media_type: mediaType, size },
      };
      const { artifact_id, version_id, major_version } = version;
      return {
        type: "done",
        result: { artifact_id, version: major_version, name, size, media_type: mediaType },
        rows: [{ write: versionRows, row: version }],
        parts: [
          {
            id: key,
            type: "file",
            file: { filename: name, media_type: mediaType, artifact_id, version_id, file_id: fileId },
          },
        ],
      };
    },
  };
}

function findArtifact(db: Kysely<Database>, interactionId: string, name: string) {
  return db
    .selectFrom("artifacts")
    .selectAll()
    .where("interaction_id", "=", interactionId)
    .where("filename", "=", name)
    .where("removed_at", "is", null)
    .executeTakeFirst();
}

/**
 * An artifact belongs to whom the conversation belongs to, whoever continued it. A conversation has one turn at a time and
 * a turn one call; should two write a name at once all the same, the second finds its number taken and writes nothing.
 * One that was deleted since the call looked stays deleted: its name begins anew.
 */
function versionRows(rows: readonly JsonValue[]) {
  return sql`given_files as (
      select given.* from recorded join json_to_recordset(${toJson(rows)}::json) as given
             (execution_id text, interaction_id text, agent_id text, name text, artifact_id text, new_artifact_id text,
              version_id text, major_version integer, file_id text, media_type text, size double precision)
          on given.execution_id = recorded.execution_id
    ), looked as (
      select id, removed_at from artifacts where id in (select artifact_id from given_files) order by id for update
    ), written_artifacts as (
      insert into artifacts (id, agent_id, interaction_id, user_id, team_id, filename, version_id, major_version)
      select case when is_deleted then new_artifact_id else artifact_id end, files.agent_id, interactions.id, user_id,
             team_id, files.name, files.version_id, case when is_deleted then 1 else major_version end
        from (select given_files.*, exists (select from looked where id = artifact_id and removed_at is not null) as is_deleted
                from given_files) files
        join interactions on interactions.id = files.interaction_id
      on conflict (interaction_id, filename) where removed_at is null
      do update set version_id = excluded.version_id, major_version = excluded.major_version, updated_at = now()
      returning id, version_id, major_version
    ), written_versions as (
      insert into artifact_versions (id, artifact_id, major_version, file_id, media_type, size)
      select version_id, id, written_artifacts.major_version, file_id, media_type, size
        from written_artifacts join given_files using (version_id)
    )`;
}

const readArgumentsOf = z.object({ name: z.string() });

/** Reads back a file of this conversation, the newest version. */
export function readFileTool({ db, files }: FileServices): Tool {
  return {
    isRepeatable: true,
    spec: {
      name: "read_file",
      description: "Reads a text file that was written in this conversation.",
      parameters: {
        type: "object",
        properties: { name: { type: "string", description: "The name of the file" } },
        required: ["name"],
      },
    },
    async run({ args, facts, signal }) {
      const read = readArguments(readArgumentsOf, args);
      if (!read.ok) return read.outcome;
      const row = await db
        .selectFrom("artifacts")
        .innerJoin("artifact_versions", "artifact_versions.id", "artifacts.version_id")
        .select("artifact_versions.file_id")
        .where("interaction_id", "=", facts.interactionId)
        .where("filename", "=", read.value.name)
        .where("removed_at", "is", null)
        .executeTakeFirst();
      const stream = row === undefined ? null : await files.read(row.file_id);
      if (stream === null) {
        return { type: "failed", error: `There is no file ${read.value.name} in this conversation.` };
      }
      return { type: "done", result: await readText(stream, signal) };
    },
  };
}

/** The whole of it, which is no more than 10 MB: where a result is cut it says how long it was. */
async function readText(stream: Readable, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    signal.throwIfAborted();
    chunks.push(Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString("utf8");
}
