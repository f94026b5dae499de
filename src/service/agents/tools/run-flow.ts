import { z } from "zod";
import type { Ids } from "../../context.ts";
import type { FoundFlow } from "../../nodes/services.ts";
import { readArguments } from "./arguments.ts";
import type { Tool } from "./tool.ts";

/** How a turn finds a flow that it may start for whom it acts; null: there is none. */
export type FindFlow = (
  id: string,
  owner: { readonly userId: string | null; readonly teamId: string | null },
) => Promise<FoundFlow | null>;

const argumentsOf = z.object({
  saved_item_id: z.string(),
  inputs: z.record(z.string(), z.json()).nullish(),
});

/**
 * Starts a pipeline run and waits for its end; the result is its outputs, or why it failed.
 * @param only the flows that the agent may run; null: all that the person may
 */
export function runFlowTool(findFlow: FindFlow, ids: Ids, only: readonly string[] | null): Tool {
  const allowed = only === null ? {} : { enum: [...only] };
  return {
    spec: {
      name: "run_flow",
      description: "Runs a workflow, waits for its end and answers its outputs.",
      parameters: {
        type: "object",
        properties: {
          saved_item_id: { type: "string", description: "The id of the workflow", ...allowed },
          inputs: { type: "object", description: "Values by the names of the workflow's inputs" },
        },
        required: ["saved_item_id"],
      },
    },
    async run({ args, facts }) {
      const read = readArguments(argumentsOf, args);
      if (!read.ok) return read.outcome;
      const { saved_item_id: id, inputs } = read.value;
      const mayRun = only === null || only.includes(id);
      const flow = mayRun ? await findFlow(id, { userId: facts.userId, teamId: facts.teamId }) : null;
      if (flow === null)
        return { type: "failed", error: `There is no workflow ${id} that this agent may run.` };
      const { userId, teamId } = facts;
      return {
        type: "spawn",
        child: {
          id: ids.make("run"),
          kind: "pipeline",
          subjectId: flow.id,
          userId,
          teamId,
          input: flow.startInput(inputs ?? {}),
        },
      };
    },
  };
}
