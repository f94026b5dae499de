import { connectionStates } from "../../../contract/area-states.ts";
import type { Received } from "../../../contract/define.ts";
import type { McpServer } from "../../../contract/mcp.ts";
import { describeState, type Tone } from "../../../contract/states.ts";
import { shownName } from "../../lib/shownName.ts";
import type { RowGroup } from "../../ui/Table.tsx";

export type ServerIn = Received<McpServer> & { readonly server_id: string };
export type ServerType = "gumcp_server" | "gumstack_server" | "mcp_server";

/** One server as the person has it, and as the chosen team has it. */
export interface ServerRow {
  readonly id: string;
  /** What both share: of the two, the one that is there. */
  readonly server: ServerIn;
  /** Null where the person does not have it, or the key is a team's. */
  readonly mine: ServerIn | null;
  /** Null where the team does not have it, or none is chosen. */
  readonly team: ServerIn | null;
}

/** Both lists as one, by id, in the order of their names. Entries without an id are left out. */
export function joinServers(
  mine: readonly (Received<McpServer> | null)[] | null | undefined,
  team: readonly (Received<McpServer> | null)[] | null | undefined,
): readonly ServerRow[] {
  const rows = new Map<string, { mine: ServerIn | null; team: ServerIn | null }>();
  const put = (list: typeof mine, side: "mine" | "team") => {
    for (const server of list ?? []) {
      if (!server?.server_id) continue;
      const row = rows.get(server.server_id) ?? { mine: null, team: null };
      row[side] ??= server as ServerIn;
      rows.set(server.server_id, row);
    }
  };
  put(mine, "mine");
  put(team, "team");
  return [...rows]
    .flatMap(([id, row]) => {
      const server = row.mine ?? row.team;
      return server ? [{ id, server, ...row }] : [];
    })
    .sort((a, b) => serverName(a.server).localeCompare(serverName(b.server)));
}

/** A server by its name, else by its id. */
export const serverName = (server: Pick<ServerIn, "server_id" | "name">): string =>
  shownName(server.name || server.server_id || "Unnamed server");

const groupWords: Readonly<Record<ServerType, string>> = {
  gumcp_server: "Hosted",
  gumstack_server: "Self-hosted",
  mcp_server: "Custom",
};

/** Where a server runs, in words; a kind that we do not know as it came. */
export const typeWords = (type: string | null | undefined): string =>
  type && Object.hasOwn(groupWords, type) ? groupWords[type as ServerType] : type || "Unknown type";

export const typeOptions = Object.entries(groupWords) as readonly (readonly [ServerType, string])[];

/** Rows by where their server runs, known kinds first. */
export function groupServers(rows: readonly ServerRow[]): readonly RowGroup<ServerRow>[] {
  const groups = new Map<string, ServerRow[]>(Object.values(groupWords).map((name) => [name, []]));
  for (const row of rows) {
    const name = typeWords(row.server.type);
    groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([name, members]) => ({ key: name, name, count: members.length, rows: members }));
}

/** Why a connection needs a person; null where it does not. */
export type Need = "sign-in-again" | "tools-changed" | "no-answer" | "blocked";

/** A connection's failure: the sentence, and what a command that did not start wrote last; "" where that is nothing. */
export function failureParts(failure: string): { readonly sentence: string; readonly output: string } {
  const [sentence = "", ...lines] = failure.split("\n");
  return { sentence, output: lines.join("\n") };
}

/** What a connection wants of somebody. One that nobody has ever made wants nothing. */
export function needOf(server: ServerIn | null): Need | null {
  if (server === null) return null;
  const { connection } = server;
  // Of which every tool changed is blocked, and free again when somebody has looked.
  if (server.status === "blocked") return hasHeldTools(server) ? "tools-changed" : "blocked";
  if (server.status === "unauthenticated") {
    if (connection?.signed_in_at) return "sign-in-again";
    // One that asks nobody to sign in, or never said whether it does, is not reached.
    return connection?.failure && connection.auth !== "sign_in" ? "no-answer" : null;
  }
  if (hasHeldTools(server)) return "tools-changed";
  return server.status === "connected" && connection?.failure ? "no-answer" : null;
}

/** Whether a tool of it changed and nobody has looked yet. */
const hasHeldTools = (server: ServerIn | null): boolean =>
  (server?.connection?.held_tool_call_ids ?? []).length > 0;

/** Whether nobody has ever asked it, as far as the service tells: then "not connected" would say more than is known. */
export function isUnasked({ status, connection }: ServerIn): boolean {
  return (
    status === "unauthenticated" &&
    connection != null &&
    connection.auth !== "sign_in" &&
    !connection.succeeded_at &&
    !connection.failed_at &&
    !connection.failure
  );
}

/** How a connection is shown: the state of the contract, or louder where it needs somebody. */
export function connectionWords(
  server: ServerIn | null,
): { readonly tone: Tone; readonly word: string } | null {
  if (server === null) return null;
  switch (needOf(server)) {
    case "sign-in-again":
      return { tone: "stopped", word: "sign in again" };
    case "tools-changed":
      return { tone: "stopped", word: "tools changed" };
    case "no-answer":
      return { tone: "failed", word: "not responding" };
    default: {
      if (isUnasked(server)) return { tone: "waiting", word: "not checked yet" };
      const { tone, word } = describeState(connectionStates, server.status);
      return { tone, word };
    }
  }
}

/** Whether one of its connections waits for a person to do something. */
export const needsSomebody = (row: ServerRow): boolean =>
  needOf(row.mine) !== null || needOf(row.team) !== null;

/** Whether one of its connections works. */
export const isConnected = (row: ServerRow): boolean =>
  row.mine?.status === "connected" || row.team?.status === "connected";

/** Whether all words of a search stand in a server's name, description, address or id. */
export function fitsWords({ server }: ServerRow, search: string | undefined): boolean {
  const where = [server.name, server.description, server.mcp_url, server.server_id].join("\n").toLowerCase();
  return (search ?? "")
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
