import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Received } from "../../../contract/define.ts";
import type { McpHeldTool, McpTool } from "../../../contract/mcp.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { JsonView } from "../../lib/json/JsonView.tsx";
import { sameJson } from "../../lib/json/json-value.ts";
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

type HeldChangesProps = { before: NonNullable<Received<McpHeldTool>["before"]>; now: Received<McpTool> };

/** What a held tool says differently since somebody looked at it. What the service did not keep is no difference. */
function HeldChanges({ before, now }: HeldChangesProps) {
  const saysOther = (before.description ?? "") !== (now.description ?? "");
  const isCalledOther = isKnown(before.title) && isKnown(now.title) && before.title !== now.title;
  const takesOther = !sameJson(before.input_schema, now.input_schema);
  const givesOther = differs(before.output_schema, now.output_schema);
  const hintsOther = differs(before.annotations, now.annotations);
  const isSame = !(saysOther || isCalledOther || takesOther || givesOther || hintsOther);
  return (
    <dl className="mt-1.5 flex flex-col gap-1">
      {isCalledOther && (
        <Change was="Title before" is="Title now">
          <Text text={before.title} />
          <Text text={now.title} />
        </Change>
      )}
      {saysOther && (
        <Change was="Description before" is="Description now">
          <Text text={before.description} />
          <Text text={now.description} />
        </Change>
      )}
      {takesOther && (
        // What it takes now stands below, for every tool.
        <Change was="Inputs changed">
          <Json value={before.input_schema} label="The inputs before" />
        </Change>
      )}
      {givesOther && (
        <Change was="Output before" is="Output now">
          <Json value={before.output_schema} label="What it gave before" />
          <Json value={now.output_schema} label="What it gives now" />
        </Change>
      )}
      {hintsOther && (
        <Change was="Hints before" is="Hints now">
          <Json value={before.annotations} label="The hints before" />
          <Json value={now.annotations} label="The hints now" />
        </Change>
      )}
      {isSame && (
        <p className="text-muted">
          What changed is not among what the service keeps: look at all of it below.
        </p>
      )}
    </dl>
  );
}

const isKnown = (value: unknown) => value !== undefined;
const differs = (before: unknown, now: unknown) =>
  isKnown(before) && isKnown(now) && !sameJson(before ?? null, now ?? null);

function Change({ was, is, children }: { was: string; is?: string; children: ReactNode }) {
  const [before, now] = Array.isArray(children) ? children : [children];
  return (
    <div>
      <dt className="text-muted">{was}</dt>
      <dd className="break-words">{before}</dd>
      {is !== undefined && (
        <>
          <dt className="mt-1 text-muted">{is}</dt>
          <dd className="break-words">{now}</dd>
        </>
      )}
    </div>
  );
}

/** The server's own words: text, never anything else. */
function Text({ text }: { text: string | null | undefined }) {
  return <bdi>{text || "nothing"}</bdi>;
}

function Json({ value, label }: { value: unknown; label: string }) {
  if (value === null) return "nothing";
  return (
    <div className="max-h-40 overflow-auto">
      <JsonView value={value} label={label} />
    </div>
  );
}
