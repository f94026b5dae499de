import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { brokenInvariants } from "../../testing/engine.ts";
import { until } from "../../testing/until.ts";
import { killableWorkers } from "../../testing/worker.ts";

const { app: service, startWorker } = killableWorkers();

describe("S-02: kill -9 of the worker while documents are indexed", () => {
  it("leaves each document indexed once and paid once", async () => {
    const app = service();
    const { body } = await app.call("kim", "POST", "/brain/sources", { name: "Notes" });
    const { id } = body.source;
    const documents = 80;
    const files = Array.from({ length: documents }, (_, index) => ({
      file_name: `${index}.md`,
      file_content: Buffer.from(`Note ${index}. ${"The tide turns at six. ".repeat(300)}`).toString("base64"),
    }));
    await app.call("kim", "POST", `/brain/sources/${id}/files`, { files });
    const { db } = app.context.store;
    const indexed = async () => {
      const rows = await db
        .selectFrom("knowledge_files")
        .select("id")
        .where("status", "=", "indexed")
        .execute();
      return rows.length;
    };
    // Nobody gets beyond the last document before the first worker is dead, however late we see the others.
    const held = await app.context.store.pool.connect();
    await held.query("begin; set local idle_in_transaction_session_timeout = 0");
    const last = "select from knowledge_files where source_id = $1 and file_name = $2 for no key update";
    expect((await held.query(last, [id, `${documents - 1}.md`])).rowCount).toBe(1);
    const first = await startWorker();
    await until("some are indexed", async () => (await indexed()) >= 3);
    const gone = once(first, "exit");
    first.kill("SIGKILL");
    await gone;
    expect(await indexed()).toBeLessThan(documents);
    await held.query("rollback");
    held.release();
    await startWorker();
    await until("all are indexed", async () => (await indexed()) === documents, 120_000);
    const credits = await db.selectFrom("credits").select(["content_id", "amount"]).execute();
    const contents = await db.selectFrom("knowledge_files").select(["content_id", "credits"]).execute();
    const byId = (rows: readonly { content_id: string | null }[]) =>
      [...rows].sort((a, b) => (a.content_id ?? "").localeCompare(b.content_id ?? ""));
    expect(byId(credits)).toEqual(
      byId(contents.map(({ content_id, credits: amount }) => ({ content_id, amount }))),
    );
    const { rows } = await app.context.store.pool.query(
      "select file_id from knowledge_passages group by file_id having count(*) = max(seq)",
    );
    expect(rows).toHaveLength(documents);
    await until("the end of the execution", async () => {
      const open = await db.selectFrom("executions").select("id").where("finished_at", "is", null).execute();
      return open.length === 0;
    });
    expect(await brokenInvariants(app.context.store)).toEqual([]);
  }, 300_000);
});
