import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { McpOwner } from "../../../contract/mcp-connection.ts";
import { mcpMutations, mcpQueries } from "../../api/queries/mcp.ts";
import { useApi } from "../../components/api-context.tsx";
import { safeUrl } from "../../components/markdown/links.ts";
import { useCan } from "../../components/useCan.ts";
import { useSignedIn } from "../../components/wheelhouse-context.tsx";

/** Goes to another page in this tab. */
const leave = (address: string) => window.location.assign(address);

/**
 * The ways to connect a server. Where the service is this process's own, it starts the sign-in and the browser follows;
 * elsewhere the address that the service gave is opened.
 */
export function useConnect() {
  const api = useApi();
  const queries = useQueryClient();
  const { connection } = useSignedIn();
  const isOffered = useCan("mcp_connections");
  const canStart = isOffered && connection.kind === "own";
  const start = useMutation({
    ...mcpMutations.start(api),
    onSuccess: (address) => {
      const url = safeUrl(address);
      if (url) leave(url.href);
    },
  });
  const reread = () => queries.invalidateQueries({ queryKey: mcpQueries.allServers(api) });
  const disconnect = useMutation({ ...mcpMutations.disconnect(api), onSettled: reread });
  return {
    /** Whether signing in, signing out and accepting tools happen here. */
    canStart,
    start: (owner: McpOwner) => start.mutate(owner),
    /** Which sign-in is being started. */
    starting: start.isPending || start.isSuccess ? start.variables : null,
    startError: start.error,
    disconnect,
    reread,
  };
}
