import type { Mcp } from "./mcp.ts";
import { McpError } from "./mcp-error.ts";

/**
 * The same servers, none of which is asked while the installation is paused: another one may hold the same tokens, and
 * whoever renews them first ends the other's.
 */
export function whileNotPaused(mcp: Mcp, isPaused: () => boolean): Mcp {
  const checked =
    <A extends readonly unknown[], T>(ask: (...given: A) => Promise<T>) =>
    async (...given: A): Promise<T> => {
      if (isPaused())
        throw new McpError(
          "unreachable",
          "This installation is paused: no server is asked until it is let go on",
        );
      return await ask(...given);
    };
  return {
    ...mcp,
    listTools: checked(mcp.listTools),
    callTool: checked(mcp.callTool),
    startSignIn: checked(mcp.startSignIn),
    finishSignIn: checked(mcp.finishSignIn),
    signOut: checked(mcp.signOut),
    icon: async (serverId) => (isPaused() ? null : await mcp.icon(serverId)),
  };
}
