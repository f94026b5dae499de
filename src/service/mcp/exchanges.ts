import type { Client } from "@modelcontextprotocol/client";
import type { Requester } from "../limiter.ts";
import { createPlaces } from "../outgoing/places.ts";
import { missingVariable } from "./catalogue.ts";
import { addressOf, type McpServerConfig, type McpServerEntry, maySignIn } from "./config.ts";
import { type Opened, statusOf } from "./connect.ts";
import type { ConnectionKey } from "./connection-rows.ts";
import { McpError, type McpFailure } from "./mcp-error.ts";
import { createOpener, type OpenerParts } from "./opener.ts";
import { everybody, type McpOwner, type McpScope, scopeKey } from "./owner.ts";
import { createPool, type Lease } from "./pool.ts";
import type { QuestionsInCall } from "./questions-in-call.ts";

/** An open connection at work. */
export interface Exchange {
  readonly lease: Lease;
  readonly key: ConnectionKey;
  readonly config: McpServerConfig;
  /** In whose name it waits. */
  readonly requester: Requester;
  /** Asks by this connection, when the server has a place for it; what goes wrong is an `McpError` in words. */
  ask<T>(question: (client: Client) => Promise<T>): Promise<T>;
  /** Questions of a server of an earlier revision. */
  readonly questions: QuestionsInCall;
}

/** Exchanges with servers, by the connection of whoever they are for; each writes down what it says of the connection. */
export interface Exchanges {
  /** @throws McpError for a server that is not there, or lacks a variable */
  entryOf(serverId: string): McpServerEntry;
  /** Whose connection a use of the server takes. @throws McpError `no_owner` */
  keyOf(serverId: string, owner: McpOwner | null): Promise<ConnectionKey>;
  /** @throws McpError; the signal's reason */
  run<T>(
    serverId: string,
    owner: McpOwner | null,
    requester: Requester,
    work: (exchange: Exchange) => Promise<T>,
  ): Promise<T>;
  /** Lets go of the owner's open connections in this process. */
  forget(serverId: string, owner: McpOwner): void;
  close(): Promise<void>;
}

export interface ExchangeParts extends OpenerParts {
  readonly byId: ReadonlyMap<string, McpServerEntry>;
  /** Done before the first look at anything stored. */
  readonly settle: () => Promise<void>;
}

/** Milliseconds after which a connection of one person or team that nobody uses is closed. */
const idle = 600_000;

/** What says something of the connection, and not only of one tool or question. */
const noted: ReadonlySet<McpFailure> = new Set(["unauthenticated", "unreachable", "timeout", "too_large"]);

/** One for each process; it connects to a server when something is first asked of it. */
export function createExchanges(parts: ExchangeParts): Exchanges {
  const { connections, byId, settle } = parts;
  const places = createPlaces();
  const open = createOpener(parts);
  const pool = createPool((key) => (key.includes(" everybody ") ? null : idle));

  function entryOf(id: string): McpServerEntry {
    const entry = byId.get(id);
    if (entry === undefined) throw new McpError("unknown", `There is no MCP server ${id}.`);
    const [missing] = entry.missing;
    if (missing === undefined) return entry;
    throw new McpError("unauthenticated", missingVariable(entry.config.name, missing));
  }

  async function keyOf(id: string, owner: McpOwner | null): Promise<ConnectionKey> {
    const { config } = entryOf(id);
    await settle();
    const address = addressOf(config);
    return { serverId: id, address, scope: await scopeOf(config, address, owner) };
  }

  async function scopeOf(
    config: McpServerConfig,
    address: string,
    owner: McpOwner | null,
  ): Promise<McpScope> {
    if (!maySignIn(config)) return everybody;
    const wants = config.oauth !== null || (await connections.wantsSignIn(config.id, address)) === true;
    if (owner !== null && (wants || (await isSignedIn(config, owner)))) return owner;
    if (!wants) return everybody;
    throw new McpError("no_owner", `The MCP server ${config.name} requires someone to sign in.`);
  }

  /** Of a connection in the pool: another sign-in is another connection. */
  async function poolKeyOf(key: ConnectionKey, name: string): Promise<string> {
    const { serverId, scope } = key;
    const beginning = `${serverId} ${scopeKey(scope)} `;
    if (scope.type === "everybody") return beginning;
    const signIn = (await connections.find(key))?.signIn ?? null;
    if (signIn !== null) return beginning + signIn;
    const whom = scope.type === "team" ? "The team is" : "You are";
    throw new McpError("unauthenticated", `${whom} not signed in to the MCP server ${name}.`);
  }

  /** What an error says of the connection. */
  async function note(config: McpServerConfig, key: ConnectionKey, error: McpError): Promise<void> {
    if (!noted.has(error.failure)) return;
    if (key.scope.type === "everybody" && maySignIn(config) && statusOf(error) === 401) {
      await connections.setWantsSignIn(config.id, key.address, true);
    } else await connections.failed(key, error.failure, error.whole);
  }

  /**
   * Whether a server that wanted somebody to sign in may want nothing of one who is not: one refusal, or that others have
   * signed in to it, must not shut everybody else out for ever.
   */
  async function mayBeOpen(config: McpServerConfig, owner: McpOwner | null): Promise<boolean> {
    if (!maySignIn(config) || config.oauth !== null) return false;
    if ((await connections.wantsSignIn(config.id, addressOf(config))) !== true) return false;
    return owner === null || !(await isSignedIn(config, owner));
  }

  async function isSignedIn(config: McpServerConfig, owner: McpOwner): Promise<boolean> {
    const own = await connections.find({ serverId: config.id, address: addressOf(config), scope: owner });
    return own !== null && own.signIn !== null;
  }

  async function exchange<T>(
    config: McpServerConfig,
    key: ConnectionKey,
    requester: Requester,
    work: (exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      let lease: Lease | null = null;
      try {
        lease = await pool.lease(await poolKeyOf(key, config.name), (closed) => open(config, key, closed));
        const { opened } = lease;
        const result = await work({
          ...{ lease, key, config, requester, questions: opened.questions },
          // What a server sends by itself, and what is answered to that, belongs to a call that has a place.
          ask: (question) => places.run(config.id, requester, () => asked(opened, question)),
        });
        lease.done(!opened.questions.isDoubtful);
        await connections.succeeded(key, null);
        return result;
      } catch (error) {
        const failure = error instanceof McpError ? error.failure : null;
        const isLost = failure === "unreachable" || failure === "unauthenticated";
        lease?.done(!isLost && lease.opened.questions.isDoubtful === false);
        requester.signal?.throwIfAborted();
        if (!(error instanceof McpError)) throw error;
        // A server that was restarted knows no session of before, and has done nothing yet.
        if (lease?.known && attempt === 1 && statusOf(error) === 404) continue;
        await note(config, key, error);
        throw error;
      }
    }
  }

  return {
    entryOf,
    keyOf,
    async run(id, owner, requester, work) {
      const { config } = entryOf(id);
      await settle();
      if (await mayBeOpen(config, owner)) {
        const address = addressOf(config);
        try {
          const result = await exchange(config, { serverId: id, address, scope: everybody }, requester, work);
          await connections.setWantsSignIn(id, address, false);
          return result;
        } catch (error) {
          // It still wants somebody: that is said as to anybody who is not signed in.
          if (!(error instanceof McpError) || error.failure !== "unauthenticated") throw error;
        }
      }
      return await exchange(config, await keyOf(id, owner), requester, work);
    },
    forget: (id, owner) => pool.forget(`${id} ${scopeKey(owner)} `),
    close: () => pool.close(),
  };
}

async function asked<T>({ client, explain }: Opened, question: (client: Client) => Promise<T>): Promise<T> {
  try {
    return await question(client);
  } catch (error) {
    throw explain(error);
  }
}
