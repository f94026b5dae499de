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
    advance: (execution, journal) => advanceRun(execution, journal, services, versions),
  };
}
