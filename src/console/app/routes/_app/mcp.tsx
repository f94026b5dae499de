import { createFileRoute } from "@tanstack/react-router";
import { McpPage } from "../../../areas/mcp/McpPage.tsx";
import { readMcpSearch } from "../../../areas/mcp/search.ts";

export const Route = createFileRoute("/_app/mcp")({
  validateSearch: readMcpSearch,
  component: () => <McpPage search={Route.useSearch()} />,
});
