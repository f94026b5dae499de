import { useQuery } from "@tanstack/react-query";
import Plug from "lucide-react/icons/plug";
import Workflow from "lucide-react/icons/workflow";
import Wrench from "lucide-react/icons/wrench";
import type { AgentTool } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { flowQueries } from "../../api/queries/flows.ts";
import { mcpQueries } from "../../api/queries/mcp.ts";
import { useApi } from "../../components/api-context.tsx";
import { shownName } from "../../components/conversation/shownName.ts";
import { useCan } from "../../components/useCan.ts";

type ToolIn = Received<AgentTool>;

const servers: readonly (string | undefined)[] = ["gumcp_server", "gumstack_server", "mcp_server"];

/** The tools of an agent, one on a line: servers and flows by their names where the service tells them, others as they came. */
export function ToolLines({ tools }: { tools: readonly (ToolIn | null)[] }) {
  const api = useApi();
  const given = tools.filter((tool): tool is ToolIn => tool !== null && typeof tool === "object");
  const hasServers = given.some((tool) => tool.server_id);
  const hasFlows = given.some((tool) => tool.saved_item_id);
  const canListFlows = useCan("saved_items");
  const catalogue = useQuery({ ...mcpQueries.servers(api), enabled: hasServers });
  const flows = useQuery({ ...flowQueries.list(api), enabled: hasFlows && canListFlows });
  const serverName = (id: string) =>
    catalogue.data?.data.servers?.find((one) => one?.server_id === id)?.name ?? id;
  const flowName = (id: string) =>
    flows.data?.data.saved_items?.find((one) => one?.saved_item_id === id)?.name ?? id;
  return (
    <ul>
      {given.map((tool, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool has no identity of its own, and the list is only read
        <li key={at} className="flex min-h-7 items-center gap-2.5">
          <span className="flex text-muted">{iconOf(tool)}</span>
          <span className="min-w-0 flex-1 truncate" title={tool.server_id ?? tool.saved_item_id ?? undefined}>
            {tool.server_id
              ? shownName(serverName(tool.server_id))
              : tool.saved_item_id
                ? `Flow: ${shownName(flowName(tool.saved_item_id))}`
                : shownName(tool.type ?? "a tool without a type")}
          </span>
          <span className="shrink-0 text-muted text-secondary">{scopeOf(tool)}</span>
        </li>
      ))}
    </ul>
  );
}

function iconOf(tool: ToolIn) {
  if (tool.saved_item_id) return <Workflow />;
  return servers.includes(tool.type ?? undefined) ? <Plug /> : <Wrench />;
}

/** "3 tools, asks first". */
function scopeOf(tool: ToolIn): string {
  const { allowed_tool_call_ids: allowed, approval_mode: approval } = tool;
  const scope = Array.isArray(allowed)
    ? `${allowed.length} ${allowed.length === 1 ? "tool" : "tools"}`
    : tool.server_id
      ? "all tools"
      : "";
  const asks = approval == null || approval === "off" ? "" : approval === "all" ? "asks first" : approval;
  return [scope, asks].filter(Boolean).join(", ");
}
