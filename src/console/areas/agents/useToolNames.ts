import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { shownName } from "../../lib/shownName.ts";
import { mcpQueries } from "../mcp/index.ts";
import { flowQueries } from "../runs/index.ts";

import { nameOfTool } from "./agent/tool-identity.ts";

/** What tools are called, as far as the service tells the names of servers and flows. */
export interface ToolNames {
  /** `Drive`, `Flow: Tier 1 lookup`, or the type of a kind that the interface does not name. */
  readonly of: (tool: unknown) => string;
}

/** The names of these tools; servers and flows are only asked for where there is one among them. */
export function useToolNames(tools: readonly unknown[]): ToolNames {
  const api = useApi();
  const kinds = new Set(tools.map((tool) => nameOfTool(tool).kind));
  const canListFlows = useCan("saved_items");
  const servers = useQuery({ ...mcpQueries.servers(api), enabled: kinds.has("server") });
  const flows = useQuery({ ...flowQueries.list(api), enabled: kinds.has("flow") && canListFlows });
  const of = (tool: unknown): string => {
    const { kind, id, type } = nameOfTool(tool);
    if (kind === "server") {
      return shownName(servers.data?.data.servers?.find((one) => one?.server_id === id)?.name ?? id ?? "");
    }
    if (kind === "flow") {
      const flow = flows.data?.data.saved_items?.find((one) => one?.saved_item_id === id);
      return `Flow: ${shownName(flow?.name ?? id ?? "")}`;
    }
    return shownName(type ?? id ?? "a tool without a type");
  };
  return { of };
}
