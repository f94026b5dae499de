import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Context } from "../service/context.ts";
import { putArtifact, putConversation, putExecution, putFile, removeBy } from "./retention.ts";
import { startService, type TestService } from "./service.ts";

/** A service that does no work by itself, for the tests of one file; each begins with nothing that ever ran. */
export function retentionSuite() {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ work: false });
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    await sql`truncate executions, interactions, log_lines, removed_logs, tombstone_segments cascade`.execute(
      db(),
    );
  });
  const db = () => service.context.store.db;
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await service.call(service.keys.ada, method, path, body);
    const said = await answer.text();
    return { status: answer.status, body: said === "" ? null : JSON.parse(said) };
  };
  const all = async (table: "executions" | "interactions") =>
    (await db().selectFrom(table).select("id").orderBy("id").execute()).map(({ id }) => id);
  return {
    service: () => service,
    context: () => service.context,
    db,
    /** Deletes by these rules what is too old. */
    remove: (rules: Parameters<typeof removeBy>[1]) => removeBy(service.context, rules),
    put: (run: Parameters<typeof putExecution>[1]) => putExecution(service.context, run),
    talk: (conversation: Parameters<typeof putConversation>[1]) =>
      putConversation(service.context, conversation),
    file: (run: string, id: string) => putFile(service.context, run, id),
    artifact: (conversation: string, id: string) => putArtifact(service.context, conversation, id),
    /** Opens an artifact to whoever has its link. */
    share: (id: string) =>
      db()
        .updateTable("artifacts")
        .set({ link_mode: "anyone", link_id: `link_${id}`, link_role: "viewer" })
        .where("id", "=", id)
        .execute(),
    /** As Ada. */
    call,
    keep: (path: string, kept = true) => call("PUT", `${path}/keep`, { kept }),
    runs: () => all("executions"),
    talks: () => all("interactions"),
    bytes: async (id: string) => {
      const stream = await service.context.files.read(id);
      return stream === null ? null : await text(stream);
    },
    count: async (table: string) => {
      const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(db());
      return Number(rows[0]?.n);
    },
    /** The service, whose process dies where it would begin the transaction after so many. */
    crashAfter(transactions: number): Context {
      let left = transactions;
      const { context } = service;
      const dying = new Proxy(context.store.db, {
        get(target, key) {
          if (key === "transaction" && left-- === 0) throw new Error("the process is gone");
          const value: unknown = Reflect.get(target, key, target);
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      return { ...context, store: { ...context.store, db: dying } };
    },
  };
}
