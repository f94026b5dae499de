import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { nothingChanged, type Recorded } from "../audit/record.ts";
import type { Context } from "../context.ts";
import type { Engine } from "../engine/engine.ts";
import type { NewExecution } from "../engine/kind.ts";
import { principalOf } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { type JsonValue, toJson } from "../store/json.ts";
import { takeAdvisoryLock } from "../store/lock.ts";
import type { Database } from "../store/schema.ts";
import type { Tx } from "../store/store.ts";
import type { Caller } from "./handler.ts";

/** What makes two starts the same one. */
export interface StartRequest {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly caller: Caller;
  /** The header `Idempotency-Key`; undefined without one. */
  readonly key: string | undefined;
  /** The inputs of what is started, which headers may give as well; null where they are not known yet. */
  readonly inputs: readonly string[] | null;
  /** Everything of the request that the start depends on, query and body, with these inputs. */
  readonly content: (inputs: readonly string[]) => JsonValue;
}

/** What a start is answered with. */
export interface Started<T> {
  readonly answer: T;
  readonly recorded: Recorded;
}

/** The same, as its handler answers it. */
interface StartAnswer<T> {
  readonly type: "body";
  readonly body: T;
  readonly recorded: Recorded;
}

/** Starts an execution in the transaction of the request. */
type StartExecution = (execution: NewExecution) => Promise<void>;

/**
 * Runs a start in one transaction. With an `Idempotency-Key` the same request gets the same answer for a day and starts
 * nothing again, also when both come at once; the same key with another request is refused.
 * @param make starts, records it, and gives the answer, which must be plain JSON
 * @throws ServiceError `idempotency_key_reused` (422)
 */
export async function startOnce<T extends JsonValue>(
  engine: Engine,
  request: StartRequest,
  make: (tx: Tx, start: StartExecution) => Promise<Started<T>>,
): Promise<Started<T>> {
  const { key } = request;
  if (key === undefined) return engine.starting(make);
  const scope = scopeOf(request);
  const inputs = request.inputs ?? [];
  return engine.starting(async (tx, start) => {
    // Two requests with one key wait for each other here, and for nobody else.
    await takeAdvisoryLock(tx, `start ${scope} ${key}`);
    const before = await startedBefore<T>(tx, request);
    if (before !== null) return before;
    const { answer, recorded } = await make(tx, start);
    await tx.deleteFrom("idempotent_starts").where("scope", "=", scope).where("key", "=", key).execute();
    await forgetOld(tx);
    const kept = await tx
      .insertInto("idempotent_starts")
      .values({
        scope,
        key,
        body_hash: hashOf(request, inputs),
        inputs: toJson(inputs),
        answer: toJson(answer),
      })
      .returning("answer")
      .executeTakeFirstOrThrow();
    // As the next one gets it, to the byte: the database has an order of its own for fields.
    return { answer: kept.answer as T, recorded };
  });
}

/**
 * Begins a start that was not carried out before. Whoever sends one again with its key hears what became of it before anything
 * is looked at that may have changed since: what it starts from may be another by now, be gone, or be theirs no more.
 * @param begin with `startOnce`, as two may come at once
 * @throws ServiceError `idempotency_key_reused` (422)
 */
export async function unlessStarted<T extends JsonValue>(
  { store }: Pick<Context, "store">,
  request: StartRequest,
  begin: () => Promise<StartAnswer<T>>,
): Promise<StartAnswer<T>> {
  const before = await startedBefore<T>(store.db, request);
  return before === null ? begin() : { type: "body", body: before.answer, recorded: before.recorded };
}

/** @returns null where it was not carried out within a day, has no key, or cannot be told yet */
async function startedBefore<T extends JsonValue>(
  db: Kysely<Database>,
  request: StartRequest,
): Promise<Started<T> | null> {
  const { key } = request;
  if (key === undefined) return null;
  const before = await db
    .selectFrom("idempotent_starts")
    .select(["body_hash", "inputs", "answer"])
    .where("scope", "=", scopeOf(request))
    .where("key", "=", key)
    .where("created_at", ">", sql<Date>`now() - interval '1 day'`)
    .executeTakeFirst();
  // Where the release before wrote it, what the flow asks for now is all that is known.
  const inputs = before?.inputs ?? request.inputs;
  if (before === undefined || inputs === null) return null;
  if (!hashOf(request, inputs).equals(before.body_hash))
    throw new ServiceError("idempotency_key_reused", { param: "Idempotency-Key" });
  // It was written by the same endpoint.
  return { answer: before.answer as T, recorded: nothingChanged() };
}

const scopeOf = ({ endpoint, caller }: StartRequest) => `${endpoint} ${principalOf(caller)}`;
const hashOf = ({ content }: StartRequest, inputs: readonly string[]) =>
  createHash("sha256")
    .update(JSON.stringify(content(inputs)))
    .digest();

/** A few at each start, so that the table stays small without a job of its own. */
async function forgetOld(tx: Tx): Promise<void> {
  await sql`delete from idempotent_starts where (scope, key) in (
    select scope, key from idempotent_starts where created_at < now() - interval '1 day'
     limit 20 for update skip locked)`.execute(tx);
}
