import { useApi, useCan } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { cx } from "../../ui/cx.ts";
import { GroupHead, GroupRow, Table, Td, Th, Tr } from "../../ui/Table.tsx";
import { agentQueries } from "../directory/index.ts";
import { ConnectionState, ServerIcon } from "./ServerIcon.tsx";
import { groupServers, type ServerRow, serverName } from "./servers.ts";

type Props = {
  rows: readonly ServerRow[];
  selected: string | undefined;
  isTeamKey: boolean;
  teamName: string | null;
  /** Whether it is being asked just now. */
  isAsking: (row: ServerRow) => boolean;
  onSelect: (id: string) => void;
};

/** Up to so many servers the agents that use them are asked for row by row; of more the panel tells. */
const manyRows = 40;

/** The catalogue as a table: server, tools, the person's connection and the team's side by side, who uses it. */
export function ServersTable({ rows, selected, isTeamKey, teamName, isAsking, onSelect }: Props) {
  const tellsUse = useCan("mcp_connections") && rows.length <= manyRows;
  return (
    <Table label="MCP servers">
      <thead>
        <tr>
          <Th>Server</Th>
          <Th isFigure className="w-[72px] @max-[640px]:w-[56px]">
            Tools
          </Th>
          {!isTeamKey && <Th className="w-[136px] @max-[640px]:w-[128px]">You</Th>}
          {teamName !== null && (
            <Th className="w-[136px]" title={`Team ${teamName}`}>
              {teamName}
            </Th>
          )}
          {tellsUse && <Th className="w-[200px] @max-[1000px]:w-[136px] @max-[800px]:hidden">Used by</Th>}
        </tr>
      </thead>
      {groupServers(rows).map((group) => (
        <tbody key={group.name}>
          <GroupRow name={group.name} count={group.rows.length} />
          {group.rows.map((row) => (
            <Tr
              key={row.id}
              data-server={row.id}
              isSelected={row.id === selected}
              onClick={() => onSelect(row.id)}
              className="cursor-default"
            >
              <Td title={row.server.description ?? undefined}>
                <span className="flex items-baseline gap-3">
                  <ServerIcon server={row.server} className="-my-1 self-center" />
                  <span className="flex min-w-0 flex-1 items-baseline gap-2.5">
                    <button
                      type="button"
                      onClick={(event) => {
                        event.stopPropagation();
                        onSelect(row.id);
                      }}
                      title={serverName(row.server)}
                      className="min-w-0 truncate font-medium"
                    >
                      <bdi>{serverName(row.server)}</bdi>
                    </button>
                    <span className="min-w-0 flex-1 basis-0 truncate text-muted text-secondary @max-[600px]:hidden">
                      <bdi>{row.server.description || row.server.mcp_url}</bdi>
                    </span>
                  </span>
                </span>
              </Td>
              <Td kind="figure">{row.server.tool_count ?? <span className="text-faint">–</span>}</Td>
              {!isTeamKey && (
                <Td kind="muted">
                  <ConnectionState server={row.mine} isAsking={isAsking(row)} />
                </Td>
              )}
              {teamName !== null && (
                <Td kind="muted">
                  <ConnectionState server={row.team} isAsking={isAsking(row)} />
                </Td>
              )}
              {tellsUse && (
                <Td kind="support" className="@max-[800px]:hidden">
                  <UsedBy serverId={row.id} />
                </Td>
              )}
            </Tr>
          ))}
        </tbody>
      ))}
    </Table>
  );
}

/** The catalogue as cards; on phones as rows of two lines. */
export function ServerCards({
  rows,
  selected,
  isTeamKey,
  teamName,
  isList,
  isAsking,
  onSelect,
}: Props & { /** On phones: one below the other, edge to edge. */ isList: boolean }) {
  return (
    <div className={cx(isList && "border-t")}>
      {groupServers(rows).map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h2
            className={cx(
              "flex h-row-group items-center border-b bg-surface-sunken pr-edge-right pl-edge-left",
              !isList && "border-t",
            )}
          >
            <GroupHead name={group.name} count={group.rows.length} />
          </h2>
          <ul
            className={
              isList
                ? ""
                : "grid grid-cols-[repeat(auto-fill,minmax(248px,1fr))] gap-3 py-3 pr-edge-right pl-edge-left"
            }
          >
            {group.rows.map((row) => (
              <li
                key={row.id}
                data-server={row.id}
                className={cx(
                  "relative flex flex-col gap-2",
                  isList ? "border-b px-edge-left py-2.5" : "rounded-panel border p-3.5",
                  row.id === selected ? "bg-surface-selected" : "hover:bg-surface-hover",
                )}
              >
                <span className="flex items-center gap-2.5">
                  <ServerIcon server={row.server} className="size-7! text-[11px]!" />
                  <button
                    type="button"
                    onClick={() => onSelect(row.id)}
                    title={serverName(row.server)}
                    className="focus-inset min-w-0 flex-1 truncate text-left font-medium after:absolute after:inset-0"
                  >
                    <bdi>{serverName(row.server)}</bdi>
                  </button>
                  <span className="shrink-0 text-muted text-secondary tabular-nums">
                    {row.server.tool_count == null ? "" : `${row.server.tool_count} tools`}
                  </span>
                </span>
                {!isList && (
                  <p className="line-clamp-2 min-h-8 break-words text-muted text-secondary">
                    <bdi>{row.server.description || row.server.mcp_url}</bdi>
                  </p>
                )}
                <span className="flex flex-wrap gap-x-5 gap-y-1 text-secondary">
                  {!isTeamKey && (
                    <span className="flex items-baseline gap-2">
                      <span className="text-faint">You</span>{" "}
                      <ConnectionState server={row.mine} isAsking={isAsking(row)} />
                    </span>
                  )}
                  {teamName !== null && (
                    <span className="flex items-baseline gap-2">
                      <span className="text-faint">{teamName}</span>{" "}
                      <ConnectionState server={row.team} isAsking={isAsking(row)} />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** The names of the agents that use a server, as the service filters them; nothing where that cannot be told. */
function UsedBy({ serverId }: { serverId: string }) {
  const agents = useRead(agentQueries.list(useApi(), { tool: serverId })).data?.data.agents;
  if (!agents) return null;
  const names = agents.flatMap((agent) => (agent?.id ? [agent.name || agent.id] : []));
  if (names.length === 0) return <span className="text-faint">no agent</span>;
  return (
    <span title={names.join(", ")}>{names.length > 3 ? `${names.length} agents` : names.join(", ")}</span>
  );
}
