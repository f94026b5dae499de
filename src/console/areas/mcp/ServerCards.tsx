import { cx } from "../../ui/cx.ts";
import { GroupHead } from "../../ui/Table.tsx";
import { ConnectionState } from "./ConnectionState.tsx";
import { ServerIcon } from "./ServerIcon.tsx";
import { groupServers, type ServerRow, serverName } from "./servers.ts";

type Props = {
  rows: readonly ServerRow[];
  selected: string | undefined;
  isTeamKey: boolean;
  teamName: string | null;
  /** On phones: one below the other, edge to edge. */
  isList: boolean;
  /** Whether it is being asked just now. */
  isAsking: (row: ServerRow) => boolean;
  onSelect: (id: string) => void;
};

/** The catalogue as cards; on phones as rows of two lines. */
export function ServerCards({ rows, selected, isTeamKey, teamName, isList, isAsking, onSelect }: Props) {
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
