import { defaultRetry, type RetryPolicy } from "./agents/retry.ts";
import { createTurnKind, turnKind } from "./agents/turn.ts";
import type { Context } from "./context.ts";
import type { Kind } from "./engine/kind.ts";
import { createEvaluationKind, evaluationKind } from "./evaluations/evaluation-kind.ts";
import { withEvaluations } from "./evaluations/start-evaluations.ts";
import type { DocumentReader } from "./knowledge/document-reader.ts";
import { knowledgeFinder } from "./knowledge/find-knowledge.ts";
import { syncKind } from "./knowledge/source-run.ts";
import { createSyncKind } from "./knowledge/sync.ts";
import type { Meters } from "./meters.ts";
import type { CodeRunner } from "./nodes/code-runner.ts";
import type { Outgoing } from "./outgoing/outgoing.ts";
import { pipeline, pipelineKind } from "./pipelines/kind.ts";
import { nodeServices } from "./pipelines/services.ts";

/** How patient executions are; the usual where nothing is said. Tests cannot wait so long. */
export interface KindTimes {
  /** How turns and evaluations wait for a model that fails. */
  readonly modelRetry?: RetryPolicy | undefined;
  /** How long a conversation must be quiet before it is evaluated, in milliseconds. */
  readonly evaluationQuietMs?: number | undefined;
  /** How long an evaluation may ask its model, in milliseconds. */
  readonly evaluationLimitMs?: number | undefined;
}

interface KindParts {
  /** What flows and agents reach the world with. */
  readonly outgoing: Outgoing;
  readonly code: CodeRunner;
  readonly reader: DocumentReader;
  /** Where somebody counts. */
  readonly meters: Meters | undefined;
  readonly times: KindTimes;
}

/** All that the engine runs, by kind: flows, turns, readings of knowledge sources, evaluations. */
export function createKinds(
  context: Context,
  { outgoing, code, reader, meters, times }: KindParts,
): Readonly<Record<string, Kind>> {
  const { store, clock, ids, engine, files, models, mcp, flows, flowVersions, approvals } = context;
  const { db } = store;
  const { modelRetry: retry = defaultRetry, evaluationQuietMs: quietMs = 30_000 } = times;
  const { evaluationLimitMs: limitMs = 15 * 60_000 } = times;
  const findKnowledge = knowledgeFinder(db, context.publicUrl);
  const shared = { clock, ids, outgoing, files, mcp, findKnowledge, meters };
  const nodes = nodeServices(db, flows, { ...shared, code }, models);
  const { findFlow, mayUseServer } = nodes;
  const turns = createTurnKind({ ...shared, store, db, findFlow, mayUseServer, models, retry, approvals });
  return {
    [pipeline]: pipelineKind(nodes, flowVersions),
    [turnKind]: withEvaluations(turns, { ids, engine }),
    [syncKind]: createSyncKind({ db, clock, ids, files, reader }),
    [evaluationKind]: createEvaluationKind({ store, clock, models, retry, quietMs, limitMs }),
  };
}
