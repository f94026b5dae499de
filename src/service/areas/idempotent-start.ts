import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { nothingChanged, type Recorded } from "../audit/record.ts";
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
  /** Everything of the request that the start depends on, query and body. */
  readonly content: JsonValue;
}

/** What a start is answered with. */
export interface Started<T> {
  readonly answer: T;
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
  const [scope, hash] = [scopeOf(request), hashOf(request)];
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
      .values({ scope, key, body_hash: hash, answer: toJson(answer) })
      .returning("answer")
      .executeTakeFirstOrThrow();
    // As the next one gets it, to the byte: the database has an order of its own for fields.
    return { answer: kept.answer as T, recorded };
  });
}

/**
 * What such a request was answered with within a day. For starts that could be refused by now for what has changed since: who
 * sends one again hears that it was carried out.
 * @returns null where it was not, or has no key
 * @throws ServiceError `idempotency_key_reused` (422)
 */
export async function startedBefore<T extends JsonValue>(
  db: Kysely<Database>,
  request: StartRequest,
): Promise<Started<T> | null> {
  const { key } = request;
  if (key === undefined) return null;
  const before = await db
    .selectFrom("idempotent_starts")
    .select(["body_hash", "answer"])
    .where("scope", "=", scopeOf(request))
    .where("key", "=", key)
    .where("created_at", ">", sql<Date>`now() - interval '1 day'`)
    .executeTakeFirst();
  if (before === undefined) return null;
  if (!hashOf(request).equals(before.body_hash))
    throw new ServiceError("idempotency_key_reused", { param: "Idempotency-Key" });
  // It was written by the same endpoint.
  return { answer: before.answer as T, recorded: nothingChanged() };
}

const scopeOf = ({ endpoint, caller }: StartRequest) => `${endpoint} ${principalOf(caller)}`;
const hashOf = ({ content }: StartRequest) => createHash("sha256").update(JSON.stringify(content)).digest();

/** A few at each start, so that the table stays small without a job of its own. */
async function forgetOld(tx: Tx): Promise<void> {
  await sql`delete from idempotent_starts where (scope, key) in (
    select scope, key from idempotent_starts where created_at < now() - interval '1 day'
     limit 20 for update skip locked)`.execute(tx);
}
