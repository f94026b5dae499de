import { sql } from "kysely";
import type { Context } from "../service/context.ts";
import { removeExpired } from "../service/retention/remove-expired.ts";
import { readRules } from "../service/retention/rules.ts";
import { logWrite } from "../service/store/log-rows.ts";
import type { ExecutionState } from "../service/store/schema.ts";

type Written = Parameters<typeof readRules>[0];

/** Deletes at once what is too old by these rules, as `wheelhouse.yaml` would say them. */
export async function removeBy(context: Context, rules: Partial<Written>, signal?: AbortSignal) {
  const retention = readRules({ teams: {}, ...rules });
  return await removeExpired(
    { ...context, retention },
    { gentle: false, waits: false, ...(signal && { signal }) },
  );
}

interface OldExecution {
  readonly id: string;
  readonly kind?: "pipeline" | "turn" | "evaluation";
  /** What is above it, and the root of its tree. */
  readonly parent?: string;
  readonly root?: string;
  readonly subject?: string;
  readonly state?: ExecutionState;
  readonly team?: string | null;
  /** How many days ago it ended. */
  readonly days?: number;
  readonly log?: readonly string[];
}

/** Writes an execution of Ada's that ended long ago, or has not ended. */
export async function putExecution({ store: { db } }: Context, given: OldExecution): Promise<string> {
  const { id, kind = "pipeline", parent = null, root = id, state = "done", days = 100, log = [] } = given;
  const isOver = ["done", "failed", "terminated"].includes(state);
  const at = sql<Date>`now() - make_interval(days => ${sql.lit(days)})`;
  await db
    .insertInto("executions")
    .values({
      ...{ id, kind, root_id: root, parent_id: parent, depth: parent === null ? 0 : 1, state },
      ...{ parent_step: parent === null ? null : "step", subject_id: given.subject ?? "flow_report" },
      ...{ user_id: "user_ada", team_id: given.team ?? null, log_count: log.length },
      ...{
        owner: state === "running" ? "somebody" : null,
        lease: state === "running" ? sql<Date>`now()` : null,
      },
      ...{ input: JSON.stringify({ name: "Report", inputs: {}, messageSeq: 1 }), held_at: null, error: null },
      ...{ created_at: at, started_at: at, finished_at: isOver ? at : null },
    })
    .execute();
  const rows = logWrite(log).rows.map(({ last, text }) => ({ execution_id: id, seq: last, text }));
  if (rows.length > 0) await db.insertInto("log_lines").values(rows).execute();
  return id;
}

/** Writes the file of a run; its bytes are the file's id, unless they lie there already. */
export async function putFile({ store, files }: Context, run: string, fileId: string): Promise<void> {
  await files.write(fileId, fileId);
  await store.db
    .insertInto("run_files")
    .values({
      id: fileId,
      execution_id: run,
      name: `${fileId}.txt`,
      media_type: "text/plain",
      size: fileId.length,
    })
    .execute();
}

/** Writes a conversation of one turn, Ada's with the scribe, that ended long ago. */
export async function putConversation(
  context: Context,
  { id, days = 100, parent, root, team = null }: Omit<OldExecution, "kind">,
): Promise<string> {
  const { db } = context.store;
  const at = sql<Date>`now() - make_interval(days => ${sql.lit(days)})`;
  const turn = { id: `turn_of_${id}`, kind: "turn", subject: id, days, team } as const;
  await putExecution(context, {
    ...turn,
    ...(parent === undefined ? {} : { parent }),
    ...(root === undefined ? {} : { root }),
  });
  await db
    .insertInto("interactions")
    .values({
      ...{
        id,
        agent_id: "agent_scribe",
        user_id: "user_ada",
        team_id: team,
        type: "api",
        state: "completed",
      },
      ...{ name: "Hello", execution_id: turn.id, error: null, created_at: at, updated_at: at },
    })
    .execute();
  for (const seq of [1, 2]) {
    const role = seq === 1 ? "user" : "assistant";
    const message = { interaction_id: id, seq, id: `msg_${id}_${seq}`, role, content: "Hello" } as const;
    await db.insertInto("messages").values(message).execute();
  }
  return id;
}

/** Writes an artifact of a conversation. */
export async function putArtifact(context: Context, conversation: string, id: string): Promise<string> {
  const version = `${id}_version`;
  await context.files.write(`${id}_bytes`, id);
  await context.store.db
    .insertInto("artifacts")
    .values({
      ...{ id, agent_id: "agent_scribe", interaction_id: conversation, user_id: "user_ada", team_id: null },
      ...{ filename: `${id}.txt`, version_id: version, major_version: 1, organization_role: null },
      ...{ link_role: null, link_id: null, link_password: null, link_by: null, organization_by: null },
      removed_at: null,
    })
    .execute();
  const file = { file_id: `${id}_bytes`, media_type: "text/plain", size: id.length };
  await context.store.db
    .insertInto("artifact_versions")
    .values({ id: version, artifact_id: id, major_version: 1, ...file })
    .execute();
  return id;
}
