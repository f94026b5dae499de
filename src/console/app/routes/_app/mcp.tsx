import { createFileRoute } from "@tanstack/react-router";
import { McpPage } from "../../../areas/mcp/McpPage.tsx";
import { readMcpSearch } from "../../../areas/mcp/search.ts";
import { startReads } from "../../loader.ts";

export const Route = createFileRoute("/_app/mcp")({
  validateSearch: readMcpSearch,
  loader: startReads("servers"),
  component: () => <McpPage search={Route.useSearch()} />,
});
