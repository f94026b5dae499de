import type { Clock } from "../context.ts";
import { createLimiter, type Limiter } from "../limiter.ts";
import { createBearer } from "./bearer.ts";
import type { McpServerConfig } from "./config.ts";
import { type ConnectOptions, connect, type Opened } from "./connect.ts";
import type { ConnectionKey } from "./connection-rows.ts";
import type { Connections } from "./connections.ts";
import { withBearer } from "./fetches.ts";
import { McpError } from "./mcp-error.ts";
import type { SignedInSecrets } from "./secrets.ts";

export interface OpenerParts extends Omit<ConnectOptions, "fetch" | "closed" | "isOld"> {
  readonly connections: Connections;
  readonly clock: Clock;
  readonly fetchOf: (config: McpServerConfig) => typeof globalThis.fetch;
  /** Gives tokens that nobody keeps back to the server's sign-in, in the background. */
  readonly revoke: (config: McpServerConfig, secrets: SignedInSecrets) => void;
  /** Told of a client, by its id, that a server's sign-in says it does not know. */
  readonly unknownClient: (key: ConnectionKey, id: string) => Promise<void>;
  /** Told of each command that does not start. */
  readonly onNotStarted?: ((serverId: string, error: McpError) => void) | undefined;
}

/** @param closed called when the connection has ended. @throws McpError */
export type Open = (config: McpServerConfig, key: ConnectionKey, closed: () => void) => Promise<Opened>;

/** Of the sign-ins of one server: a server that does not answer must not take all connections to the database. */
const renewalsAtOnce = 2;

/** Milliseconds for which a command is taken for what it was: somebody may put a later one in its place. */
const commandStays = 86_400_000;

/** Opens connections: to a command, to a server that wants nobody, or with the tokens of whoever has signed in. */
export function createOpener(parts: OpenerParts): Open {
  const { connections, fetchOf } = parts;
  const renewing = new Map<string, Limiter>();
  /** When a command was found to speak no later revision than 2025-11-25: asking it starts it once more, only for that. */
  const oldCommands = new Map<string, number>();

  async function openCommand(config: McpServerConfig, closed: () => void): Promise<Opened> {
    const now = parts.clock.now().getTime();
    const isOld = (oldCommands.get(config.id) ?? 0) > now - commandStays;
    try {
      // A command is reached by no fetch at all.
      const opened = await connect(config, { ...parts, fetch: globalThis.fetch, closed, isOld });
      if (opened.client.getProtocolEra() === "legacy" && !isOld) oldCommands.set(config.id, now);
      return opened;
    } catch (error) {
      if (error instanceof McpError) parts.onNotStarted?.(config.id, error);
      throw error;
    }
  }

  return async function open(
    config: McpServerConfig,
    key: ConnectionKey,
    closed: () => void,
  ): Promise<Opened> {
    if (config.via === "stdio") return await openCommand(config, closed);
    const plain = fetchOf(config);
    const { name } = config;
    const { scope } = key;
    if (scope.type === "everybody") return connect(config, { ...parts, fetch: plain, closed });
    const limiter = renewing.get(config.id) ?? createLimiter({ places: renewalsAtOnce });
    renewing.set(config.id, limiter);
    const revoke = (secrets: SignedInSecrets) => parts.revoke(config, secrets);
    const bearer = createBearer({
      connections,
      clock: parts.clock,
      key,
      name,
      fetch: plain,
      limiter,
      revoke,
      unknownClient: (id) => parts.unknownClient(key, id),
    });
    const lacks = async (scope: string | null) => {
      if (scope !== null) await connections.lacks(key, scope);
      const words = `The MCP server ${name} requires more rights than the sign-in has given: sign in to it again.`;
      return new McpError("unauthenticated", words);
    };
    return connect(config, {
      ...parts,
      fetch: withBearer(plain, bearer, lacks),
      closed,
    });
  };
}
