import { textParam, wordParam } from "../../lib/search-params.ts";
import type { ServerType } from "./servers.ts";

const shows = ["needs-you", "connected"] as const;
const types = ["gumcp_server", "gumstack_server", "mcp_server"] as const;

/** Everything that the catalogue shows stands in its address; `server` and `team_id` are those of `service_auth_url`. */
export interface McpSearch {
  q?: string | undefined;
  show?: (typeof shows)[number] | undefined;
  type?: ServerType | undefined;
  view?: "cards" | undefined;
  /** The selected server. */
  server?: string | undefined;
  /** The team beside the person. */
  team_id?: string | undefined;
  /** The sign-in to the selected server has just worked. */
  connected?: 1 | undefined;
}

/** Reads the address; what is not understood is undefined. */
export function readMcpSearch(raw: Record<string, unknown>): McpSearch {
  return {
    q: textParam(raw.q),
    show: wordParam(raw.show, ...shows),
    type: wordParam(raw.type, ...types),
    view: wordParam(raw.view, "cards"),
    server: textParam(raw.server),
    team_id: textParam(raw.team_id),
    connected: raw.connected === 1 || raw.connected === "1" ? 1 : undefined,
  };
}
