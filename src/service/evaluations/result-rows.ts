import { sql } from "kysely";
import type { End } from "../engine/kind.ts";
import { storableText, toJson } from "../store/json.ts";
import type { Tx } from "../store/store.ts";
import { storedVerdict, verdict } from "./verdict.ts";

/** Of the words why an evaluation failed. */
const errorCharacters = 4_096;

/** Shows that the evaluation runs; nothing where its row is gone. */
export async function beginResult(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable("evaluation_results")
    .set({ status: "running" })
    .where("id", "=", id)
    .where("status", "=", "queued")
    .execute();
}

/** Takes back an evaluation that has not begun. */
export async function dropResult(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom("evaluation_results").where("id", "=", id).where("status", "=", "queued").execute();
}

/** Writes how an evaluation ended, in the transaction that ends its execution. */
export async function endResult(tx: Tx, id: string, end: End): Promise<void> {
  const open = tx
    .updateTable("evaluation_results")
    .where("id", "=", id)
    .where("status", "in", ["queued", "running"]);
  if (end.type !== "done") {
    const why = end.type === "failed" ? end.error : "It was stopped.";
    await open
      .set({
        status: "failed",
        error: storableText(why).slice(0, errorCharacters),
        finished_at: sql<Date>`now()`,
      })
      .execute();
    return;
  }
  const found = verdict.safeParse(end.result);
  // Dropped before it began: there is no row any more.
  if (!found.success) return;
  await sql`
    delete from evaluation_results old using evaluation_results new
     where new.id = ${id} and old.id = new.replaces`.execute(tx);
  const { grade, tags } = found.data;
  await open
    .set({
      status: "completed",
      grade,
      tags: toJson(tags),
      result: toJson(storedVerdict.parse(found.data)),
      replaces: null,
      finished_at: sql<Date>`now()`,
    })
    .execute();
}
