import type { Context } from "../service/context.ts";
import { toJson } from "../service/store/json.ts";
import { type FakeModelServer, startFakeModelServer } from "./fake-model-server.ts";
import { startService, type TestService, type TestServiceOptions } from "./service.ts";
import { until } from "./until.ts";

/** A service with people, teams, keys and agents that nobody else's files describe, and a model that tests direct. */
export interface AgentService {
  readonly service: TestService;
  readonly context: Context;
  readonly model: FakeModelServer;
  /** Kim and Lee are members of `team_red`, Lee alone of `team_blue`. */
  readonly keys: Readonly<Record<"kim" | "lee" | "red" | "blue", string>>;
  /** Calls an endpoint and reads its JSON; `key` is a name of `keys` or null. */
  call(
    key: KeyName | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: HeadersInit,
  ): Promise<Answer>;
  /** Starts or continues a conversation of Kim's with `agent_kim`, unless `body` says otherwise. */
  start(message: string, body?: Readonly<Record<string, unknown>>, key?: KeyName): Promise<Answer>;
  /** Waits until the interaction's turn has ended, and answers its status. */
  settled(interactionId: string): Promise<Answer["body"]>;
  stop(): Promise<void>;
}

export type KeyName = "kim" | "lee" | "red" | "blue";

export const isPerson = (key: KeyName) => key === "kim" || key === "lee";

/** The header that a person's key needs for what changes things (§5.6); a team's key needs none. */
export const asOwner = (key: KeyName): Record<string, string> =>
  isPerson(key) ? { "x-auth-key": `user_${key}` } : {};

interface Answer {
  readonly status: number;
  /** Parsed JSON; what it holds is for the test to say. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly headers: Headers;
}

/** Model retries that a test can wait for. */
export const quickRetry = {
  attempts: 3,
  firstWait: 20,
  longestWait: 50,
  longestAsked: 2_000,
  random: () => 0.5,
};

export async function startAgentService(options: TestServiceOptions = {}): Promise<AgentService> {
  const model = await startFakeModelServer();
  const environment = {
    WHEELHOUSE_OPENAI_COMPATIBLE_URL: model.url,
    WHEELHOUSE_OPENAI_COMPATIBLE_MODELS: "fake",
    WHEELHOUSE_OPENAI_COMPATIBLE_KEY: "sk-canary-of-the-model-server",
    ...options.environment,
  };
  const service = await startService({ modelRetry: quickRetry, empty: true, ...options, environment });
  await seed(service.context);
  const keys = {
    kim: await service.makeKey({ kind: "person", id: "user_kim" }),
    lee: await service.makeKey({ kind: "person", id: "user_lee" }),
    red: await service.makeKey({ kind: "team", id: "team_red" }),
    blue: await service.makeKey({ kind: "team", id: "team_blue" }),
  };
  const call: AgentService["call"] = async (key, method, path, body, headers) => {
    const response = await service.call(key === null ? null : keys[key], method, path, body, headers);
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? null : JSON.parse(text),
      headers: response.headers,
    };
  };
  return {
    service,
    context: service.context,
    model,
    keys,
    call,
    start: (message, body = {}, key = "kim") => {
      return call(key, "POST", "/start_agent", {
        gummie_id: "agent_kim",
        message,
        user_id: "user_kim",
        ...body,
      });
    },
    async settled(id) {
      const { db } = service.context.store;
      const read = () =>
        db.selectFrom("interactions").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
      await until(`the end of ${id}`, async () => (await read()).state !== "processing");
      const { team_id } = await read();
      const query = team_id === null ? "user_id=user_kim" : `project_id=${team_id}`;
      return (await call("kim", "GET", `/agent_status/${id}?${query}`)).body;
    },
    async stop() {
      await service.stop();
      await model.close();
    },
  };
}

const tools = ["write_file", "read_file", "run_flow", "http_get"].map((type) => ({ type }));

/** What a workspace's file has brought already stays. */
async function seed({ store: { db } }: Context): Promise<void> {
  const person = (id: string, first_name: string) => {
    return {
      id,
      first_name,
      last_name: "Test",
      email: `${id}@example.com`,
      profile_picture: null,
      plan: "pro" as const,
    };
  };
  const agent = (id: string, owner_id: string, more: { team_id?: string; model_name?: string } = {}) => {
    return {
      id,
      owner_id,
      name: `Agent ${id}`,
      alias: null,
      description: null,
      team_id: null,
      model_name: "local/fake",
      system_prompt: "Be brief.",
      folder_id: null,
      tools: toJson(tools),
      ...more,
    };
  };
  await db
    .insertInto("users")
    .values([person("user_kim", "Kim"), person("user_lee", "Lee")])
    .onConflict((there) => there.column("id").doNothing())
    .execute();
  await db
    .insertInto("teams")
    .values(["team_red", "team_blue"].map((id) => ({ id, name: id, plan: "pro" as const })))
    .onConflict((there) => there.doNothing())
    .execute();
  await db
    .insertInto("team_members")
    .values([
      { team_id: "team_red", user_id: "user_kim" },
      { team_id: "team_red", user_id: "user_lee" },
      { team_id: "team_blue", user_id: "user_lee" },
    ])
    .onConflict((there) => there.doNothing())
    .execute();
  await db
    .insertInto("agents")
    .values([
      agent("agent_kim", "user_kim"),
      agent("agent_offline", "user_kim", { model_name: "builtin/offline" }),
      agent("agent_lee", "user_lee"),
      agent("agent_red", "user_kim", { team_id: "team_red", model_name: "builtin/offline" }),
      agent("agent_blue", "user_lee", { team_id: "team_blue" }),
    ])
    .execute();
}

let made = 0;

/** Writes an agent of Kim's of its own into the database, so that tests do not see each other's changes. */
export async function freshAgent(
  { store }: Context,
  values: { name?: string; tools?: string; metadata?: string; team_id?: string } = {},
): Promise<string> {
  made += 1;
  const id = `agent_fresh_${made}`;
  await store.db
    .insertInto("agents")
    .values({
      id,
      owner_id: "user_kim",
      name: "Fresh",
      model_name: "local/fake",
      alias: null,
      team_id: null,
      description: "Old",
      system_prompt: "Old",
      folder_id: null,
      ...values,
    })
    .execute();
  return id;
}

/** Does something while a person is not in a team. */
export async function outsideTeam<R>(
  { store: { db } }: Context,
  team_id: string,
  user_id: string,
  act: () => Promise<R>,
): Promise<R> {
  await db.deleteFrom("team_members").where("team_id", "=", team_id).where("user_id", "=", user_id).execute();
  try {
    return await act();
  } finally {
    await db.insertInto("team_members").values({ team_id, user_id }).execute();
  }
}
