import { useQuery } from "@tanstack/react-query";
import Plug from "lucide-react/icons/plug";
import Workflow from "lucide-react/icons/workflow";
import Wrench from "lucide-react/icons/wrench";
import type { AgentTool } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import type { Tone } from "../../../../contract/states.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { counted } from "../../../lib/words.ts";
import { connectionWords, mcpQueries, type ServerIn } from "../../mcp/index.ts";
import { flowQueries } from "../../runs/index.ts";
import { approvalLabel, nameOfTool } from "../agent/tools.ts";

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
  const scope = Array.isArray(allowed) ? counted(allowed.length, "tool") : tool.server_id ? "all tools" : "";
  return [scope, approvalLabel(approval)].filter(Boolean).join(", ");
}

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
    return shownName(type ?? id ?? "Tool without a type");
  };
  return { of };
}
