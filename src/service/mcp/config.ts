import { createHash } from "node:crypto";
import { z } from "zod";
import type { Secret } from "./last-lines.ts";

const text = z.string().min(1);
/** Becomes the beginning of tool names, which models take only so. */
const serverId = z
  .string()
  .regex(/^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/)
  .max(40);
/** Hosted by the service, deployed by somebody who uses it, or custom. */
const serverType = z.enum(["gumcp_server", "gumstack_server", "mcp_server"]);

const common = {
  name: text.optional(),
  description: text.optional(),
  icon_url: z.url({ protocol: /^https?$/ }).optional(),
  /** What the catalogue says it is (§2.5); missing: a command is hosted by the service, an address is custom. */
  server_type: serverType.optional(),
  /** Only members of these teams see it; everybody where it is missing. */
  teams: z.array(text).optional(),
};
const byAddress = z.strictObject({
  ...common,
  type: z.enum(["http", "streamable-http"]).optional(),
  url: text,
  headers: z.record(z.string(), z.string()).optional(),
  /** A client that the operator registered, for servers whose sign-in registers none by itself. */
  oauth: z
    .strictObject({
      client_id: text,
      client_secret: text.optional(),
      scope: text.optional(),
      issuer: z.url({ protocol: /^https?$/ }).optional(),
    })
    .optional(),
});
/** A command that the operator's own file names, and nothing else ever starts. */
const byCommand = z.strictObject({
  ...common,
  type: z.literal("stdio").optional(),
  command: text,
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** `mcp.json` of a workspace, in the shape that most MCP clients share. `${NAME}` in a value is a variable. */
export const mcpFile = z.strictObject({
  $schema: z.string().optional(),
  mcpServers: z.record(serverId, z.union([byAddress, byCommand])),
});
export type McpFile = z.output<typeof mcpFile>;

interface ServerCommon {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly iconUrl: string | null;
  /** Of the catalogue (§2.5). */
  readonly type: z.output<typeof serverType>;
  readonly teams: readonly string[] | null;
}

/** What the operator was given when they registered Wheelhouse with the server's sign-in. */
export interface McpOAuthClient {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly scope: string | null;
  /** The authorization server that the client is registered with; null: whichever the server names. */
  readonly issuer: string | null;
}

/** One server that the operator listed. */
export type McpServerConfig = ServerCommon &
  (
    | {
        readonly via: "http";
        readonly url: string;
        /** The same for people: without a query, and in its path the names of variables, as they may hold keys. */
        readonly shownUrl: string | null;
        readonly headers: Readonly<Record<string, string>>;
        readonly oauth: McpOAuthClient | null;
      }
    | {
        readonly via: "stdio";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        /** What of all that may be secret: the `env`, and every variable that was filled in. */
        readonly secrets: readonly Secret[];
      }
  );

/** The address of a server that people are shown; null for a command, and for one that the service hosts. */
export function cataloguedAddress(server: McpServerConfig): string | null {
  return server.via === "http" && server.type !== "gumcp_server" ? server.shownUrl : null;
}

/** The host of that address. */
export function shownHost(server: McpServerConfig): string | null {
  const address = cataloguedAddress(server);
  return address !== null && URL.canParse(address) ? new URL(address).host : null;
}

/** A server that cannot be used because the environment lacks variables that its entry names. */
export interface McpServerEntry {
  readonly config: McpServerConfig;
  /** Names of missing variables; the server counts as not authenticated until they are set. */
  readonly missing: readonly string[];
}

/**
 * Fills in the variables.
 * @param environment what `${NAME}` stands for; an unset one becomes "" and is listed in `missing`
 */
export function readMcpFile(
  file: McpFile,
  environment: Readonly<Record<string, string | undefined>>,
): McpServerEntry[] {
  return Object.entries(file.mcpServers).map(([id, entry]) => {
    const missing = new Set<string>();
    const filled: Secret[] = [];
    const fill = (value: string) =>
      value.replaceAll(variable, (_, name: string) => {
        const given = environment[name];
        if (given === undefined || given === "") missing.add(name);
        else filled.push({ name, value: given });
        return given ?? "";
      });
    const fillAll = (values: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
    const described = {
      id,
      name: entry.name ?? id,
      description: entry.description ?? null,
      iconUrl: entry.icon_url ?? null,
      // A command runs inside the service; an address is somebody else's.
      type: entry.server_type ?? ("command" in entry ? "gumcp_server" : "mcp_server"),
      teams: entry.teams ?? null,
    };
    const config: McpServerConfig =
      "command" in entry
        ? {
            ...described,
            via: "stdio",
            command: fill(entry.command),
            args: (entry.args ?? []).map(fill),
            ...environmentOf(fillAll(entry.env), filled),
          }
        : {
            ...described,
            via: "http",
            url: fill(entry.url),
            shownUrl: shownAddress(entry.url, fill(entry.url)),
            headers: fillAll(entry.headers),
            oauth: entry.oauth ? oauthClient(entry.oauth, fill) : null,
          };
    return { config, missing: [...missing] };
  });
}

/** @param filled the variables of the whole entry; read after `env` was filled in */
function environmentOf(env: Readonly<Record<string, string>>, filled: readonly Secret[]) {
  return { env, secrets: [...Object.entries(env).map(([name, value]) => ({ name, value })), ...filled] };
}

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** @param written as the operator wrote it; `filled`: with its variables' values */
function shownAddress(written: string, filled: string): string | null {
  if (!URL.canParse(filled)) return null;
  const { origin, pathname } = new URL(filled);
  const path = /^[^/]*\/\/[^/?#]*([^?#]*)/.exec(written)?.[1];
  // Where a variable holds the beginning, nobody can tell what else it holds.
  if (path === undefined) return `${origin}/`;
  return origin + (path.search(variable) === -1 ? pathname : path);
}

function oauthClient(
  { client_id, client_secret, scope, issuer }: NonNullable<z.output<typeof byAddress>["oauth"]>,
  fill: (value: string) => string,
): McpOAuthClient {
  return {
    clientId: fill(client_id),
    clientSecret: client_secret === undefined ? null : fill(client_secret),
    scope: scope ?? null,
    issuer: issuer ?? null,
  };
}

/** A hash of where a server is: what was stored for another place counts for nothing here (S-45). */
export function addressOf(config: McpServerConfig): string {
  const where = config.via === "http" ? [config.url] : [config.command, ...config.args];
  return createHash("sha256").update(JSON.stringify(where)).digest("base64url");
}

/** Whether the operator gave credentials for everybody, so that nobody signs in for themselves. */
export function hasOwnCredentials(config: McpServerConfig): boolean {
  if (config.via === "stdio") return Object.keys(config.env).length > 0;
  return Object.keys(config.headers).length > 0;
}

/** Whether people could sign in to it: it has an address, and the operator sends no `Authorization` of their own. */
export function maySignIn(
  config: McpServerConfig,
): config is Extract<McpServerConfig, { readonly via: "http" }> {
  if (config.via !== "http") return false;
  return !Object.keys(config.headers).some((name) => name.toLowerCase() === "authorization");
}

/** `host:port` of a server with an address: the operator chose it, so it may be private. */
export function operatorHosts(config: McpServerConfig): string[] {
  if (config.via !== "http" || !URL.canParse(config.url)) return [];
  const { protocol, hostname, port } = new URL(config.url);
  return [`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`];
}
