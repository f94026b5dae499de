import { Button } from "../../ui/Button.tsx";
import { ServerIcon } from "./ServerIcon.tsx";
import { failureParts, needOf, type ServerIn, serverName } from "./servers.ts";
import { type ServerNeed, type ServerWait, waitWords } from "./useServerNeeds.ts";

type Props = {
  /** As the overview names them. */
  needs: readonly ServerNeed[];
  /** How many others need somebody, though no agent uses them. */
  others: number;
  teamName: string | null;
  onShow: (id: string) => void;
};

/** So many bands at most; the rest is a filter away. */
const most = 2;

/** What needs somebody, said before the table and in words: what does not work, and what still does. */
export function Attention({ needs, others, teamName, onShow }: Props) {
  if (needs.length === 0) return null;
  const more = Math.max(0, needs.length - most) + others;
  return (
    <ul
      aria-label="Servers that need somebody"
      className="flex flex-col gap-2 pr-edge-right pb-3 pl-edge-left"
    >
      {needs.slice(0, most).map((need) => (
        <li
          key={need.row.id}
          className="flex items-center gap-3.5 rounded-panel border border-state-stopped-line bg-state-stopped-bg px-3.5 py-2.5 max-sm:flex-col max-sm:items-start"
        >
          <ServerIcon server={need.row.server} className="max-sm:hidden" />
          <div className="min-w-0 flex-1">
            <p className="break-words font-semibold">
              <bdi>{serverName(need.row.server)}</bdi> {waitWords[need.waits]}
            </p>
            <p className="max-w-text break-words text-muted text-secondary">{explain(need, teamName)}</p>
          </div>
          <Button size="small" onClick={() => onShow(need.row.id)}>
            {actions[need.waits]}
          </Button>
        </li>
      ))}
      {more > 0 && <li className="text-muted text-secondary">and {more} more: see “Needs you”</li>}
    </ul>
  );
}

const actions: Readonly<Record<ServerWait, string>> = {
  "sign-in-again": "Sign in again…",
  "sign-in": "Sign in…",
  "tools-changed": "Look at the tools…",
  "no-answer": "Show",
  blocked: "Show",
};

function explain({ row: { mine, team }, waits, isMine, agents }: ServerNeed, teamName: string | null) {
  const [one, other] = isMine ? [mine, team] : [team, mine];
  const whose = isMine ? "Your connection" : `The connection of team ${teamName ?? ""}`;
  const still =
    other?.status === "connected" && needOf(other) === null
      ? ` ${isMine ? `Team ${teamName ?? ""} is still connected` : "Yours still works"}.`
      : "";
  switch (waits) {
    case "sign-in-again":
      return `${whose} has ended: what runs as it fails.${still} Signing in again keeps all settings.`;
    case "sign-in":
      return `${agents === 1 ? "1 agent has" : `${agents} agents have`} its tools, and nobody is signed in.`;
    case "tools-changed":
      return `${heldWords(one)} and may not be called until somebody has looked.${still}`;
    case "no-answer":
      return `${failureParts(one?.connection?.failure ?? "").sentence}${still}`;
    default:
      return `${whose} is blocked by the service.${still}`;
  }
}

function heldWords(server: ServerIn | null): string {
  const count = server?.connection?.held_tool_call_ids?.length ?? 0;
  return count === 1 ? "One tool says something else now" : `${count} tools say something else now`;
}
