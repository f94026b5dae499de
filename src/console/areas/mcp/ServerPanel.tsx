import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { describeError } from "../../api/describe-error.ts";
import { AdminLinks } from "../../lib/admin-links/AdminLinks.tsx";
import { useApi } from "../../lib/api.tsx";
import { Refusal } from "../../lib/failure/Failure.tsx";
import { PanelHead } from "../../lib/page/PanelHead.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { counted } from "../../lib/words.ts";
import { Id } from "../../ui/Id.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { PanelSection } from "../../ui/Panel.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { agentQueries } from "../directory/index.ts";
import { ConnectionSide } from "./ConnectionSide.tsx";
import type { Checks, useConnect } from "./connections.ts";
import { ServerIcon } from "./ServerIcon.tsx";
import { ServerTools } from "./ServerTools.tsx";
import { failureParts, needOf, type ServerIn, type ServerRow, serverName, typeWords } from "./servers.ts";

type Props = {
  row: ServerRow;
  team: { readonly id: string; readonly name: string } | null;
  isTeamKey: boolean;
  connect: ReturnType<typeof useConnect>;
  checks: Checks;
  onClose: () => void;
};

/** One that takes nobody's own credentials is the same for everybody. */
const isShared = (server: ServerIn | null): boolean =>
  server?.connection?.auth === "none" || server?.connection?.auth === "operator";

/** Whether a sign-in is what is missing, as far as the service tells. */
const wantsSignIn = ({ status, connection }: ServerIn): boolean =>
  status === "unauthenticated" && (connection == null || connection.auth === "sign_in");

/** The selected server: both connections side by side, its tools, and which agents use it. */
export function ServerPanel({ row, team, isTeamKey, connect, checks, onClose }: Props) {
  const { server } = row;
  const agents = useAgentsOf(row.id);
  const isTeams = row.mine === null || (row.mine.status !== "connected" && row.team?.status === "connected");
  const asked = isTeams ? row.team : row.mine;
  // The same on both sides: a command is started once for everybody.
  const { output } = failureParts(asked?.connection?.failure ?? "");
  const ways = { connect, checks };
  const startError = connect.startErrorOf(row.id);
  return (
    <>
      <PanelHead
        picture={<ServerIcon server={server} className="size-8! text-[11px]!" />}
        name={serverName(server)}
        about={typeWords(server.type)}
        onClose={onClose}
      >
        {server.description && (
          <p className="mt-2 whitespace-pre-line break-words text-muted">
            <bdi>{server.description}</bdi>
          </p>
        )}
        {server.mcp_url && (
          <p className="mt-1.5 break-all text-mono-narrow text-muted">
            <bdi>{server.mcp_url}</bdi>
          </p>
        )}
      </PanelHead>
      {startError !== null && (
        <Notice kind="failed" title="The sign-in could not be started">
          {describeError(startError).what} <Refusal error={startError} />
        </Notice>
      )}
      {(needOf(row.mine) ?? needOf(row.team)) === null && asked !== null && wantsSignIn(asked) && (
        <p className="border-b px-edge-left py-3 text-muted">
          You sign in on the server’s own page. The service stores the permission encrypted; agents use it
          only when running as {isTeamKey ? "the team" : "you, or as the team where the team signed in"}.
        </p>
      )}
      <div className="flex border-b">
        {isShared(row.mine) && isShared(row.team) ? (
          <ConnectionSide who="Everyone" teamId={null} server={row.mine} {...ways} />
        ) : (
          <>
            {!isTeamKey && <ConnectionSide who="You" teamId={null} server={row.mine} {...ways} />}
            {team && (
              <ConnectionSide who={`Team ${team.name}`} teamId={team.id} server={row.team} {...ways} />
            )}
          </>
        )}
      </div>
      {output && (
        <PanelSection title="Last lines before it stopped">
          <pre className="max-h-52 overflow-auto whitespace-pre-wrap break-words text-mono-json">
            {output}
          </pre>
        </PanelSection>
      )}
      <ServerTools
        key={`${row.id} ${isTeams}`}
        server={asked ?? server}
        teamId={isTeams ? (team?.id ?? null) : null}
        inUse={agents.toolsInUse}
      />
      <PanelSection title="Used by" aside={agents.list.length > 0 && agents.list.length}>
        {agents.list.length > 0 ? (
          <ul>
            {agents.list.map((agent) => (
              <li key={agent.id} className="flex min-h-7 items-center justify-between gap-3">
                <Link to="/agents/$agentId" params={{ agentId: agent.id }} className={linkClass}>
                  <bdi>{agent.name}</bdi>
                </Link>
                <span className="text-muted text-secondary">{agent.scope}</span>
              </li>
            ))}
          </ul>
        ) : (
          <p className="text-faint">
            {agents.isPending
              ? "loading…"
              : agents.hasFailed
                ? "could not be loaded"
                : "no agents you can see"}
          </p>
        )}
        {agents.isCut && <p className="text-muted text-secondary">From the first 100 agents.</p>}
        <p className="mt-2 flex items-center gap-1.5 text-muted text-secondary">
          Server ID <Id id={row.id} what="server ID" cut={[14, 5]} />
        </p>
        <p className="mt-2 -ml-2">
          <AdminLinks kind="mcp_server" id={row.id} />
        </p>
      </PanelSection>
    </>
  );
}

interface AgentOfServer {
  readonly id: string;
  readonly name: string;
  /** "3 tools", "all tools". */
  readonly scope: string;
}

/** So many agents are read to see what they may call; a service that does not filter lists others too. */
const most = 20;

/** The agents whose own configuration names the server, and which of its tools they may call (null: all). */
function useAgentsOf(serverId: string) {
  const api = useApi();
  const named = useRead(agentQueries.list(api, { tool: serverId }));
  const ids = (named.data?.data.agents ?? [])
    .flatMap((agent) => (agent?.id ? [agent.id] : []))
    .slice(0, most);
  const reads = useQueries({ queries: ids.map((id) => agentQueries.one(api, id)) });
  const list: AgentOfServer[] = [];
  const inUse = new Set<string>();
  let usesAll = false;
  for (const read of reads) {
    const agent = read.data?.data.agent;
    const tools = (agent?.tools ?? []).filter((tool) => tool?.server_id === serverId);
    if (!agent?.id || tools.length === 0) continue;
    const allowed = tools.flatMap((tool) => tool?.allowed_tool_call_ids ?? []);
    const isWhole = tools.some((tool) => !Array.isArray(tool?.allowed_tool_call_ids));
    usesAll ||= isWhole;
    for (const id of allowed) if (id !== null) inUse.add(id);
    const scope = isWhole ? "all tools" : counted(allowed.length, "tool");
    list.push({ id: agent.id, name: agent.name || agent.id, scope });
  }
  return {
    list,
    /** Ids of tool calls; null: all of them. */
    toolsInUse: usesAll ? null : inUse,
    isPending: named.isPending || reads.some((read) => read.isPending),
    hasFailed: named.isError,
    isCut: Boolean(named.data?.data.next_cursor),
  };
}
