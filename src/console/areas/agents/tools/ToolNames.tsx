import { useQuery } from "@tanstack/react-query";
import Plug from "lucide-react/icons/plug";
import Workflow from "lucide-react/icons/workflow";
import Wrench from "lucide-react/icons/wrench";
import type { AgentTool } from "../../../../contract/agents.ts";
import type { Received } from "../../../../contract/define.ts";
import type { Tone } from "../../../../contract/states.ts";
import { describeError } from "../../../api/describe-error.ts";
import { useApi, useCan } from "../../../lib/api.tsx";
import { shownName } from "../../../lib/shownName.ts";
import { connectionWords, mcpQueries, type ServerIn } from "../../mcp/index.ts";
import { flowQueries } from "../../runs/index.ts";
import { nameOfTool, scopeLabel, toolWord } from "../agent/tools.ts";

type ToolIn = Received<AgentTool>;

const servers: readonly (string | undefined)[] = ["gumcp_server", "gumstack_server", "mcp_server"];

/** The tools of an agent, one on a line: servers and flows by their names where the service tells them, others as they came. */
export function ToolLines({ tools }: { tools: readonly (ToolIn | null)[] }) {
  const given = tools.filter((tool): tool is ToolIn => tool !== null && typeof tool === "object");
  const { nameOf } = useToolTargets(given);
  return (
    <ul>
      {given.map((tool, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool has no identity of its own, and the list is only read
        <li key={at} className="flex min-h-7 items-center gap-2.5">
          <span className="flex text-muted">{iconOf(tool)}</span>
          <span className="min-w-0 flex-1 truncate" title={tool.server_id ?? tool.saved_item_id ?? undefined}>
            {nameOf(tool)}
          </span>
          <span className="shrink-0 text-muted text-secondary">
            {scopeLabel(tool, tool.server_id ? "all tools" : "")}
          </span>
        </li>
      ))}
    </ul>
  );
}

function iconOf(tool: ToolIn) {
  if (tool.saved_item_id) return <Workflow />;
  return servers.includes(tool.type ?? undefined) ? <Plug /> : <Wrench />;
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
  /** What a tool is called: `Drive`, `Flow: Tier 1 lookup`, or the type of a kind that the interface does not name. */
  readonly nameOf: (tool: unknown) => string;
}

/**
 * The servers and flows of the service, by their names.
 * @param tools those whose names are wanted: the service is only asked for what is among them; absent: for all
 */
export function useToolTargets(tools?: readonly unknown[]): ToolTargets {
  const api = useApi();
  const kinds = tools && new Set(tools.map((tool) => nameOfTool(tool).kind));
  const asksFlows = useCan("saved_items") && kinds?.has("flow") !== false;
  const catalogue = useQuery({ ...mcpQueries.servers(api), enabled: kinds?.has("server") !== false });
  const listed = useQuery({ ...flowQueries.list(api), enabled: asksFlows });
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
    isPending: catalogue.isPending || (asksFlows && listed.isPending),
    nameOf: (tool) => {
      const { kind, id, type } = nameOfTool(tool);
      if (kind === "other") return shownName(type ?? id ?? "Tool without a type");
      const name = (kind === "flow" ? flows : servers)?.find((one) => one.id === id)?.name;
      return `${kind === "flow" ? "Flow: " : ""}${name ?? shownName(id ?? "")}`;
    },
  };
}

/** A tool of a server, as far as it is told: one that is only chosen has its id alone. */
interface ServerTool {
  readonly id: string;
  readonly name: string;
  readonly about: string;
}

/**
 * The tools of a server: those that it lists, then those that are chosen and not listed.
 * @param isAsked it is asked for them
 */
export function useServerTools(serverId: string, chosen: readonly string[], isAsked = true) {
  const canList = useCan("mcp_tools");
  const read = useQuery({ ...mcpQueries.tools(useApi(), serverId), enabled: canList && isAsked });
  const listed = (read.data?.data.tools ?? []).flatMap((one) =>
    one?.tool_call_id ? [{ id: one.tool_call_id, about: one.description ?? "" }] : [],
  );
  const known = listed.map(({ id }) => id);
  const others = chosen.filter((id) => !known.includes(id)).map((id) => ({ id, about: "" }));
  const rows = [...listed, ...others].map(
    (one): ServerTool => ({ ...one, name: shownName(toolWord(serverId, one.id)) }),
  );
  const noneWords = !canList
    ? "This service does not list a server’s tools."
    : read.isPending
      ? "Loading tools…"
      : read.isError
        ? `The tools could not be loaded. ${describeError(read.error).what}`
        : "No tools right now. See MCP servers for the reason.";
  return { canList, read, known, rows, noneWords };
}

/** A service that says nothing of the connection has nothing to say against it. */
function troubleOf(server: ServerIn): ToolTarget["trouble"] {
  if (server.status == null) return null;
  const words = connectionWords(server);
  return words === null || words.tone === "done" ? null : words;
}
