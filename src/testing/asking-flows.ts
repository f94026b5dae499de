import type { InboxItem } from "../contract/inbox.ts";
import { toJson } from "../service/store/json.ts";
import type { Problem } from "../service/workspace/problem.ts";
import { readFlow } from "../service/workspace/read-flow.ts";
import { readYaml } from "../service/workspace/yaml-file.ts";
import type { AgentService, KeyName } from "./agents.ts";
import { until } from "./until.ts";

/**
 * Stores a flow of Kim's.
 * @param nodes as YAML
 * @param teamId whose it is beside hers
 */
export async function addFlow(
  { context }: AgentService,
  id: string,
  nodes: string,
  teamId: string | null = null,
): Promise<void> {
  const problems: Problem[] = [];
  const text = `id: ${id}\nname: ${id}\nowner: user_kim\nnodes:\n${nodes.replace(/^\n/, "")}`;
  const flow = await readFlow(readYaml("test.yaml", text), problems);
  if (!flow || problems.length > 0) throw new Error(problems.map(({ message }) => message).join("; "));
  await context.store.db
    .insertInto("saved_items")
    .values({
      ...{ id, user_id: "user_kim", team_id: teamId, name: flow.name, removed_at: null },
      definition: toJson(flow.definition),
    })
    .execute();
}

/** Starts a flow of Kim's. @returns the run's id */
export async function startFlow(
  { call }: AgentService,
  id: string,
  { inputs = {}, key = "kim", query = "user_id=user_kim" }: Starting = {},
): Promise<string> {
  const started = await call(key, "POST", `/start_pipeline?saved_item_id=${id}&${query}`, inputs);
  if (started.status !== 200) throw new Error(`no run was started: ${JSON.stringify(started.body)}`);
  return started.body.run_id;
}

interface Starting {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly key?: KeyName;
  readonly query?: string;
}

/** Waits until a run asks so many questions and waits for them. @returns them, the oldest first */
export async function askedByRun(
  app: AgentService,
  runId: string,
  { count = 1, key = "kim" }: { readonly count?: number; readonly key?: KeyName } = {},
): Promise<readonly InboxItem[]> {
  const { db } = app.context.store;
  await until(`${runId} to ask`, async () => {
    const waiting = await db
      .selectFrom("approvals")
      .innerJoin("executions", "executions.id", "approvals.run_id")
      .select("approvals.id")
      .where("approvals.run_id", "=", runId)
      .where("approvals.state", "=", "waiting")
      .where("executions.state", "=", "waiting")
      .execute();
    return waiting.length >= count;
  });
  const { body } = await app.call(key, "GET", `/inbox?run_id=${runId}`);
  const items: InboxItem[] = [];
  for (const { id } of body.items) items.push((await app.call(key, "GET", `/inbox/${id}`)).body.item);
  return items;
}

/** The only question of a run. */
export async function askedOnceByRun(app: AgentService, runId: string, key?: KeyName): Promise<InboxItem> {
  const [item, ...more] = await askedByRun(app, runId, key === undefined ? {} : { key });
  if (item === undefined || more.length > 0) throw new Error(`${runId} asks ${more.length + 1} questions`);
  return item;
}

/** How a run ended: its state, its outputs, its log without times. */
export async function runEnd({ call, context }: AgentService, runId: string) {
  const { db } = context.store;
  await until(`the end of ${runId}`, async () => {
    const row = await db
      .selectFrom("executions")
      .select("finished_at")
      .where("id", "=", runId)
      .executeTakeFirst();
    return row?.finished_at != null;
  });
  const { body } = await call("kim", "GET", `/get_pl_run?run_id=${runId}&user_id=user_kim`);
  const log: string[] = body.log;
  return {
    state: body.state,
    outputs: body.outputs,
    log: log.map((line) => line.slice(line.indexOf(" ") + 1)),
  };
}
