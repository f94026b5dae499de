import type { endpoints } from "../../contract/endpoints.ts";
import type { AuditEvent } from "../audit/entry.ts";
import { record, recordedWith } from "../audit/record.ts";
import type { Context } from "../context.ts";
import type { NewExecution } from "../engine/kind.ts";
import { isJsonObject, type JsonObject, ownField, toJsonValue } from "../json.ts";
import { type Actor, type ClaimedOwner, resolveActor } from "../permission/actor.ts";
import { mayUseSavedItem } from "../permission/owned.ts";
import { inputsOf } from "../pipelines/definition.ts";
import type { Flow } from "../pipelines/find-flow.ts";
import { pipeline } from "../pipelines/kind.ts";
import { routeInputs } from "../pipelines/route-inputs.ts";
import { writeRunInput } from "../pipelines/run-input.ts";
import { ServiceError } from "../service-error.ts";
import { callerTrace } from "../traceparent.ts";
import { noFlow } from "./flows.ts";
import type { Handler } from "./handler.ts";
import { type StartRequest, startOnce, unlessStarted } from "./idempotent-start.ts";
import { plainId } from "./plain-id.ts";

type StartPipeline = Handler<typeof endpoints.startPipeline>;
type Request = Parameters<StartPipeline>[1];

/**
 * §4.3. `user_id` and `project_id` come from the query; where it names neither, from the body, as public clients send
 * them. A query that names one makes the body plain data: a payload's own `project_id` then means nothing.
 */
export const startPipeline: StartPipeline = Object.assign(
  (...[context, request]: Parameters<StartPipeline>) => startRun(context, request, context.flows.find),
  {
    /** The credential and the flow are read at the same time; whoever may not use the flow learns nothing of it. */
    ahead({ flows }: Context, search: URLSearchParams): StartPipeline {
      const named = search.get("saved_item_id");
      if (named === null || !plainId.test(named)) return startPipeline;
      const flow = flows.find(named);
      // A refused credential never asks for it.
      flow.catch(() => {});
      return (context, request) =>
        startRun(context, request, (id) => (id === named ? flow : context.flows.find(id)));
    },
  },
);

async function startRun(
  context: Context,
  request: Request,
  find: (id: string) => Promise<Flow | null>,
): ReturnType<StartPipeline> {
  const { caller, query, rawBody, headers, headerFields } = request;
  const body = isJsonObject(request.body) ? request.body : {};
  const fromBody = query.user_id === undefined && query.project_id === undefined;
  const claim: ClaimedOwner = fromBody
    ? { user_id: bodyText(body, "user_id"), project_id: bodyText(body, "project_id") }
    : query;
  const id = query.saved_item_id ?? bodyText(body, "saved_item_id");
  const actor = resolveActor(caller, claim, "personal");
  if (id === null) {
    throw new ServiceError("invalid_parameter", {
      message: "saved_item_id is required: name the flow.",
      param: "saved_item_id",
    });
  }
  const once: StartRequest = {
    ...{ endpoint: "startPipeline", caller, key: headerFields["Idempotency-Key"], inputs: null },
    content: (names) => ({
      ...{ query: toJsonValue({ ...query, api_key: null }), body: rawBody },
      inputs: routeInputs(names, body, headers),
    }),
  };
  return unlessStarted(context, once, () =>
    begin(context, request, { actor, body, once, flow: () => find(id) }),
  );
}

interface Asked {
  readonly actor: Actor;
  readonly body: JsonObject;
  readonly once: StartRequest;
  flow(): Promise<Flow | null>;
}

async function begin(context: Context, request: Request, { actor, body, once, ...asked }: Asked) {
  const { caller, rawBody, headers } = request;
  const flow = await asked.flow();
  if (!flow || !mayUseSavedItem(caller, actor, flow.owner)) throw noFlow();
  const names = inputsOf(flow.definition).map(({ name }) => name);
  const inputs = routeInputs(names, body, headers);
  const runId = context.ids.make("run");
  const run: NewExecution = {
    id: runId,
    kind: pipeline,
    subjectId: flow.id,
    ...actor,
    input: writeRunInput(flow, inputs, rawBody),
    trace: callerTrace(headers),
  };
  const started = {
    run_id: runId,
    saved_item_id: flow.id,
    workbook_id: null,
    url: `${context.publicUrl}/runs/${runId}`,
  };
  const event: AuditEvent = {
    action: "run.start",
    object: { kind: "run", id: runId, name: flow.name },
    teamId: actor.teamId,
    forUserId: actor.userId,
  };
  // Without a key the run is all that is written: it can go with others.
  if (once.key === undefined) {
    const { rows, recorded } = recordedWith(request, event);
    await context.engine.launch(run, rows);
    return { type: "body" as const, body: started, recorded };
  }
  const { answer, recorded } = await startOnce(
    context.engine,
    { ...once, inputs: names },
    async (tx, start) => {
      await start(run);
      return { answer: started, recorded: await record(tx, request, event) };
    },
  );
  return { type: "body" as const, body: answer, recorded };
}

/** An owner field of the body. Null and absent are the same. */
function bodyText(body: JsonObject, name: string): string | null {
  const value = ownField(body, name) ?? null;
  if (value === null || (typeof value === "string" && value !== "")) return value;
  throw new ServiceError("invalid_parameter", { message: `${name} must be a non-empty text.`, param: name });
}
