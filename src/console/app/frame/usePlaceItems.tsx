import { useNavigate } from "@tanstack/react-router";
import Library from "lucide-react/icons/library";
import Plug from "lucide-react/icons/plug";
import { sourceName, useSources } from "../../areas/knowledge/sources.ts";
import { useServers } from "../../areas/mcp/queries.ts";
import { serverName, typeWords } from "../../areas/mcp/servers.ts";
import { shownName } from "../../lib/shownName.ts";
import type { PaletteItem } from "./Palette.tsx";

/** What the palette has of MCP servers and knowledge sources: each to open. */
export function usePlaceItems(): readonly PaletteItem[] {
  const navigate = useNavigate();
  const servers = useServers();
  const { sources } = useSources();
  return [
    ...servers.rows.map(({ id, server }) => ({
      id: `server ${id}`,
      group: "MCP servers",
      icon: <Plug />,
      name: shownName(serverName(server)),
      detail: server.description || typeWords(server.type),
      run: () => void navigate({ to: "/mcp", search: { server: id } }),
    })),
    ...sources.map((source) => ({
      id: `source ${source.id}`,
      group: "Knowledge sources",
      icon: <Library />,
      name: shownName(sourceName(source)),
      detail: source.status ?? "",
      run: () => void navigate({ to: "/knowledge/$sourceId", params: { sourceId: source.id } }),
    })),
  ];
}
