import { useQuery } from "@tanstack/react-query";
import type { Tone } from "../../../../contract/states.ts";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { shownName } from "../../../lib/shownName.ts";
import { connectionWords, mcpQueries, type ServerIn } from "../../mcp/index.ts";
import { flowQueries } from "../../runs/index.ts";

/** A server or a flow that an agent may be given. */
export interface ToolTarget {
  readonly id: string;
  readonly name: string;
  /** What the tool's `type` is for this one. */
  readonly type: string;
  readonly about: string;
  /** Servers: why its tools cannot be used now, as the person has it; null where they can. */
  readonly trouble: { readonly tone: Tone; readonly word: string } | null;
  readonly toolCount: number | null;
}

export interface ToolTargets {
  /** Null: the list could not be read, or the service has none. */
  readonly servers: readonly ToolTarget[] | null;
  readonly flows: readonly ToolTarget[] | null;
  readonly isPending: boolean;
}

/** The servers and flows of the service, by their names. */
export function useToolTargets(): ToolTargets {
  const api = useApi();
  const canListFlows = useCan("saved_items");
  const catalogue = useQuery(mcpQueries.servers(api));
  const listed = useQuery({ ...flowQueries.list(api), enabled: canListFlows });
  const servers = catalogue.data?.data.servers?.flatMap((server): ToolTarget[] =>
    server?.server_id
      ? [
          {
            id: server.server_id,
            name: shownName(server.name ?? server.server_id),
            type: server.type ?? "mcp_server",
            about: server.description ?? "",
            trouble: troubleOf(server as ServerIn),
            toolCount: server.tool_count ?? null,
          },
        ]
      : [],
  );
  const flows = listed.data?.data.saved_items?.flatMap((flow): ToolTarget[] =>
    flow?.saved_item_id
      ? [
          {
            id: flow.saved_item_id,
            name: shownName(flow.name ?? flow.saved_item_id),
            type: "flow",
            about: flow.description ?? "",
            trouble: null,
            toolCount: null,
          },
        ]
      : [],
  );
  return {
    servers: servers ?? null,
    flows: flows ?? null,
    isPending: catalogue.isPending || (canListFlows && listed.isPending),
  };
}

/** A service that says nothing of the connection has nothing to say against it. */
function troubleOf(server: ServerIn): ToolTarget["trouble"] {
  if (server.status == null) return null;
  const words = connectionWords(server);
  return words === null || words.tone === "done" ? null : words;
}
