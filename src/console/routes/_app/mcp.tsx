import { createFileRoute } from "@tanstack/react-router";
import { McpPage } from "../../pages/mcp/McpPage.tsx";
import { readMcpSearch } from "../../pages/mcp/search.ts";

export const Route = createFileRoute("/_app/mcp")({
  validateSearch: readMcpSearch,
  component: () => <McpPage search={Route.useSearch()} />,
});
