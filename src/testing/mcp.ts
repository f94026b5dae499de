import { resolve } from "node:path";
import { createSealer } from "../service/credentials/sealer.ts";
import { createSigner } from "../service/credentials/signer.ts";
import { mcpFile, readMcpFile } from "../service/mcp/config.ts";
import { createMcp, type Mcp, type McpCall, type McpOptions, type McpOwner } from "../service/mcp/mcp.ts";
import { createOutgoing } from "../service/outgoing/outgoing.ts";
import type { Store } from "../service/store/store.ts";

/** The folder of the sample workspace, where its commands start. */
export const sampleWorkspace = resolve(import.meta.dirname, "../../workspace");

/** `${NAME}` as `mcp.json` writes a variable. */
export const variable = (name: string) => ["$", "{", name, "}"].join("");

export interface McpForTests extends Partial<McpOptions> {
  /** Variables that the file names. */
  readonly environment?: Readonly<Record<string, string>>;
  /** `host:port` pairs that may be reached although they are private, beside the servers' own. */
  readonly allowPrivate?: readonly string[];
  /** Another secret: what was sealed with the usual one does not open. */
  readonly secret?: string;
}

/** The MCP room of one process on this database. @param servers as `mcpServers` of `mcp.json` */
export function mcpFor(store: Store, servers: object, options: McpForTests = {}): Mcp {
  const {
    environment = {},
    allowPrivate = [],
    secret = "a secret that only tests have, 32+",
    ...rest
  } = options;
  return createMcp(readMcpFile(mcpFile.parse({ mcpServers: servers }), environment), {
    db: store.db,
    clock: { now: () => new Date() },
    sealer: createSealer(createSigner(secret).derive("mcp")),
    outgoing: (own) => createOutgoing({ allowPrivate: [...allowPrivate, ...own] }),
    publicUrl: "http://localhost:1234",
    version: "1.0.0",
    directory: sampleWorkspace,
    path: undefined,
    holds: async () => true,
    ...rest,
  });
}

/** Calls a tool that asks nobody anything. @throws McpError */
export async function callTool(mcp: Mcp, id: string, owner: McpOwner | null, call: McpCall) {
  const came = await mcp.callTool(id, owner, call, []);
  if ("asks" in came) throw new Error(`${call.tool} asks: ${JSON.stringify(came.asks)}`);
  return came;
}

/** Signs a person in, in one browser that agrees to everything. */
export async function signInTo(mcp: Mcp, id: string, owner: McpOwner) {
  const { signal } = new AbortController();
  const person = owner.type === "user" ? owner.id : null;
  const { authorizationUrl, state, browser } = await mcp.startSignIn(id, owner, { person }, signal);
  const back = (await fetch(authorizationUrl, { redirect: "manual" })).headers.get("location") ?? "";
  const code = new URL(back).searchParams.get("code");
  return await mcp.finishSignIn({ state, code, error: null, issuer: null, browser }, signal);
}
