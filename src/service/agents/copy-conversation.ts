import { sql } from "kysely";
import type { Ids } from "../context.ts";
import type { NewExecution } from "../engine/kind.ts";
import type { FileStore } from "../files/file-store.ts";
import { storableText, toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import { copyFiles } from "./copy-files.ts";
import { nameOf, type TurnStart } from "./start-turn.ts";
import { turnKind } from "./turn.ts";
import { makeTurnInput } from "./turn-input.ts";

/** What a copy is made with. */
export interface CopyServices {
  readonly ids: Ids;
  readonly files: Pick<FileStore, "read" | "write">;
}

/** From where a copy goes on: the original, and the message of a person in whose place. */
export interface CopiedFrom {
  readonly id: string;
  readonly name: string;
  readonly messageId: string;
  /** Of that message, an odd number; what comes before it has ended. */
  readonly seq: number;
}

/**
 * A conversation that holds what another one had before a message, and goes on with another: in the caller's transaction,
 * which starts the turn that comes back. Nothing of the turns before is done again, and they cost nothing.
 * @param type who talks: `api`, `console`
 */
export async function copyConversation(
  tx: Tx,
  services: CopyServices,
  from: CopiedFrom,
  { agent, actor, message }: TurnStart,
  type: string,
): Promise<NewExecution> {
  const { ids } = services;
  const turn: NewExecution = {
    id: ids.make("turn"),
    kind: turnKind,
    subjectId: ids.make("int"),
    ...actor,
    input: makeTurnInput(agent, from.seq),
  };
  const to = turn.subjectId;
  await tx
    .insertInto("interactions")
    .values({
      ...{ id: to, agent_id: agent.id, user_id: actor.userId, team_id: actor.teamId, type },
      ...{ state: "processing" as const, execution_id: turn.id, error: null },
      ...{ name: from.seq === 1 ? nameOf(message) : from.name, turn: (from.seq + 1) / 2 },
    })
    .execute();
  const messageIds = Array.from({ length: from.seq - 1 }, () => ids.make("msg"));
  await sql`
    insert into messages (interaction_id, seq, id, role, content, created_at)
    select ${to}, seq, (${messageIds}::text[])[seq], role, content, created_at from messages
     where interaction_id = ${from.id} and seq < ${from.seq}`.execute(tx);
  const versions = await copyFiles(tx, services, from, to);
  await sql`
    insert into message_parts (interaction_id, message_seq, seq, part)
    select ${to}, old.message_seq, old.seq,
           case when given.artifact_id is null then old.part
           else jsonb_set(old.part::jsonb, '{file}', (old.part::jsonb -> 'file') || jsonb_build_object(
                  'artifact_id', given.artifact_id, 'version_id', given.version_id, 'file_id', given.file_id))::json end
      from message_parts old
      left join json_to_recordset(${toJson(versions)}::json)
             as given (old_version text, artifact_id text, version_id text, file_id text)
             on old.part->>'type' = 'file' and given.old_version = old.part->'file'->>'version_id'
     where interaction_id = ${from.id} and message_seq < ${from.seq}`.execute(tx);
  await tx
    .insertInto("messages")
    .values({
      ...{ interaction_id: to, seq: from.seq, id: ids.make("msg") },
      ...{ role: "user" as const, content: storableText(message) },
    })
    .execute();
  await tx
    .insertInto("conversation_copies")
    .values({ copy_id: to, origin_id: from.id, message_id: from.messageId, before_seq: from.seq })
    .execute();
  return turn;
}
