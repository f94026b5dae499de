import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import type { Store } from "../store/store.ts";
import { essence } from "./again-affected.ts";
import { asks } from "./asking-nodes.ts";
import type { Definition } from "./definition.ts";
import type { Flows } from "./find-flow.ts";
import type { FlowVersions } from "./flow-versions.ts";

/** A flow that a node started, itself or in the flows that it started, as it was then. */
export interface StartedFlow {
  readonly node: string;
  readonly flowId: string;
  readonly version: string;
}

/** Each flow that a run's nodes started, once; those of runs that were deleted since are not known. */
export async function readStartedFlows(
  { db }: Pick<Store, "db">,
  runId: string,
): Promise<readonly StartedFlow[]> {
  const { rows } = await sql<StartedFlow>`
    with recursive started (node, id) as (
      select split_part(key, '/', 1), child_id from steps where execution_id = ${runId} and child_id is not null
      union
      select node, child_id from started
        join executions on executions.id = started.id and executions.kind = 'pipeline'
        join steps on steps.execution_id = started.id and child_id is not null
    )
    select distinct node, subject_id as "flowId", input->>'version' as version
      from started join executions on executions.id = started.id
     where executions.kind = 'pipeline' and input->>'version' is not null`.execute(db);
  return rows;
}

/** Which nodes started flows that asked people to agree. @returns ids */
export async function nodesThatAsked(
  versions: FlowVersions,
  started: readonly StartedFlow[],
): Promise<ReadonlySet<string>> {
  const asked = new Set<string>();
  for (const { node, version } of started) {
    const plan = (await versions.find(version))?.plan;
    const configs = [...(plan?.nodes.values() ?? [])].map(({ config }) => config);
    if (configs.some(asks)) asked.add(node);
  }
  return asked;
}

/** Which nodes started flows that do something else now; one that is gone does nothing. @returns ids */
export async function nodesWithOthers(
  { versions, flows }: { readonly versions: FlowVersions; readonly flows: Pick<Flows, "find"> },
  started: readonly StartedFlow[],
): Promise<ReadonlySet<string>> {
  const others = new Set<string>();
  for (const { node, flowId, version } of started) {
    const now = await flows.find(flowId);
    if (now === null || now.version === version) continue;
    const then = await versions.find(version);
    if (then === null || !isDeepStrictEqual(essences(then.definition), essences(now.definition)))
      others.add(node);
  }
  return others;
}

const essences = ({ nodes }: Definition) =>
  Object.fromEntries(nodes.map(({ id, node }) => [id, essence(node)]));
