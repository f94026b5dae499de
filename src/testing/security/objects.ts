import { randomUUID } from "node:crypto";
import type { Context } from "../../service/context.ts";
import { hashSecret } from "../../service/credentials/key.ts";
import { createKey } from "../../service/credentials/keys.ts";
import { definition } from "../../service/pipelines/definition.ts";
import { pipeline } from "../../service/pipelines/kind.ts";
import { toJson } from "../../service/store/json.ts";
import { leaveTombstones, ownerAudiences } from "../../service/store/tombstones.ts";
import { owners, principals } from "./people.ts";

/** Whose an object is, seen from Ann; `everyones` is the whole workspace's, `granted` Cat's but given to Ann's team. */
export type Relation = keyof typeof owners | "granted" | "everyones" | "absent";

/** What operations are about. */
export type ObjectKind =
  | "agent"
  | "run"
  | "interaction"
  | "flow"
  | "artifact"
  | "deletion"
  | "evaluation"
  | "source"
  | "approval"
  | "question"
  | "passage"
  | "server"
  | "team"
  | "person"
  | "key"
  | "session"
  | "program"
  | "program_request"
  | "connection"
  | "nothing";

type Owner = { readonly userId: string; readonly teamId: string | null };
type Make = (context: Context, owner: Owner, relation: Relation) => Promise<string>;

/** A flow of one input, as it is stored. */
const flowDefinition = toJson(definition.parse({ nodes: [{ id: "name", node: { type: "input" } }] }));

/** The agents whom conversations are with, by relation; `who` says which agent each credential has of its own. */
export const agentOf: Partial<Record<Relation, string>> = {
  own: "agent_ann",
  team: "agent_one",
  theirs: "agent_cat",
  otherTeams: "agent_two",
};

/** The flow of a run; its id does not hold the run's. */
export const flowOf = (runId: string) => runId.replace(/^run_/, "flow_");

/** The conversation that asks; its id does not hold the question's. */
export const sessionOf = (approvalId: string) => approvalId.replace(/^ask_/, "int_");

/** A conversation's only file, and a run's. */
export const fileName = "notes.md";

const makers: Partial<Record<ObjectKind, Make>> = {
  async agent({ store, ids }, owner) {
    const id = ids.make("agent");
    await store.db.insertInto("agents").values(agentRow(id, owner)).execute();
    return id;
  },
  async flow({ store, ids }, { userId, teamId }) {
    const id = ids.make("flow");
    const row = { id, user_id: userId, team_id: teamId, name: "Flow", removed_at: null };
    await store.db
      .insertInto("saved_items")
      .values({ ...row, definition: flowDefinition })
      .execute();
    return id;
  },
  async run({ store, ids, engine, files }, owner) {
    const id = ids.make("run");
    const input = JSON.parse(`{"name":"Flow","definition":${flowDefinition},"inputs":{},"body":""}`);
    await engine.start(store.db, { id, kind: pipeline, subjectId: flowOf(id), ...owner, input });
    const fileId = randomUUID();
    const size = await files.write(fileId, "secret of the run");
    const file = { id: fileId, execution_id: id, name: fileName, media_type: "text/markdown", size };
    await store.db.insertInto("run_files").values(file).execute();
    return id;
  },
  async interaction(context, owner, relation) {
    const { artifactId } = await makeArtifact(context, owner, relation);
    const row = await context.store.db
      .selectFrom("artifacts")
      .select("interaction_id")
      .where("id", "=", artifactId)
      .executeTakeFirstOrThrow();
    return row.interaction_id;
  },
  async artifact(context, owner, relation) {
    const { artifactId } = await makeArtifact(context, owner, relation);
    if (relation === "granted") {
      const grant = { artifact_id: artifactId, kind: "team" as const, grantee: "team_one", role: "viewer" };
      await context.store.db.insertInto("artifact_grants").values(grant).execute();
    }
    return artifactId;
  },
  /** Of a run that is gone. */
  async deletion({ store, ids }, { userId, teamId }) {
    const id = ids.make("run");
    const audiences = ownerAudiences({ user_id: userId, team_id: teamId });
    await store.db
      .transaction()
      .execute((tx) => leaveTombstones(tx, [{ id, audiences, ruleDays: 30, at: null }]));
    return id;
  },
  async evaluation({ store, ids }, { userId, teamId }) {
    const id = ids.make("eval");
    const row = { id, owner_id: userId, team_id: teamId, name: "Tone", description: null, deleted_at: null };
    await store.db.insertInto("evaluations").values(row).execute();
    return id;
  },
  async source({ store, ids }, { userId, teamId }, relation) {
    const id = ids.make("source");
    const scope = relation === "everyones" ? "organization" : teamId === null ? "personal" : "team";
    await store.db
      .insertInto("knowledge_sources")
      .values({
        ...{ id, name: "Source", source_type: "direct_file_uploads", status: "draft" as const, scope },
        ...{ team_id: teamId, created_by_user_id: userId, estimated_credits: 5, approved_at: null },
      })
      .execute();
    return id;
  },
};

/** A question that waits, of a turn that has ended: whoever may answer it hears that it is too late. */
makers.approval = async (context, { userId, teamId }, relation) => {
  const { artifactId } = await makeArtifact(context, { userId, teamId }, relation);
  const { db } = context.store;
  const { interaction_id, agent_id } = await db
    .selectFrom("artifacts")
    .select(["interaction_id", "agent_id"])
    .where("id", "=", artifactId)
    .executeTakeFirstOrThrow();
  const id = interaction_id.replace(/^int_/, "ask_");
  const words = { name: "write_file", description: "", parameters: {}, server: null };
  await db
    .insertInto("approvals")
    .values({
      ...{ id, execution_id: id, step_key: "ask 1", interaction_id, message_seq: 2, part_id: "part" },
      ...{ agent_id, user_id: userId, team_id: teamId, tool_call_id: "write_file" },
      ...{ definition: toJson(words), definition_hash: "hash", arguments: '{"name":"secret of the call"}' },
      ...{ who: teamId === null ? "person" : "operators", lapses_at: new Date(Date.now() + 86_400_000) },
    })
    .execute();
  return id;
};

/** A key of a person or a team, and an access token. The secret is nobody's. */
makers.key = async ({ store, ids }, { userId, teamId }) => {
  const owner =
    teamId === null ? ({ kind: "person", id: userId } as const) : ({ kind: "team", id: teamId } as const);
  return (await createKey(store.db, ids, owner, "of the matrix")).id;
};
makers.session = async ({ store, ids }, { userId }) => {
  const id = ids.make("tok");
  const expires_at = new Date(Date.now() + 3_600_000);
  const row = {
    id,
    kind: "token" as const,
    user_id: userId,
    team_id: null,
    name: "of the matrix",
    expires_at,
  };
  await store.db
    .insertInto("credentials")
    .values({ ...row, prefix: "wh_token_", hash: Buffer.from(id) })
    .execute();
  return id;
};

/** A program, what it asks, and what it was let do. Its secrets are nobody's. */
makers.program = async ({ store, ids }) => {
  const id = ids.make("prog");
  const redirect_uris = ["https://app.example.com/callback"];
  await store.db
    .insertInto("oauth_programs")
    .values({ id, kind: "registered", name: "Of the matrix", redirect_uris, secret_hash: null })
    .execute();
  return id;
};
makers.program_request = async (context, owner, relation) => {
  const program_id = (await makers.program?.(context, owner, relation)) ?? "";
  const id = context.ids.make("request");
  await context.store.db
    .insertInto("oauth_requests")
    .values({
      ...{ hash: hashSecret(id), browser: hashSecret(id), program_id, scopes: ["read"], state: null },
      ...{ redirect_uri: "https://app.example.com/callback", challenge: "x", network: "of the matrix" },
      expires_at: new Date(Date.now() + 600_000),
    })
    .execute();
  return id;
};
makers.connection = async (context, owner, relation) => {
  const program_id = (await makers.program?.(context, owner, relation)) ?? "";
  const id = context.ids.make("con");
  const { db } = context.store;
  await db
    .insertInto("oauth_connections")
    .values({
      ...{ id, program_id, user_id: owner.userId, scopes: ["read"], code: Buffer.from(id) },
      ...{ redirect_uri: "https://app.example.com/callback", challenge: "x" },
      expires_at: new Date(Date.now() + 600_000),
    })
    .execute();
  await db.updateTable("oauth_connections").set({ begun_at: new Date() }).where("id", "=", id).execute();
  return id;
};

/** What a flow asks, that waits, of a run that has ended. */
makers.question = async (context, owner, relation) => {
  const { db } = context.store;
  const runId = (await makers.run?.(context, owner, relation)) ?? "";
  const id = runId.replace(/^run_/, "ask_");
  const { userId, teamId } = owner;
  await db
    .insertInto("approvals")
    .values({
      ...{ id, kind: "flow" as const, execution_id: runId, step_key: "ask/ask", run_id: runId },
      ...{ flow_id: flowOf(runId), user_id: userId, team_id: teamId },
      definition: toJson({ question: "The secret of the question?", details: null, fields: [] }),
      ...{ who: teamId === null ? "person" : "operators", lapses_at: new Date(Date.now() + 86_400_000) },
    })
    .execute();
  return id;
};

/** The run that asks. */
export const runOf = (questionId: string) => questionId.replace(/^ask_/, "run_");

/** A source that is active, with one passage that speaks of a rope. */
makers.passage = async (context, owner, relation) => {
  const { db } = context.store;
  const id = (await makers.source?.(context, owner, relation)) ?? "";
  await db.updateTable("knowledge_sources").set({ status: "active" }).where("id", "=", id).execute();
  const file = { id: context.ids.make("file"), source_id: id, file_name: fileName };
  await db
    .insertInto("knowledge_files")
    .values({
      ...{ ...file, kind: "markdown", media_type: "text/markdown", size: 1, sha256: "", error: null },
      ...{ content_id: context.ids.make("content"), origin: "upload", status: "indexed" },
    })
    .execute();
  await db
    .insertInto("knowledge_passages")
    .values({ file_id: file.id, seq: 1, source_id: id, content: "The secret of the rope." })
    .execute();
  return id;
};

/** Ids that are there from the start: MCP servers of the workspace, teams, and what needs no object. */
const fixed: Partial<Record<ObjectKind, Partial<Record<Relation, string>>>> = {
  server: { everyones: "open", team: "ones", otherTeams: "twos" },
  team: { team: "team_one", otherTeams: "team_two" },
  person: { own: "user_ann", theirs: "user_cat", otherTeams: "user_gil", everyones: "user_zoe" },
  nothing: { everyones: "" },
};

/** @returns the id of an object that is this relation's, made for this call; of none for `absent` */
export async function makeObject(context: Context, kind: ObjectKind, relation: Relation): Promise<string> {
  if (relation === "absent") return `${kind}_that_is_not_there`;
  const known = fixed[kind]?.[relation];
  if (known !== undefined) return known;
  const owner = relation === "granted" || relation === "everyones" ? owners.theirs : owners[relation];
  const make = makers[kind];
  if (make === undefined) throw new Error(`there is no ${kind} that is ${relation}`);
  return make(context, owner, relation);
}

/** Makes the agents of the people and teams themselves, or makes them again what they were. */
export async function addAgents({ store }: Context): Promise<void> {
  const team = (id: string) => (id === "agent_one" ? owners.team : owners.otherTeams);
  const rows = new Map(
    Object.values(principals).map(({ agent, userId }) => [
      agent,
      agentRow(agent, userId === null ? team(agent) : { userId, teamId: null }),
    ]),
  );
  await store.db
    .insertInto("agents")
    .values([...rows.values()])
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({ team_id: eb.ref("excluded.team_id"), tools: toJson([]) })),
    )
    .execute();
}

function agentRow(id: string, { userId, teamId }: Owner) {
  return {
    ...{ id, alias: null, owner_id: userId, team_id: teamId, name: `Agent ${id}`, description: null },
    ...{ model_name: "builtin/offline", system_prompt: null, folder_id: null },
  };
}

async function makeArtifact({ store, ids, files }: Context, { userId, teamId }: Owner, relation: Relation) {
  const interactionId = ids.make("int");
  const artifactId = ids.make("art");
  const agentId = agentOf[relation] ?? "agent_cat";
  const owner = { user_id: userId, team_id: teamId };
  await store.db
    .insertInto("interactions")
    .values({
      ...{ id: interactionId, agent_id: agentId, ...owner, type: "api", state: "completed" as const },
      ...{ name: "Talk", execution_id: "none", error: null },
    })
    .execute();
  const fileId = randomUUID();
  const size = await files.write(fileId, "secret of the conversation");
  const version = { id: ids.make("ver"), major_version: 1 };
  await store.db
    .insertInto("artifacts")
    .values({
      ...{ id: artifactId, agent_id: agentId, interaction_id: interactionId, ...owner, filename: fileName },
      ...{ version_id: version.id, major_version: 1, organization_role: null, link_role: null },
      removed_at: null,
    })
    .execute();
  await store.db
    .insertInto("artifact_versions")
    .values({ ...version, artifact_id: artifactId, file_id: fileId, media_type: "text/markdown", size })
    .execute();
  return { artifactId };
}
