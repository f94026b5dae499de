import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type McpServerEntry, mcpFile, readMcpFile } from "./config.ts";

/** `mcp.json` cannot be read. The message names the field. */
class McpFileError extends Error {
  override readonly name = "McpFileError";
}

/**
 * Reads `mcp.json` of a workspace folder.
 * @param directory null: no workspace, no servers
 * @returns nothing where the folder has no such file
 * @throws McpFileError
 */
export async function loadMcpServers(
  directory: string | null,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly McpServerEntry[]> {
  if (directory === null) return [];
  const path = join(directory, "mcp.json");
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  let json: unknown;
  try {
    json = JSON.parse(content);
  } catch {
    throw new McpFileError(`${path} is no JSON`);
  }
  const parsed = mcpFile.safeParse(json);
  if (parsed.success) return readMcpFile(parsed.data, environment);
  const [issue] = parsed.error.issues;
  throw new McpFileError(`${path}: ${issue?.path.join(".")}: ${issue?.message}`);
}
