import { z } from "zod";

const text = z.string().min(1);
/** Becomes the beginning of tool names, which models take only so. */
const serverId = z
  .string()
  .regex(/^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/)
  .max(40);

const common = {
  name: text.optional(),
  description: text.optional(),
  icon_url: z.url({ protocol: /^https?$/ }).optional(),
  /** Only members of these teams see it; everybody where it is missing. */
  teams: z.array(text).optional(),
};
const byAddress = z.strictObject({
  ...common,
  type: z.enum(["http", "streamable-http"]).optional(),
  url: text,
  headers: z.record(z.string(), z.string()).optional(),
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
  readonly teams: readonly string[] | null;
}

/** One server that the operator listed. */
export type McpServerConfig = ServerCommon &
  (
    | { readonly via: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
    | {
        readonly via: "stdio";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
      }
  );

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
    const fill = (value: string) =>
      value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
        const given = environment[name];
        if (given === undefined || given === "") missing.add(name);
        return given ?? "";
      });
    const fillAll = (values: Readonly<Record<string, string>> = {}) =>
      Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)]));
    const described = {
      id,
      name: entry.name ?? id,
      description: entry.description ?? null,
      iconUrl: entry.icon_url ?? null,
      teams: entry.teams ?? null,
    };
    const config: McpServerConfig =
      "command" in entry
        ? {
            ...described,
            via: "stdio",
            command: fill(entry.command),
            args: (entry.args ?? []).map(fill),
            env: fillAll(entry.env),
          }
        : { ...described, via: "http", url: fill(entry.url), headers: fillAll(entry.headers) };
    return { config, missing: [...missing] };
  });
}

/** `host:port` of each server with an address: the operator chose them, so they may be private. */
export function operatorHosts(entries: readonly McpServerEntry[]): string[] {
  return entries.flatMap(({ config }) => {
    if (config.via !== "http" || !URL.canParse(config.url)) return [];
    const { protocol, hostname, port } = new URL(config.url);
    return [`${hostname}:${port || (protocol === "https:" ? "443" : "80")}`];
  });
}
