import type { Kind } from "../engine/kind.ts";
import type { NodeServices } from "../nodes/services.ts";
import type { FlowVersions } from "./flow-versions.ts";
import { advanceRun } from "./run.ts";

/** The name of pipeline runs among executions. */
export const pipeline = "pipeline";

/** How the engine runs pipelines. */
export function pipelineKind(services: NodeServices, versions: FlowVersions): Kind {
  return {
    hasPlace: true,
    // What is done outside follows from what is recorded: each node that does more than to work out its result, or waits,
    // writes before it begins.
    isSpeculative: true,
    advance: (execution, journal) => advanceRun(execution, journal, services, versions),
  };
}
