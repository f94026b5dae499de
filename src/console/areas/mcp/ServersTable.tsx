import { useCan } from "../../lib/api/useCan.ts";
import { GroupRow, Table, Td, Th, Tr } from "../../ui/Table.tsx";
import { ConnectionState } from "./ConnectionState.tsx";
import { ServerIcon } from "./ServerIcon.tsx";
import { groupServers, type ServerRow, serverName } from "./servers.ts";
import { UsedBy } from "./UsedBy.tsx";

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
