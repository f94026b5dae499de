import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Kysely } from "kysely";
import type { Sealer } from "../credentials/sealer.ts";
import type { JsonObject } from "../json.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Database } from "../store/schema.ts";
import { type McpAnswer, toAnswer } from "./answer.ts";
import { createBearer } from "./bearer.ts";
import { type McpState, missingVariable, readStates } from "./catalogue.ts";
import { addressOf, type McpServerConfig, type McpServerEntry, maySignIn, operatorHosts } from "./config.ts";
import { answeredError, connect, type Opened, statusOf } from "./connect.ts";
import { createConnections } from "./connections.ts";
import { readDefinition, type ToolDefinition } from "./definition.ts";
import { withBearer } from "./fetches.ts";
import { createIcons, type Icon } from "./icons.ts";
import { McpError } from "./mcp-error.ts";
import { everybody, type McpOwner, type McpScope, scopeKey } from "./owner.ts";
import { createPool, type Lease } from "./pool.ts";
import { type CameBack, createSignInFlow, type SignInRefused, type SignInStarted } from "./sign-in-flow.ts";
import { createSignIns, type SignInFor } from "./sign-ins.ts";
import { createToolPins, type Held, type Place } from "./tool-pins.ts";

export type { McpAnswer, McpOwner, McpState };

/** A tool of a server now, and whether it may be called. */
export interface McpTool extends ToolDefinition {
  readonly held: Held | null;
}

/**
 * The MCP servers of the workspace. Connections open when they are first needed, never by looking at a list. Each use says
 * whose credentials it may take: `owner` null is somebody without any, for servers that tell nobody apart.
 */
export interface Mcp {
  readonly servers: readonly McpServerConfig[];
  /** What is known, by server. Asks no server. */
  states(owner: McpOwner): Promise<ReadonlyMap<string, McpState>>;
  /** Asks the server, and compares what it says with what was looked at. @throws McpError */
  listTools(serverId: string, owner: McpOwner | null, signal: AbortSignal): Promise<readonly McpTool[]>;
  /** @throws McpError, also `held` for a tool that nobody has looked at since it changed */
  callTool(serverId: string, owner: McpOwner | null, call: McpCall): Promise<McpAnswer>;
  /**
   * Takes definitions as looked at, all or none.
   * @param by null: a team's key
   * @returns false where one of them is not what the server said last
   */
  approve(
    serverId: string,
    owner: McpOwner,
    tools: readonly { readonly tool: string; readonly hash: string }[],
    by: string | null,
  ): Promise<boolean>;
  /** Begins a new sign-in, whatever there is already. @param by null: a team's key. @throws McpError */
  startSignIn(
    serverId: string,
    owner: McpOwner,
    by: string | null,
    signal: AbortSignal,
  ): Promise<SignInStarted>;
  /** Ends it when the browser comes back. */
  finishSignIn(
    back: CameBack,
    signal: AbortSignal,
  ): Promise<SignInRefused | ({ readonly type: "connected" } & SignInFor)>;
  /** The picture of a server, from its `icon_url`. @returns null where there is none that may be shown */
  icon(serverId: string): Promise<Icon | null>;
  /** Forgets the owner's tokens. @returns whether there were any */
  signOut(serverId: string, owner: McpOwner): Promise<boolean>;
  close(): Promise<void>;
}

export interface McpCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** The same for a repeated call: sent along as `_meta`, for servers that can tell. */
  readonly key: string;
  /** Of the definition that the caller knows; a tool that says something else by now is not called. */
  readonly hash?: string | null | undefined;
  readonly signal: AbortSignal;
}

export interface McpOptions {
  readonly db: Kysely<Database>;
  readonly sealer: Sealer;
  /** Makes the guarded client of one server. @param allowPrivate `host:port` pairs that it may reach though private */
  readonly outgoing: (allowPrivate: readonly string[]) => Outgoing;
  /** Where people reach this service, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
  readonly directory: string;
  readonly path: string | undefined;
  /** Milliseconds for one call. */
  readonly callTimeout?: number;
}

/** The most tools that are read of one server. */
const mostTools = 500;
/** Milliseconds after which a connection of one person or team that nobody uses is closed. */
const idle = 600_000;

export function createMcp(entries: readonly McpServerEntry[], options: McpOptions): Mcp {
  const { db, sealer } = options;
  const byId = new Map(entries.map((entry) => [entry.config.id, entry]));
  const connections = createConnections(db, sealer);
  const pins = createToolPins(db);
  const pool = createPool((key) => (key.includes(" everybody ") ? null : idle));
  const clients = new Map<string, Outgoing>();
  const timeout = options.callTimeout ?? 120_000;
  const fetchOf = (config: McpServerConfig) => {
    const client = clients.get(config.id) ?? options.outgoing(operatorHosts(config));
    clients.set(config.id, client);
    return client.fetch;
  };
  const flow = createSignInFlow({
    db,
    signIns: createSignIns(db, sealer),
    byId,
    fetchOf,
    redirectUrl: `${options.publicUrl}/mcp/oauth/callback`,
    version: options.version,
  });
  const icons = createIcons(Date.now);
  let settled: Promise<void> | null = null;

  /** Before anything else, once: what belongs to other addresses goes (S-45). */
  function settle(): Promise<void> {
    settled ??= connections.forgetOthers(
      entries.map(({ config }) => ({ id: config.id, address: addressOf(config) })),
    );
    settled.catch(() => {
      settled = null;
    });
    return settled;
  }

  function entryOf(id: string): McpServerEntry {
    const entry = byId.get(id);
    if (entry === undefined) throw new McpError("unknown", `There is no MCP server ${id}.`);
    const [missing] = entry.missing;
    if (missing !== undefined)
      throw new McpError("unauthenticated", missingVariable(entry.config.name, missing));
    return entry;
  }

  async function placeOf({ config }: McpServerEntry, owner: McpOwner | null): Promise<Place> {
    await settle();
    const address = addressOf(config);
    return { serverId: config.id, address, scope: await scopeOf(config, address, owner) };
  }

  async function scopeOf(
    config: McpServerConfig,
    address: string,
    owner: McpOwner | null,
  ): Promise<McpScope> {
    if (!maySignIn(config)) return everybody;
    if (config.oauth === null && (await connections.wantsSignIn(config.id, address)) !== true)
      return everybody;
    if (owner !== null) return owner;
    throw new McpError("no_owner", `The MCP server ${config.name} wants somebody to be signed in.`);
  }

  /** The key of a connection in this process: another sign-in is another connection. */
  async function keyOf(place: Place, name: string): Promise<string> {
    const { serverId, scope } = place;
    const beginning = `${serverId} ${scopeKey(scope)} `;
    if (scope.type === "everybody") return beginning;
    const signIn = (await connections.find(place))?.signIn ?? null;
    if (signIn !== null) return beginning + signIn;
    const whom = scope.type === "team" ? "The team is" : "You are";
    throw new McpError("unauthenticated", `${whom} not signed in to the MCP server ${name}.`);
  }

  function open(config: McpServerConfig, place: Place, closed: () => void): Promise<Opened> {
    const plain = config.via === "http" ? fetchOf(config) : globalThis.fetch;
    const { name } = config;
    const bearer =
      place.scope.type === "everybody" ? null : createBearer({ db, connections, place, name, fetch: plain });
    return connect(config, { ...options, fetch: bearer ? withBearer(plain, bearer) : plain, closed });
  }

  /** One exchange with a server, and what it says about the connection. */
  async function exchange<T>(
    id: string,
    owner: McpOwner | null,
    signal: AbortSignal,
    work: (lease: Lease, place: Place, config: McpServerConfig) => Promise<T>,
  ): Promise<T> {
    const entry = entryOf(id);
    const { config } = entry;
    const place = await placeOf(entry, owner);
    for (let attempt = 1; ; attempt++) {
      let lease: Lease | null = null;
      try {
        lease = await pool.lease(await keyOf(place, config.name), (closed) => open(config, place, closed));
        const result = await work(lease, place, config);
        lease.done(true);
        await connections.succeeded(place, null);
        return result;
      } catch (error) {
        const failure = error instanceof McpError ? error.failure : null;
        lease?.done(failure !== "unreachable" && failure !== "unauthenticated");
        signal.throwIfAborted();
        if (!(error instanceof McpError)) throw error;
        // A server that was restarted knows no session of before, and has done nothing yet.
        if (lease?.known && attempt === 1 && statusOf(error) === 404) continue;
        await note(config, place, error);
        throw error;
      }
    }
  }

  async function note(config: McpServerConfig, place: Place, error: McpError): Promise<void> {
    const { failure } = error;
    if (failure === "held" || failure === "unknown" || failure === "no_sign_in" || failure === "no_owner")
      return;
    if (place.scope.type === "everybody" && maySignIn(config) && statusOf(error) === 401) {
      await connections.setWantsSignIn(config.id, place.address, true);
    } else await connections.failed(place, failure, error.message);
  }

  async function readTools(lease: Lease, place: Place, signal: AbortSignal): Promise<McpTool[]> {
    const definitions = await asked(lease.opened, (client) => listAll(client, signal));
    const seen = await pins.see(place, definitions);
    lease.listed = true;
    await connections.succeeded(place, definitions.length);
    return definitions.map((tool) => ({ ...tool, held: seen.get(tool.name)?.held ?? null }));
  }

  async function check(
    { tool, hash }: McpCall,
    lease: Lease,
    place: Place,
    name: string,
    signal: AbortSignal,
  ) {
    if (!lease.listed) await readTools(lease, place, signal);
    let pin = await pins.find(place, tool);
    if (pin === null) {
      await readTools(lease, place, signal);
      pin = await pins.find(place, tool);
    }
    if (pin === null) throw new McpError("unknown", `The MCP server ${name} has no tool ${tool}.`);
    const changed = hash !== undefined && hash !== null && hash !== pin.hash;
    if (pin.held === null && !changed) return;
    const what = pin.hash === null ? "is new" : "has changed";
    throw new McpError(
      "held",
      `The tool ${tool} of the MCP server ${name} ${what} since somebody looked at it, so it is not called before somebody looks again.`,
    );
  }

  const ownPlace = (config: McpServerConfig, owner: McpOwner): Place => {
    return { serverId: config.id, address: addressOf(config), scope: owner };
  };

  const mcp: Mcp = {
    servers: entries.map((entry) => entry.config),
    async states(owner) {
      await settle();
      return await readStates(db, entries, owner);
    },
    listTools: (id, owner, signal) =>
      exchange(id, owner, signal, (lease, place) => readTools(lease, place, signal)),
    callTool: (id, owner, call) =>
      exchange(id, owner, call.signal, async (lease, place, { name }) => {
        const { tool, args, key, signal } = call;
        await check(call, lease, place, name, signal);
        const params = { name: tool, arguments: { ...args }, _meta: { "wheelhouse/idempotency-key": key } };
        const { CallToolResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
        return await asked(lease.opened, async (client) => {
          const request = { method: "tools/call", params } as const;
          return toAnswer(await client.request(request, CallToolResultSchema, { signal, timeout }));
        }).catch((error: unknown) => {
          const refusal = answeredError(error instanceof McpError ? error.cause : error);
          if (refusal === null) throw error;
          // The server did answer: its words are the tool's.
          return { content: [{ type: "text", text: refusal.message }], structured: null, isError: true };
        });
      }),
    async approve(id, owner, tools, by) {
      return await pins.approve(await placeOf(entryOf(id), owner), tools, by);
    },
    async startSignIn(id, owner, by, signal) {
      const { config } = entryOf(id);
      await settle();
      return await flow.start(config, owner, by, signal);
    },
    async finishSignIn(back, signal) {
      const came = await flow.finish(back, signal);
      if (came.type === "refused") return came;
      const { secrets, ...who } = came;
      const { config } = entryOf(came.serverId);
      await connections.setWantsSignIn(config.id, came.address, true);
      await connections.signIn(ownPlace(config, came.owner), secrets);
      pool.forget(`${config.id} ${scopeKey(came.owner)} `);
      // So that the catalogue knows at once; what goes wrong here is noted there.
      await mcp.listTools(config.id, came.owner, signal).catch(() => {});
      return { ...who, type: "connected" };
    },
    async icon(id) {
      const config = byId.get(id)?.config;
      if (!config || config.iconUrl === null) return null;
      return await icons.get(id, config.iconUrl, fetchOf(config));
    },
    async signOut(id, owner) {
      const { config } = entryOf(id);
      pool.forget(`${id} ${scopeKey(owner)} `);
      return await connections.signOut(ownPlace(config, owner));
    },
    async close() {
      await pool.close();
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
  return mcp;
}

/** Asks by this connection; what goes wrong is explained as the connection knows it. */
async function asked<T>({ client, explain }: Opened, ask: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await ask(client);
  } catch (error) {
    throw explain(error);
  }
}

const methodNotFound = -32_601;

/** All tools, without the SDK's own list: that one compiles what the server sends into code. */
async function listAll(client: Client, signal: AbortSignal): Promise<ToolDefinition[]> {
  const { ListToolsResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const tools: ToolDefinition[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostTools; page++) {
    const request = { method: "tools/list", params: cursor === undefined ? {} : { cursor } } as const;
    const answer = await client
      .request(request, ListToolsResultSchema, { signal, timeout: 30_000 })
      .catch((error: unknown) => {
        // A server that has no tools at all need not know the question.
        if (answeredError(error)?.code === methodNotFound) return { tools: [], nextCursor: undefined };
        throw error;
      });
    for (const tool of answer.tools) {
      const definition = readDefinition(tool);
      if (definition) tools.push(definition);
    }
    cursor = answer.nextCursor;
    if (cursor === undefined || tools.length >= mostTools) break;
  }
  return tools.slice(0, mostTools);
}
