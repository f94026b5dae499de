import { useApi } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { counted } from "../../lib/words.ts";
import { cx } from "../../ui/cx.ts";
import { type Columns, GroupHead, type RowGroup } from "../../ui/Table.tsx";
import { agentQueries } from "../directory/index.ts";
import { ConnectionState, ServerIcon } from "./ServerIcon.tsx";
import { type ServerRow, serverName } from "./servers.ts";

export type Shown = {
  isTeamKey: boolean;
  teamName: string | null;
  /** Whether it is being asked just now. */
  isAsking: (row: ServerRow) => boolean;
  onSelect: (id: string) => void;
};

/** Server, tools, the person's connection and the team's side by side, who uses it. */
export const serverColumns = (shown: Shown & { tellsUse: boolean }): Columns<ServerRow> => ({
  server: {
    head: "Server",
    title: ({ server }) => server.description,
    cell: ({ id, server }) => (
      <span className="flex items-baseline gap-3">
        <ServerIcon server={server} className="-my-1 self-center" />
        <span className="flex min-w-0 flex-1 items-baseline gap-2.5">
          <button
            type="button"
            onClick={() => shown.onSelect(id)}
            title={serverName(server)}
            className="min-w-0 truncate font-medium"
          >
            <bdi>{serverName(server)}</bdi>
          </button>
          <span className="min-w-0 flex-1 basis-0 truncate text-muted text-secondary @max-[600px]:hidden">
            <bdi>{server.description || server.mcp_url}</bdi>
          </span>
        </span>
      </span>
    ),
  },
  tools: {
    head: "Tools",
    width: 72,
    kind: "figure",
    headClass: "@max-[640px]:w-[56px]",
    cell: ({ server }) => server.tool_count ?? <span className="text-faint">–</span>,
  },
  mine: !shown.isTeamKey && {
    head: "You",
    width: 136,
    kind: "muted",
    headClass: "@max-[640px]:w-[128px]",
    cell: (row) => <ConnectionState server={row.mine} isAsking={shown.isAsking(row)} />,
  },
  team: shown.teamName !== null && {
    head: shown.teamName,
    about: `Team ${shown.teamName}`,
    width: 136,
    kind: "muted",
    cell: (row) => <ConnectionState server={row.team} isAsking={shown.isAsking(row)} />,
  },
  agents: shown.tellsUse && {
    head: "Used by",
    width: 200,
    kind: "support",
    className: "@max-[800px]:hidden",
    headClass: "@max-[1000px]:w-[136px]",
    cell: ({ id }) => <UsedBy serverId={id} />,
  },
});

type CardsProps = Shown & {
  groups: readonly RowGroup<ServerRow>[];
  selected: string | undefined;
  /** On phones: one below the other, edge to edge. */
  isList: boolean;
};

/** The catalogue as cards; on phones as rows of two lines. */
export function ServerCards({
  groups,
  selected,
  isTeamKey,
  teamName,
  isList,
  isAsking,
  onSelect,
}: CardsProps) {
  return (
    <div className={cx(isList && "border-t")}>
      {groups.map((group) => (
        <section key={group.key} aria-label={group.key}>
          <h2
            className={cx(
              "flex h-row-group items-center border-b bg-surface-sunken pr-edge-right pl-edge-left",
              !isList && "border-t",
            )}
          >
            <GroupHead name={group.name} count={group.count} />
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
                data-row={row.id}
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
                    {row.server.tool_count == null ? "" : counted(row.server.tool_count, "tool")}
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
