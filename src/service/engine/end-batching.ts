import type { Kysely } from "kysely";
import { grouped } from "../store/grouped.ts";
import type { Database } from "../store/schema.ts";
import type { Kinds } from "./end-and-kill.ts";
import {
  type Ended,
  type ExecutionEnd,
  endExecutions,
  endInOneStatement,
  valuesOfEnd,
} from "./end-executions.ts";
import type { Kind } from "./kind.ts";
import { toExecution } from "./rows.ts";

/** What enders are told, and whom they tell. */
interface EndingTogether {
  /** Whose it is: one of theirs holds up no other's. */
  readonly tenantOf: (id: string) => string;
  /** Called for each, once that is committed. */
  readonly onEnded: (kind: string, outcome: Ended) => void;
  /** See `WorkerContext`. */
  readonly giveWay: (id: string) => Promise<void>;
}

/** Ends executions that are alone in their trees. What belongs to the end of one kind holds up no other. */
export function createEnders(
  db: Kysely<Database>,
  kinds: Kinds,
  { giveWay, onEnded, tenantOf }: EndingTogether,
): (kind: string, end: ExecutionEnd) => Promise<boolean> {
  const enders = new Map<string, ReturnType<typeof createEnder>>();
  return async (kind, mine) => {
    await giveWay(mine.claim.id);
    const ender =
      enders.get(kind) ??
      createEnder(db, kinds[kind], { tenantOf, onEnded: (outcome) => onEnded(kind, outcome) });
    enders.set(kind, ender);
    return ender(mine);
  };
}

/**
 * Ends executions of one kind that are alone in their trees, with others of the same moment: in one statement, and those for
 * which `endsApart` holds in a transaction of their own, with what `ended` writes.
 * @returns whether it was still ours
 */
function createEnder(
  db: Kysely<Database>,
  kind: Kind | undefined,
  { tenantOf, onEnded }: Pick<EndingTogether, "tenantOf"> & { onEnded: (outcome: Ended) => void },
): (end: ExecutionEnd) => Promise<boolean> {
  const tellOf = (ends: readonly ExecutionEnd[], isEnded: (id: string) => boolean) => {
    for (const { claim, outcome } of ends) if (isEnded(claim.id)) onEnded(outcome);
  };
  const ofEnd = { tenantOf: ({ claim }: ExecutionEnd) => tenantOf(claim.id), valuesOf: valuesOfEnd };
  const together = grouped(async (ends: readonly ExecutionEnd[]) => {
    const found = await endInOneStatement(db, ends, kind?.endsApart);
    tellOf(ends, (id) => found.get(id) === "ended");
    return new Map(ends.map((end) => [end, found.get(end.claim.id)]));
  }, ofEnd);
  const apart = grouped(async (ends: readonly ExecutionEnd[]) => {
    const rows = await db.transaction().execute(async (tx) => {
      const ended = new Map((await endExecutions(tx, ends)).map((row) => [row.id, row]));
      for (const { claim, outcome } of ends) {
        const row = ended.get(claim.id);
        if (row !== undefined) await kind?.ended?.(tx, toExecution(row), outcome);
      }
      return ended;
    });
    tellOf(ends, (id) => rows.has(id));
    return new Map(ends.map((end) => [end, rows.has(end.claim.id)]));
  }, ofEnd);
  return async (end) => {
    const how = await together(end);
    return how === "apart" ? (await apart(end)) === true : how === "ended";
  };
}
