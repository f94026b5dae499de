import {
  failureParts,
  type Need,
  needOf,
  type ServerIn,
  type ServerRow,
  serverName,
} from "../../components/mcp/servers.ts";
import { Button } from "../../ui/Button.tsx";
import { ServerIcon } from "./ServerIcon.tsx";

type Props = { rows: readonly ServerRow[]; teamName: string | null; onShow: (id: string) => void };

/** So many bands at most; the rest is a filter away. */
const most = 2;

/** What needs somebody, said before the table and in words: what does not work, and what still does. */
export function Attention({ rows, teamName, onShow }: Props) {
  const found = rows.flatMap((row) => {
    const mine = needOf(row.mine);
    const need = mine ?? needOf(row.team);
    return need === null ? [] : [{ row, need, isMine: mine !== null }];
  });
  if (found.length === 0) return null;
  return (
    <ul
      aria-label="Servers that need somebody"
      className="flex flex-col gap-2 pr-edge-right pb-3 pl-edge-left"
    >
      {found.slice(0, most).map(({ row, need, isMine }) => (
        <li
          key={row.id}
          className="flex items-center gap-3.5 rounded-panel border border-state-stopped-line bg-state-stopped-bg px-3.5 py-2.5 max-sm:flex-col max-sm:items-start"
        >
          <ServerIcon server={row.server} className="max-sm:hidden" />
          <div className="min-w-0 flex-1">
            <p className="break-words font-semibold">
              <bdi>{serverName(row.server)}</bdi> {titles[need]}
            </p>
            <p className="max-w-text break-words text-muted text-secondary">
              {explain(row, need, isMine, teamName)}
            </p>
          </div>
          <Button size="small" onClick={() => onShow(row.id)}>
            {acts[need]}
          </Button>
        </li>
      ))}
      {found.length > most && (
        <li className="text-muted text-secondary">and {found.length - most} more: see “Needs you”</li>
      )}
    </ul>
  );
}

const titles: Readonly<Record<Need, string>> = {
  "sign-in-again": "no longer accepts the sign-in",
  "tools-changed": "has changed its tools",
  "no-answer": "does not answer",
  blocked: "is blocked",
};

const acts: Readonly<Record<Need, string>> = {
  "sign-in-again": "Sign in again…",
  "tools-changed": "Look at the tools…",
  "no-answer": "Show",
  blocked: "Show",
};

function explain({ mine, team }: ServerRow, need: Need, isMine: boolean, teamName: string | null): string {
  const other = isMine ? team : mine;
  const whose = isMine ? "Your connection" : `The connection of team ${teamName ?? ""}`;
  const still =
    other?.status === "connected" && needOf(other) === null
      ? ` ${isMine ? `Team ${teamName ?? ""} is still connected` : "Yours still works"}.`
      : "";
  switch (need) {
    case "sign-in-again":
      return `${whose} has ended: what runs as it fails.${still} Signing in again keeps all settings.`;
    case "tools-changed":
      return `${heldWords(isMine ? mine : team)} and may not be called until somebody has looked.${still}`;
    case "no-answer":
      return `${failureParts((isMine ? mine : team)?.connection?.failure ?? "").sentence}${still}`;
    default:
      return `${whose} is blocked by the service.${still}`;
  }
}

function heldWords(server: ServerIn | null): string {
  const count = server?.connection?.held_tool_call_ids?.length ?? 0;
  return count === 1 ? "One tool says something else now" : `${count} tools say something else now`;
}
