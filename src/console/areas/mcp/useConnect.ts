import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { McpOwner } from "../../../contract/mcp-connection.ts";
import { ConsoleError } from "../../api/errors.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { safeUrl } from "../../lib/markdown/links.ts";
import { useToast } from "../../ui/toastContext.ts";
import { useSignedIn } from "../session/index.ts";

import { beginSignIn, mcpMutations, mcpQueries } from "./queries.ts";
import type { Checks } from "./useChecks.ts";

interface Asked {
  readonly owner: McpOwner;
  /** The server's, for people. */
  readonly name: string;
}

/** Goes to another page in this tab. */
const leave = (address: string) => window.location.assign(address);

/**
 * The ways to connect a server. Where the service is this process's own, it starts the sign-in and the browser follows;
 * elsewhere the address that the service gave is opened. A server that offers no sign-in is asked at once: where it
 * answers, there is nothing to connect.
 */
export function useConnect(check: Checks["check"]) {
  const api = useApi();
  const queries = useQueryClient();
  const toaster = useToast();
  const { connection } = useSignedIn();
  const isOffered = useCan("mcp_connections");
  const canStart = isOffered && connection.kind === "own";
  const start = useMutation({
    mutationFn: async ({ owner }: Asked) => {
      try {
        return await beginSignIn(api, owner);
      } catch (error) {
        const isOpen = error instanceof ConsoleError && error.code === "sign_in_not_offered";
        if (!isOpen || (await check(owner)).type !== "answered") throw error;
        return null;
      }
    },
    onSuccess: (address, { name }) => {
      if (address === null) {
        toaster.show({
          tone: "done",
          title: `${name} answers without a sign-in`,
          detail: "Agents can use it from now on.",
        });
        return;
      }
      const url = safeUrl(address);
      if (url) leave(url.href);
    },
  });
  const reread = () => queries.invalidateQueries({ queryKey: mcpQueries.allServers(api) });
  const disconnect = useMutation({ ...mcpMutations.disconnect(api), onSettled: reread });
  return {
    /** Whether signing in, signing out and accepting tools happen here. */
    canStart,
    /** @param name of the server, for people */
    start: (owner: McpOwner, name: string) => start.mutate({ owner, name }),
    /** Which sign-in is being started. */
    starting: start.isPending || start.data != null ? start.variables.owner : null,
    startError: start.error,
    disconnect,
  };
}
