import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Received } from "../../../contract/define.ts";
import type { McpHeldTool, McpTool } from "../../../contract/mcp.ts";
import { useApi } from "../../lib/api.tsx";
import { NotDone } from "../../lib/failure/Failure.tsx";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { sameJson } from "../../lib/json/json-value.ts";
import { useMissingRight } from "../../lib/rights/rights.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
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
  const missing = useMissingRight(teamId, "edit");
  const { before } = held;
  const hash = tool.definition_hash;
  return (
    <div className="rounded-control border border-state-stopped-line bg-state-stopped-bg p-2.5 text-secondary">
      <p className="font-medium">
        {before ? "Definition changed" : "New tool"}
        {held.since && (
          <>
            {" "}
            <Ago at={held.since} />
          </>
        )}
        . Agents can’t call it until someone accepts it.
      </p>
      {before && <HeldChanges before={before} now={tool} />}
      {accept.error !== null && (
        <div className="mt-2">
          <NotDone error={accept.error} title="The definition was not accepted" />
        </div>
      )}
      <Button
        size="small"
        className="mt-2"
        loading={accept.isPending}
        disabledReason={missing ?? (hash ? undefined : "The service did not identify this definition")}
        onClick={() =>
          hash &&
          accept.mutate({
            server_id: serverId,
            team_id: teamId,
            tools: [{ tool_call_id: tool.tool_call_id, definition_hash: hash }],
          })
        }
      >
        Accept definition
      </Button>
    </div>
  );
}

type HeldChangesProps = { before: NonNullable<Received<McpHeldTool>["before"]>; now: Received<McpTool> };

/** What a held tool says differently since somebody looked at it. What the service did not keep is no difference. */
function HeldChanges({ before, now }: HeldChangesProps) {
  const changes = [
    {
      isOther: differs(before.title, now.title),
      parts: { "Title before": text(before.title), "Title now": text(now.title) },
    },
    {
      isOther: (before.description ?? "") !== (now.description ?? ""),
      parts: { "Description before": text(before.description), "Description now": text(now.description) },
    },
    {
      isOther: !sameJson(before.input_schema, now.input_schema),
      // What it takes now stands below, for every tool.
      parts: { "Inputs changed": json(before.input_schema, "Inputs before") },
    },
    {
      isOther: differs(before.output_schema, now.output_schema),
      parts: {
        "Output before": json(before.output_schema, "Output before"),
        "Output now": json(now.output_schema, "Output now"),
      },
    },
    {
      isOther: differs(before.annotations, now.annotations),
      parts: {
        "Hints before": json(before.annotations, "Hints before"),
        "Hints now": json(now.annotations, "Hints now"),
      },
    },
  ].filter(({ isOther }) => isOther);
  return (
    <dl className="mt-1.5 flex flex-col gap-1">
      {changes.flatMap(({ parts }) =>
        Object.entries(parts).map(([name, part]) => (
          <div key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="break-words">{part}</dd>
          </div>
        )),
      )}
      {changes.length === 0 && (
        <p className="text-muted">
          The service did not record what changed. Review the full definition below.
        </p>
      )}
    </dl>
  );
}

const differs = (before: unknown, now: unknown): boolean =>
  before !== undefined && now !== undefined && !sameJson(before ?? null, now ?? null);

/** The server's own words: text, never anything else. */
const text = (words: string | null | undefined): ReactNode => <bdi>{words || "nothing"}</bdi>;

function json(value: unknown, label: string): ReactNode {
  if (value === null) return "nothing";
  return (
    <div className="max-h-40 overflow-auto">
      <JsonView value={value} label={label} />
    </div>
  );
}
