import ChevronRight from "lucide-react/icons/chevron-right";
import { useState } from "react";
import { connectionCan } from "../../../contract/area-states.ts";
import type { Received } from "../../../contract/define.ts";
import type { McpTool } from "../../../contract/mcp.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { ReadFailure } from "../../lib/failure/Failure.tsx";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { counted } from "../../lib/words.ts";
import { cx } from "../../ui/cx.ts";
import { Input } from "../../ui/Input.tsx";
import { PanelSection } from "../../ui/Panel.tsx";
import { StateShape } from "../../ui/State.tsx";
import { HeldTool } from "./HeldTool.tsx";
import { mcpQueries } from "./queries.ts";
import { needOf, type ServerIn } from "./servers.ts";
import { ToolTrial } from "./ToolTrial.tsx";

type ToolIn = Received<McpTool> & { readonly tool_call_id: string };
type Props = {
  server: ServerIn;
  /** Whose connection is asked; null: the person's. */
  teamId: string | null;
  /** Which calls agents may make; null: all. */
  inUse: ReadonlySet<string> | null;
};

/** From so many tools on there is a field to find one. */
const many = 12;

/** The tools of a server with their schemas, those that changed first; each can be tried where the service can. */
export function ServerTools({ server, teamId, inUse }: Props) {
  const canRead = useCan("mcp_tools");
  // A blocked one is blocked by its tools, which have to be looked at.
  const isReadable = connectionCan(server.status, "list-tools") || needOf(server) === "tools-changed";
  const read = useRead({
    ...mcpQueries.tools(useApi(), server.server_id, teamId),
    enabled: canRead && isReadable,
  });
  const [find, setFind] = useState("");
  const tools = (read.data?.data.tools ?? []).filter((tool): tool is ToolIn => Boolean(tool?.tool_call_id));
  const uses = (tool: ToolIn) => inUse === null || inUse.has(tool.tool_call_id);
  const shown = tools
    .filter((tool) => `${tool.name} ${tool.description ?? ""}`.toLowerCase().includes(find.toLowerCase()))
    .sort((a, b) => Number(b.held != null) - Number(a.held != null));
  const used = tools.filter(uses).length;
  return (
    <PanelSection title="Tools" aside={tools.length > 0 && `${used} of ${tools.length} in use by agents`}>
      {!canRead || !isReadable ? (
        <p className="text-muted">
          {server.tool_count != null && `${counted(server.tool_count, "tool")}. `}
          {isReadable
            ? "This service does not list them."
            : server.connection == null || server.connection.auth === "sign_in"
              ? "Tools appear after the first connection."
              : "Tools appear after the first response."}
        </p>
      ) : read.isPending ? (
        <p className="text-faint">loading…</p>
      ) : read.isError && !read.data && server.connection?.failure ? (
        // Why stands above, with the connection.
        <p className="text-muted">Tools could not be loaded: the server is not responding.</p>
      ) : read.isError && !read.data ? (
        <ReadFailure query={read} what="The tools" />
      ) : tools.length === 0 ? (
        <p className="text-muted">The server has no tools.</p>
      ) : (
        <>
          {tools.length > many && (
            <Input
              aria-label="Find a tool"
              placeholder="Find a tool"
              value={find}
              onChange={(event) => setFind(event.target.value)}
              className="mb-1.5"
            />
          )}
          <ul>
            {shown.map((tool) => (
              <Tool
                key={tool.tool_call_id}
                tool={tool}
                serverId={server.server_id}
                serverName={server.name ?? server.server_id}
                teamId={teamId}
                isUsed={uses(tool)}
              />
            ))}
          </ul>
          {shown.length === 0 && <p className="text-muted">No matches.</p>}
          <p className="mt-2 text-muted text-secondary">
            Choose which tools an agent can call in the agent’s settings.
          </p>
        </>
      )}
    </PanelSection>
  );
}

function Tool({
  tool,
  isUsed,
  ...whose
}: {
  tool: ToolIn;
  serverId: string;
  serverName: string;
  teamId: string | null;
  isUsed: boolean;
}) {
  const [isOpen, setOpen] = useState(tool.held != null);
  const canTry = useCan("mcp_tool_calls") && tool.held == null;
  return (
    <li className="py-1">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex w-full items-start gap-2 rounded-control text-left"
      >
        <span className="mt-[3px] flex">
          {tool.held != null ? (
            <StateShape tone="stopped" label="changed" />
          ) : (
            <ChevronRight className={cx("text-faint transition-transform", isOpen && "rotate-90")} />
          )}
        </span>
        <span className="min-w-0 flex-1">
          <span className={cx("block break-all text-mono leading-5", !isUsed && "text-muted")}>
            <bdi>{tool.name ?? tool.tool_call_id}</bdi>
          </span>
          {/* The server's own words: shown as text, cut, never as anything else. */}
          <span className={cx("break-words text-muted text-secondary", isOpen ? "block" : "line-clamp-2")}>
            <bdi>{tool.description}</bdi>
          </span>
        </span>
      </button>
      {isOpen && (
        <div className="mt-1.5 ml-[22px] flex flex-col gap-2.5">
          {tool.held != null && <HeldTool tool={tool} held={tool.held} {...whose} />}
          <details className="group">
            <summary className="cursor-default text-muted text-secondary hover:text-default">
              Input schema
            </summary>
            <div className="mt-1 max-h-64 overflow-auto rounded-control bg-surface-sunken p-2">
              <JsonView value={tool.input_schema} label={`Schema of ${tool.name}`} />
            </div>
          </details>
          {canTry && <ToolTrial tool={tool} {...whose} />}
        </div>
      )}
    </li>
  );
}
