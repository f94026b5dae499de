import { useApi } from "../../lib/api/api-context.tsx";
import { curlOf } from "../../lib/curl.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";

/** Why there are no servers, and the next step. */
export function NoServers({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const api = useApi();
  if (isFiltered) {
    return (
      <EmptyState title="No matching servers" actions={<Button onClick={onClear}>Show all servers</Button>}>
        There are none with these words and filters.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No MCP servers yet"
      curl={curlOf({ method: "GET", url: new URL(`${api.base}/mcp/servers`, location.href).href })}
    >
      Servers whose tools agents may call appear here. Whoever runs the service names them in the file{" "}
      <code className="text-mono">mcp.json</code> of its workspace, in the form that other clients use too (
      <code className="text-mono">mcpServers</code>), and starts the service anew. This line asks for the
      list.
    </EmptyState>
  );
}
