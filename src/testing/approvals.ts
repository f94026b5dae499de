import type { InboxItem } from "../contract/inbox.ts";
import { type AgentService, asOwner, type KeyName } from "./agents.ts";
import { until } from "./until.ts";

/** How an agent of a test asks: `metadata.approvals`, its tools, and whose it is. */
export interface AskingAgent {
  readonly approvals?: Readonly<Record<string, unknown>>;
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly team_id?: string;
  readonly model_name?: string;
}

/** Makes an agent of Kim's that asks before it writes a file, unless it is told otherwise. @returns its id */
export async function askingAgent(
  { call }: AgentService,
  {
    approvals = { tools: { write_file: "ask" } },
    tools = [{ type: "write_file" }, { type: "read_file" }],
    ...more
  }: AskingAgent = {},
): Promise<string> {
  const body = { name: "Asks", model_name: "builtin/offline", tools, metadata: { approvals }, ...more };
  const made = await call("kim", "POST", "/agents", body, asOwner("kim"));
  if (made.status !== 200) throw new Error(`no agent was made: ${JSON.stringify(made.body)}`);
  return made.body.agent.id;
}

/** Waits until a conversation waits for people. @returns what it asks, the oldest first */
export async function asked(
  app: AgentService,
  interactionId: string,
  key: KeyName = "kim",
): Promise<readonly InboxItem[]> {
  const { db } = app.context.store;
  const waits = () =>
    db
      .selectFrom("interactions")
      .innerJoin("executions", "executions.id", "interactions.execution_id")
      .innerJoin("approvals", "approvals.execution_id", "executions.id")
      .select("executions.id")
      .where("interactions.id", "=", interactionId)
      .where("executions.state", "=", "waiting")
      .where("approvals.state", "=", "waiting")
      .execute();
  await until(`${interactionId} to ask`, async () => (await waits()).length > 0);
  const { body } = await app.call(key, "GET", `/inbox?session_id=${interactionId}`);
  const items: InboxItem[] = [];
  for (const { id } of body.items) items.push((await app.call(key, "GET", `/inbox/${id}`)).body.item);
  return items;
}

/** Starts a conversation that asks. @returns it, and its only question */
export async function askedOnce(
  app: AgentService,
  message: string,
  body: Readonly<Record<string, unknown>>,
): Promise<{ readonly id: string; readonly item: InboxItem }> {
  const started = await app.start(message, body);
  const id: string = started.body.interaction_id;
  const [item, ...more] = await asked(app, id);
  if (item === undefined || more.length > 0) throw new Error(`${id} asks ${more.length + 1} questions`);
  return { id, item };
}

/** Answers a question. */
export function answer(
  { call }: AgentService,
  item: { readonly id: string },
  body: Readonly<Record<string, unknown>>,
  key: KeyName = "kim",
) {
  return call(key, "POST", `/inbox/${item.id}/answer`, body);
}
