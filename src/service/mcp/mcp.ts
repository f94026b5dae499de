import type { Kysely } from "kysely";
import type { ByteRoom } from "../byte-room.ts";
import type { Clock } from "../context.ts";
import type { Sealer } from "../credentials/sealer.ts";
import type { JsonObject } from "../json.ts";
import type { Requester } from "../limiter.ts";
import { createAnswerRoom } from "../outgoing/held-lines.ts";
import type { Outgoing } from "../outgoing/outgoing.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { TraceHeaders } from "../traceparent.ts";
import type { McpAnswer } from "./answer.ts";
import { type McpState, readStates } from "./catalogue.ts";
import { clientMetadataUrl } from "./client-metadata.ts";
import { addressOf, type McpServerConfig, type McpServerEntry, maySignIn, operatorHosts } from "./config.ts";
import { createConnections } from "./connections.ts";
import { createExchanges } from "./exchanges.ts";
import { withOwnResponses, withTimeout } from "./fetches.ts";
import { createIcons, type Icon } from "./icons.ts";
import { makeCall } from "./make-call.ts";
import { McpError } from "./mcp-error.ts";
import type { McpOwner } from "./owner.ts";
import { canRevokeAlone, revokeTokens } from "./revoke.ts";
import type { SignedInSecrets } from "./secrets.ts";
import type { AnsweredAsks, Asks } from "./server-question.ts";
import {
  createSignInFlow,
  type OAuthCallback,
  type SignInRefused,
  type SignInStarted,
} from "./sign-in-flow.ts";
import { type Beginner, createSignIns, type SignInFor } from "./sign-ins.ts";
import { createToolPins } from "./tool-pins.ts";
import { createToolReview, type McpTool } from "./tool-review.ts";

export type { McpAnswer, McpOwner, McpState, McpTool };

/** What is written in the same transaction. */
type Within = (tx: Tx) => Promise<void>;

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
  /**
   * Calls a tool. What the server asks people in the middle of the call comes back in place of its answer, and
   * the call is made again with what was answered, under the same key. A server of an earlier revision than 2026-07-28 is told
   * meanwhile that nobody decided: what it did before it asked, it may do twice.
   * @param answered what it asked before in this call, with the answers, in order
   * @throws McpError, also `held` for a tool that nobody has looked at since it changed
   */
  callTool(
    serverId: string,
    owner: McpOwner | null,
    call: McpCall,
    answered: readonly AnsweredAsks[],
  ): Promise<McpAnswer | { readonly asks: Asks }>;
  /** Of the definition of a tool that the server gave last; null: not known. Asks no server. @throws McpError */
  lastHash(serverId: string, owner: McpOwner | null, tool: string): Promise<string | null>;
  /**
   * Takes definitions as looked at, all or none.
   * @param by null: a team's key
   * @param within done in the same transaction, where they are taken
   * @returns false where one of them is not what the server said last
   */
  approve(
    serverId: string,
    owner: McpOwner,
    tools: readonly { readonly tool: string; readonly hash: string }[],
    by: string | null,
    within?: Within,
  ): Promise<boolean>;
  /**
   * Begins a new sign-in, whatever there is already.
   * @param within done in the transaction that notes it
   * @throws McpError
   */
  startSignIn(
    serverId: string,
    owner: McpOwner,
    by: Beginner,
    signal: AbortSignal,
    within?: Within,
  ): Promise<SignInStarted>;
  /** Ends it when the browser comes back. Tokens of a sign-in before it are given back as by `signOut`. */
  finishSignIn(
    back: OAuthCallback,
    signal: AbortSignal,
    within?: (tx: Tx, who: SignInFor) => Promise<void>,
  ): Promise<SignInRefused | ({ readonly type: "connected" } & SignInFor)>;
  /** The picture of a server, from its `icon_url`. @returns null where there is none that may be shown */
  icon(serverId: string): Promise<Icon | null>;
  /**
   * Forgets the owner's tokens, and then, without keeping anybody waiting, gives them back to the server's sign-in where
   * that takes them.
   * @param within done in the same transaction, where there were any
   * @returns whether there were any
   */
  signOut(serverId: string, owner: McpOwner, within?: Within): Promise<boolean>;
  close(): Promise<void>;
}

export interface McpCall {
  readonly tool: string;
  readonly args: JsonObject;
  /** The same for a repeated call: sent along as `_meta`, for servers that can tell. */
  readonly key: string;
  /** Of the definition that the caller knows; a tool that says something else by now is not called. */
  readonly hash?: string | null | undefined;
  /** A person has agreed to this very call of this very definition: it need not have been looked at beside that. */
  readonly isAgreed?: boolean | undefined;
  readonly signal: AbortSignal;
  /** In whose name it waits for a place of the server's; its own signal means nothing here. Missing: the owner's. */
  readonly requester?: Requester | undefined;
  /** Sent along as `_meta`, as the protocol has it, where somebody traces the call. */
  readonly trace?: TraceHeaders | undefined;
}

export interface McpOptions {
  readonly db: Kysely<Database>;
  readonly clock: Clock;
  readonly sealer: Sealer;
  /** Makes the guarded client of one server. @param allowPrivate `host:port` pairs that it may reach though private */
  readonly outgoing: (allowPrivate: readonly string[]) => Outgoing;
  /** Where people reach this service, without a trailing slash. */
  readonly publicUrl: string;
  readonly version: string;
  readonly directory: string;
  readonly path: string | undefined;
  /** For what is long of answers of commands while it comes; default its own. */
  readonly room?: ByteRoom;
  /** Whether a credential holds still, by its id: of who began a sign-in, when the browser comes back. */
  readonly holds: (credential: string) => Promise<boolean>;
  /** Milliseconds for one call. */
  readonly callTimeout?: number;
  /** Told when tokens that are forgotten here could not be given back to the server's sign-in, where they may go on. */
  readonly onNotRevoked?: (serverId: string, error: unknown) => void;
  /** Told of each command that does not start, with its last lines. */
  readonly onNotStarted?: (serverId: string, error: McpError) => void;
}

/** Milliseconds for giving one token back. */
const requestTimeoutMs = 15_000;

/** @param entries the servers of the workspace, which this process keeps until it ends */
export function createMcp(entries: readonly McpServerEntry[], options: McpOptions): Mcp {
  const { db, clock, sealer } = options;
  const byId = new Map(entries.map((entry) => [entry.config.id, entry]));
  const connections = createConnections(db, sealer);
  const pins = createToolPins(db);
  const icons = createIcons(() => performance.now());
  const clients = new Map<string, Outgoing>();
  const timeout = options.callTimeout ?? 120_000;
  const closing = new AbortController();
  const fetchOf = (config: McpServerConfig) => {
    const client = clients.get(config.id) ?? options.outgoing(operatorHosts(config));
    clients.set(config.id, client);
    return withOwnResponses(client.fetch);
  };
  const settle = once(() =>
    // What belongs to other addresses goes (S-45).
    connections.forgetOthers(entries.map(({ config }) => ({ id: config.id, address: addressOf(config) }))),
  );
  const { directory, path, room = createAnswerRoom(), version } = options;
  const signIns = createSignIns(db, sealer);
  const exchanges = createExchanges({
    connections,
    clock,
    byId,
    fetchOf,
    revoke: revoke,
    unknownClient: (key, id) => signIns.forgetClient(key, id),
    settle,
    directory,
    path,
    room,
    version,
    onNotStarted: options.onNotStarted,
  });
  const flow = createSignInFlow({
    db,
    clock,
    signIns,
    byId,
    fetchOf,
    revoke: revoke,
    redirectUrl: `${options.publicUrl}/mcp/oauth/callback`,
    metadataUrl: clientMetadataUrl(options.publicUrl),
    version,
    holds: options.holds,
    heard: (config, wants) => connections.setWantsSignIn(config.id, addressOf(config), wants),
  });

  const { readTools, check } = createToolReview(pins, connections);

  /** In the background: nobody waits for a sign-in that may not answer. */
  function revoke(config: McpServerConfig, secrets: SignedInSecrets): void {
    const fetch = withTimeout(fetchOf(config), requestTimeoutMs, closing.signal);
    revokeTokens(secrets, fetch).catch((error: unknown) => options.onNotRevoked?.(config.id, error));
  }

  /** Asks it now; what goes wrong is noted where the catalogue finds it. */
  function answers(serverId: string, owner: McpOwner, signal: AbortSignal): Promise<boolean> {
    return mcp.listTools(serverId, owner, signal).then(
      () => true,
      () => false,
    );
  }

  const mcp: Mcp = {
    servers: entries.map((entry) => entry.config),
    async states(owner) {
      await settle();
      return await readStates(db, sealer, entries, owner);
    },
    listTools: (id, owner, signal) =>
      exchanges.run(id, owner, { share: [owner?.id ?? ""], signal }, (exchange) =>
        readTools(exchange, signal),
      ),
    callTool: (id, owner, call, answered) =>
      exchanges.run(
        id,
        owner,
        { share: [owner?.id ?? ""], ...call.requester, signal: call.signal },
        async (exchange) => {
          await check(exchange, call);
          return await makeCall(exchange, call, answered, timeout);
        },
      ),
    async lastHash(id, owner, tool) {
      return (await pins.find(await exchanges.keyOf(id, owner), tool))?.lastHash ?? null;
    },
    async approve(id, owner, tools, by, within) {
      return await pins.approve(await exchanges.keyOf(id, owner), tools, by, within);
    },
    async startSignIn(serverId, owner, by, signal, within) {
      const { config } = exchanges.entryOf(serverId);
      await settle();
      try {
        const key = { serverId, address: addressOf(config), scope: owner };
        const scopes = await connections.scopesToAskFor(key);
        return await flow.start(config, owner, by, scopes, signal, within);
      } catch (error) {
        const none = error instanceof McpError && error.failure === "no_sign_in" && maySignIn(config);
        if (!none || !(await answers(serverId, owner, signal))) throw error;
        const words = `The MCP server ${config.name} needs no sign-in.`;
        throw new McpError("no_sign_in", words, error);
      }
    },
    async finishSignIn(back, signal, within) {
      const came = await flow.finish(back, signal);
      if (came.type === "refused") return came;
      const { secrets, ...who } = came;
      const { serverId, owner, address } = came;
      const replaced = await connections.signIn({ serverId, address, scope: owner }, secrets, (tx) =>
        within?.(tx, who),
      );
      exchanges.forget(serverId, owner);
      const config = byId.get(serverId)?.config;
      if (config && replaced && canRevokeAlone(replaced, secrets)) revoke(config, replaced);
      // So that the catalogue knows at once; what goes wrong here is noted there.
      await answers(serverId, owner, signal);
      return { ...who, type: "connected" };
    },
    async icon(id) {
      const config = byId.get(id)?.config;
      if (!config || config.iconUrl === null) return null;
      return await icons.get(id, config.iconUrl, fetchOf(config));
    },
    async signOut(serverId, owner, within) {
      exchanges.forget(serverId, owner);
      const forgotten = await connections.signOut(serverId, owner, within);
      if (forgotten === null) return false;
      const config = byId.get(serverId)?.config;
      // Tokens of another address are none of this server's business.
      if (config && forgotten.secrets && addressOf(config) === forgotten.address) {
        revoke(config, forgotten.secrets);
      }
      return true;
    },
    async close() {
      closing.abort();
      await exchanges.close();
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
  return mcp;
}

/** Does it at the first call; again only where it failed. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= work().catch((error: unknown) => {
      done = null;
      throw error;
    });
    return done;
  };
}
