import Plug from "lucide-react/icons/plug";
import Workflow from "lucide-react/icons/workflow";
import Wrench from "lucide-react/icons/wrench";
import type { AgentTool } from "../../../contract/agents.ts";
import type { Received } from "../../../contract/define.ts";
import { useToolNames } from "./useToolNames.ts";

type ToolIn = Received<AgentTool>;

const servers: readonly (string | undefined)[] = ["gumcp_server", "gumstack_server", "mcp_server"];

/** The tools of an agent, one on a line: servers and flows by their names where the service tells them, others as they came. */
export function ToolLines({ tools }: { tools: readonly (ToolIn | null)[] }) {
  const given = tools.filter((tool): tool is ToolIn => tool !== null && typeof tool === "object");
  const names = useToolNames(given);
  return (
    <ul>
      {given.map((tool, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool has no identity of its own, and the list is only read
        <li key={at} className="flex min-h-7 items-center gap-2.5">
          <span className="flex text-muted">{iconOf(tool)}</span>
          <span className="min-w-0 flex-1 truncate" title={tool.server_id ?? tool.saved_item_id ?? undefined}>
            {names.of(tool)}
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
