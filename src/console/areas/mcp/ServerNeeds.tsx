import { useQueries } from "@tanstack/react-query";
import { useApi, useCan } from "../../lib/api.tsx";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { agentQueries } from "../directory/index.ts";
import { ServerIcon } from "./ServerIcon.tsx";
import {
  failureParts,
  type Need,
  needOf,
  needsSomebody,
  type ServerIn,
  type ServerRow,
  serverName,
} from "./servers.ts";

type Props = {
  /** As the overview names them. */
  needs: readonly ServerNeed[];
  /** How many others need somebody, though no agent uses them. */
  others: number;
  teamName: string | null;
  onShow: (id: string) => void;
};

/** So many bands at most; the rest is a filter away. */
const mostShown = 2;

/** What needs somebody, said before the table and in words: what does not work, and what still does. */
export function Attention({ needs, others, teamName, onShow }: Props) {
  if (needs.length === 0) return null;
  const more = Math.max(0, needs.length - mostShown) + others;
  return (
    <ul
      aria-label="Servers that need attention"
      className="flex flex-col gap-2 pr-edge-right pb-3 pl-edge-left"
    >
      {needs.slice(0, mostShown).map((need) => (
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
  "tools-changed": "Review tools…",
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
      return `${whose} has expired, so calls fail.${still} Signing in again keeps all settings.`;
    case "sign-in":
      return `${counted(agents ?? 0, "agent uses", "agents use")} its tools, but no one is signed in.`;
    case "tools-changed":
      return `${heldWords(one)} and can’t be called until someone reviews the change.${still}`;
    case "no-answer":
      return `${failureParts(one?.connection?.failure ?? "").sentence}${still}`;
    default:
      return `${whose} is blocked by the service.${still}`;
  }
}

function heldWords(server: ServerIn | null): string {
  const count = server?.connection?.held_tool_call_ids?.length ?? 0;
  return count === 1 ? "One tool changed" : `${count} tools changed`;
}

/** What a server waits for: what its connection needs, or the first sign-in of anybody. */
type ServerWait = Need | "sign-in";

/** A server that needs somebody, and the agents that cannot use it until then. */
export interface ServerNeed {
  readonly row: ServerRow;
  readonly waits: ServerWait;
  /** Whether it is the person's own connection that waits, and not the team's. */
  readonly isMine: boolean;
  /** Null where the service cannot tell. */
  readonly agents: number | null;
}

/** So many servers are looked at for their agents. */
const mostAsked = 20;

/**
 * The servers that wait for somebody, in the order of every page that names them: those whose tools changed, then those
 * that agents use. One that no agent uses waits for nobody, except where a tool of it says something else now: the
 * catalogue says what is wrong with it. Where the service cannot tell who uses one, all that need somebody wait.
 */
export function useServerNeeds(rows: readonly ServerRow[]): readonly ServerNeed[] {
  const api = useApi();
  const tellsUse = useCan("mcp_connections");
  const asked = rows.filter((row) => needsSomebody(row) || isSignedOut(row)).slice(0, mostAsked);
  const uses = useQueries({
    queries: asked.map((row) => ({ ...agentQueries.list(api, { tool: row.id }), enabled: tellsUse })),
  });
  return asked
    .flatMap((row, at): ServerNeed[] => {
      const use = uses[at];
      const list = use?.data?.data.agents;
      const agents = tellsUse && list ? list.length : null;
      const need = { row, agents, ...waitOf(row) };
      if (hasChanged(need)) return [need];
      if (tellsUse && use?.isPending) return [];
      return (agents === null ? needsSomebody(row) : agents > 0) ? [need] : [];
    })
    .sort((a, b) => Number(hasChanged(b)) - Number(hasChanged(a)));
}

/** What a server waits for, after its name. */
export const waitWords: Readonly<Record<ServerWait, string>> = {
  "sign-in-again": "no longer accepts the sign-in",
  "tools-changed": "has changed its tools",
  "no-answer": "is not responding",
  blocked: "is blocked",
  "sign-in": "needs a sign-in",
};

function waitOf({ mine, team }: ServerRow): Pick<ServerNeed, "waits" | "isMine"> {
  const [own, teams] = [needOf(mine), needOf(team)];
  // What a tool says now goes before whatever else is wrong.
  const isMine = teams === "tools-changed" ? own === "tools-changed" : own !== null || teams === null;
  return { waits: (isMine ? own : teams) ?? "sign-in", isMine };
}

const hasChanged = ({ waits }: ServerNeed): boolean => waits === "tools-changed";

/** Nobody is signed in, neither the person nor the team, to a server that wants it. */
const isSignedOut = ({ mine, team }: ServerRow): boolean =>
  [mine, team].every(
    (one) =>
      one === null ||
      (one.status === "unauthenticated" && needOf(one) === null && one.connection?.auth === "sign_in"),
  );
