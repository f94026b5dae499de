import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import type { Config } from "../config.ts";
import { type McpServerConfig, type McpServerEntry, operatorHosts } from "../mcp/config.ts";
import { loadMcpServers } from "../mcp/load.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { sentenceOf } from "../store/store-error.ts";
import { readWorkspace } from "../workspace/read-workspace.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

/** For a server's answer, in milliseconds. */
const answerMs = 10_000;

/** Whether each MCP server's address is reached, or its command is there. Asks for no tools, and starts nothing. */
export async function examineServers(
  config: Pick<Config, "workspaceDirectory" | "environment">,
): Promise<readonly Finding[]> {
  const { workspaceDirectory, environment } = config;
  let entries: readonly McpServerEntry[];
  try {
    entries = await loadMcpServers(workspaceDirectory, environment);
  } catch (error) {
    return [problem("mcp", sentenceOf(error), "Correct mcp.json; no start works with it")];
  }
  const { workspace } = await readWorkspace(workspaceDirectory).catch(() => ({ workspace: null }));
  const allowed = workspace?.settings.allow_private ?? [];
  return await Promise.all(
    entries.map(async ({ config: server, missing }) => {
      const check = `mcp.${server.id}`;
      if (missing.length > 0)
        return warning(check, `${server.name} lacks ${missing.join(", ")}`, "Set what mcp.json names");
      if (server.via === "http") return await examineAddress(check, server, allowed);
      return await examineCommand(check, server.command, workspaceDirectory, environment.PATH ?? "");
    }),
  );
}

async function examineAddress(
  check: string,
  server: Extract<McpServerConfig, { readonly via: "http" }>,
  allowed: readonly string[],
): Promise<Finding> {
  const shown = URL.canParse(server.url) ? new URL(server.url).host : "its address";
  const outgoing = createOutgoing({ allowPrivate: [...allowed, ...operatorHosts(server)] });
  try {
    const signal = AbortSignal.timeout(answerMs);
    const answer = await outgoing.fetch(server.url, { headers: { accept: "text/event-stream" }, signal });
    await answer.body?.cancel();
    if (answer.status === 404)
      return warning(
        check,
        `${shown} has nothing at the address of ${server.name} (404)`,
        "Correct its url in mcp.json",
      );
    if (answer.status >= 500)
      return warning(check, `${shown} answers ${answer.status} for ${server.name}`, "Look at that server");
    return ok(check, `${shown} answers for ${server.name}`);
  } catch (error) {
    const timedOut = error instanceof Error && error.name === "TimeoutError";
    const why = timedOut ? `${shown} did not answer within ${answerMs / 1_000} s` : sentenceOf(error);
    return problem(check, why, "Look at its url in mcp.json, and whether this machine reaches it");
  } finally {
    await outgoing.close();
  }
}

async function examineCommand(
  check: string,
  command: string,
  directory: string,
  path: string,
): Promise<Finding> {
  const candidates =
    isAbsolute(command) || command.includes("/")
      ? [resolve(directory, command)]
      : path.split(delimiter).map((folder) => join(folder, command));
  for (const candidate of candidates) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return ok(check, `Its command is ${candidate}`);
  }
  return problem(check, `There is no command ${command}`, "Install it, or name it with its path in mcp.json");
}
