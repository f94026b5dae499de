import { useMutation } from "@tanstack/react-query";
import type { Received } from "../../../contract/define.ts";
import type { McpHeldTool, McpTool } from "../../../contract/mcp.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { HeldChanges } from "./HeldChanges.tsx";
import { mcpMutations } from "./queries.ts";

type Props = {
  tool: Received<McpTool> & { readonly tool_call_id: string };
  held: Received<McpHeldTool>;
  serverId: string;
  teamId: string | null;
};

/** A tool that is held back: what it said before, what it says now, and the way to accept exactly that (S-47). */
export function HeldTool({ tool, held, serverId, teamId }: Props) {
  const accept = useMutation(mcpMutations.approve(useApi()));
  const { before } = held;
  const hash = tool.definition_hash;
  return (
    <div className="rounded-control border border-state-stopped-line bg-state-stopped-bg p-2.5 text-secondary">
      <p className="font-medium">
        {before ? "Its definition changed" : "It is new"}
        {held.since && (
          <>
            {" "}
            <Ago at={held.since} />
          </>
        )}
        . Agents cannot call it until somebody accepts it.
      </p>
      {before && <HeldChanges before={before} now={tool} />}
      {accept.error !== null && <Failure error={accept.error} what="The change" />}
      <Button
        size="small"
        className="mt-2"
        loading={accept.isPending}
        disabledReason={hash ? undefined : "the service did not say which definition this is"}
        onClick={() =>
          hash &&
          accept.mutate({
            server_id: serverId,
            team_id: teamId,
            tools: [{ tool_call_id: tool.tool_call_id, definition_hash: hash }],
          })
        }
      >
        Accept this definition
      </Button>
    </div>
  );
}
