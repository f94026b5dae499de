import type { z } from "zod/mini";
import type { endpoints } from "../../contract/endpoints.ts";
import { shownChange } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import type { Execution } from "../engine/kind.ts";
import { readExecution } from "../engine/queries.ts";
import { StepsGone, startSeeded } from "../engine/seed.ts";
import { type JsonObject, toJsonValue } from "../json.ts";
import { type Actor, actorAgain } from "../permission/actor.ts";
import { mayReadExecution } from "../permission/executions.ts";
import { mayUseSavedItem } from "../permission/owned.ts";
import { ownerMaySee } from "../permission/run-owner.ts";
import {
  type AgainAsk,
  type AgainPreview,
  previewAgain,
  readRunsAbove,
  seedAgain,
} from "../pipelines/run-again.ts";
import { copyRunFiles } from "../pipelines/run-files.ts";
import { ServiceError } from "../service-error.ts";
import type { Tx } from "../store/store.ts";
import { callerTrace } from "../traceparent.ts";
import { noFlow } from "./flows.ts";
import { noRun } from "./get-run.ts";
import type { Caller, Handlers } from "./handler.ts";
import { type StartRequest, startOnce, unlessStarted } from "./idempotent-start.ts";

type RunAgain = Pick<Handlers<typeof endpoints>, "previewRunAgain" | "runAgain">;

/** Own: what a run again would reuse and repeat. */
const previewRunAgain: RunAgain["previewRunAgain"] = async (context, { caller, params, body }) => {
  const asked = await readAsked(context, caller, params.run_id);
  const preview = await previewFor(context, caller, asked, askOf(body));
  return {
    type: "body",
    body: {
      runs: preview.levels.map(({ run, flowName, plan }) => ({
        run_id: run.id,
        saved_item_id: run.subjectId,
        saved_item_name: flowName,
        nodes: plan.nodes.map(({ node, state, outside, mayRepeat, items, runId }) => ({
          ...{ id: node.id, type: node.config.type, state, outside },
          ...{ may_repeat: mayRepeat, items, run_id: runId },
        })),
      })),
      refusals: [...preview.refusals],
      preview: preview.digest,
    },
  };
};

/** What it takes to look at a run that is to go again. */
type AgainContext = Pick<Context, "store" | "flows" | "flowVersions">;
/** What it takes to start it. */
type StartContext = AgainContext & Pick<Context, "engine" | "files" | "clock" | "ids" | "publicUrl">;
/** A request to start it. */
export type AgainRequest = Parameters<RunAgain["runAgain"]>[1];

type Answer = z.output<typeof endpoints.runAgain.response>;

/** Own: starts it, in one transaction with all that it takes over. */
export function runAgain(context: StartContext, request: AgainRequest) {
  const { caller, params, body, headerFields } = request;
  const ask = askOf(body);
  const once: StartRequest = {
    ...{ endpoint: "runAgain", caller, key: headerFields["Idempotency-Key"], inputs: [] },
    content: () => ({ run_id: params.run_id, ...toJsonAsk(ask) }),
  };
  return unlessStarted<Answer>(context, once, () => begin(context, request, ask, once));
}

async function begin(context: StartContext, request: AgainRequest, ask: AgainAsk, once: StartRequest) {
  const { caller, params, body } = request;
  const asked = await readAsked(context, caller, params.run_id);
  const { runs, actor } = asked;
  const preview = await previewFor(context, caller, asked, ask);
  const [refusal] = preview.refusals;
  if (refusal) throw new ServiceError("invalid_body", refusal);
  if (body.preview != null && body.preview !== preview.digest) {
    const message = "What would be done has changed since the preview: look at it again.";
    throw new ServiceError("invalid_body", { message, param: "preview" });
  }
  const { answer, recorded } = await startOnce(context.engine, once, async (tx, start) => {
    const ids = runs.map(() => context.ids.make("run"));
    const seeded = seedAgain(preview, { ...actor, now: context.clock.now(), ids });
    if (seeded === null) throw noRun();
    const trace = callerTrace(request.headers);
    await startSeeded(tx, (run) => start({ ...run, trace }), seeded).catch((error: unknown) => {
      throw error instanceof StepsGone ? noRun() : error;
    });
    await writeOrigins(context, tx, preview, ids, ask);
    const [top] = runs;
    const recorded = await record(tx, request, {
      action: "run.again",
      object: { kind: "run", id: ids[0] ?? "", name: preview.levels[0]?.flowName ?? null },
      teamId: actor.teamId,
      forUserId: actor.userId,
      changes: [shownChange("again", null, params.run_id)],
    });
    const answer = {
      run_id: ids[0] ?? "",
      again_run_id: ids.at(-1) ?? "",
      saved_item_id: top?.subjectId ?? "",
      url: `${context.publicUrl}/runs/${ids[0] ?? ""}`,
    };
    return { answer, recorded };
  });
  return { type: "body" as const, body: answer, recorded };
}

/** Who each new run goes back to, and the files that come with what is reused. */
async function writeOrigins(
  { files }: Pick<Context, "files">,
  tx: Tx,
  { levels }: AgainPreview,
  ids: readonly string[],
  { flow }: AgainAsk,
): Promise<void> {
  for (const [index, { run, from, plan }] of levels.entries()) {
    const to = ids[index] ?? "";
    await tx
      .insertInto("runs_again")
      .values({
        ...{ run_id: to, origin_id: run.id, flow },
        ...{ from_node: from?.node ?? null, from_item: from?.item ?? null },
      })
      .execute();
    const taken = new Set(plan.copied);
    const writers = plan.nodes.filter(({ node }) => node.config.type === "file" && taken.has(node.id));
    await copyRunFiles(
      tx,
      files,
      { from: run.id, to },
      writers.map(({ node }) => node.id),
    );
  }
}

/** The run that is to go again. */
interface AskedRun {
  /** The run and those above it, the topmost first. */
  readonly runs: readonly Execution[];
  /** Whose the new ones are: the caller's, of the same team. */
  readonly actor: Actor;
}

/** @throws ServiceError `not_found` for a run that the caller may not see */
async function readAsked(context: AgainContext, caller: Caller, id: string): Promise<AskedRun> {
  const run = await readExecution(context.store.db, id);
  if (run?.kind !== "pipeline" || !mayReadExecution(caller, run)) throw noRun();
  const runs = await readRunsAbove(context.store, run);
  return { runs, actor: actorAgain(caller, runs[0] ?? run) };
}

/** What would happen; nothing but a refusal where one of the flows is none that the caller may start. */
async function previewFor(
  context: AgainContext,
  caller: Caller,
  { runs, actor }: AskedRun,
  ask: AgainAsk,
): Promise<AgainPreview> {
  const { store, flows, flowVersions } = context;
  for (const [index, run] of runs.entries()) {
    const flow = await flows.find(run.subjectId);
    const may =
      flow !== null &&
      mayReadExecution(caller, run) &&
      (index === 0
        ? mayUseSavedItem(caller, actor, flow.owner)
        : await ownerMaySee(store.db, actor, flow.owner));
    if (!may) return { levels: [], refusals: [{ message: noFlow().message, param: "flow" }], digest: "" };
  }
  return previewAgain({ store, flows, versions: flowVersions }, runs, ask);
}

type Body = Parameters<RunAgain["previewRunAgain"]>[1]["body"];

function askOf({ from, flow, inputs, output }: Body): AgainAsk {
  return {
    from: from == null ? null : { node: from.node, item: from.item ?? null },
    flow: flow ?? "as_run",
    inputs: jsonObjectOf(inputs ?? {}),
    output: output == null ? null : jsonObjectOf(output),
  };
}

/** A body came from JSON, so all of it is JSON again. */
function jsonObjectOf(value: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toJsonValue(field)]));
}

function toJsonAsk({ from, flow, inputs, output }: AgainAsk): JsonObject {
  return { from: from === null ? null : { ...from }, flow, inputs, output };
}

export const runAgainHandlers: RunAgain = { previewRunAgain, runAgain };
