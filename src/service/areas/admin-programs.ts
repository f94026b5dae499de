import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Program as ShownProgram } from "../../contract/programs.ts";
import { changesOf } from "../audit/changes.ts";
import { record } from "../audit/record.ts";
import { randomText } from "../context.ts";
import { hashSecret } from "../credentials/key.ts";
import { endConnections } from "../oauth/connections.ts";
import type { Program } from "../oauth/programs.ts";
import { isRedirect } from "../oauth/redirects.ts";
import { requireAdmin } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import type { Handlers } from "./handler.ts";
import { fetchPage, newestFirst, timeKey } from "./page.ts";
import { showProgram } from "./programs.ts";

type AdminPrograms = Pick<Handlers<typeof endpoints>, "listPrograms" | "registerProgram" | "removeProgram">;

const show = (row: Program, connections: number): ShownProgram => ({
  ...showProgram(row),
  redirect_uris: [...row.redirect_uris],
  confidential: row.secret_hash !== null,
  created_at: row.created_at.toISOString(),
  connections,
});

/** Own: newest first. */
const listPrograms: AdminPrograms["listPrograms"] = async ({ store: { db } }, { caller, query }) => {
  requireAdmin(caller);
  const list = "programs";
  const rows = db
    .selectFrom("oauth_programs as p")
    .selectAll()
    .select(timeKey("p.created_at").as("key"))
    .select(
      sql<number>`(select count(*)::int from oauth_connections o where o.program_id = p.id
        and o.ended_at is null and o.begun_at is not null and o.expires_at > now())`.as("connections"),
    )
    .where("p.removed_at", "is", null);
  const page = await fetchPage(rows, list, newestFirst(sql`p.created_at`, sql`p.id`), query);
  const programs = page.rows.map((row) => show(row, row.connections));
  return { type: "body", body: { programs, next_cursor: page.next_cursor } };
};

/** Own: the secret goes out once. */
const registerProgram: AdminPrograms["registerProgram"] = async ({ store: { db }, ids }, request) => {
  const { caller, body } = request;
  requireAdmin(caller);
  const wrong = body.redirect_uris.findIndex((uri) => !isRedirect(uri));
  if (wrong !== -1)
    throw new ServiceError("invalid_parameter", {
      message:
        "An address must begin with https://, with http:// of this device (127.0.0.1, [::1] or localhost), or with an app's own scheme such as com.example.app:/, and must be written in full: without a fragment, user name or wildcard.",
      param: `redirect_uris.${wrong}`,
    });
  const name = storableText(body.name);
  const secret = body.confidential === true ? `wh_program_${randomText(43)}` : null;
  const redirect_uris = [...new Set(body.redirect_uris)];
  const { row, recorded } = await db.transaction().execute(async (tx) => {
    const row = await tx
      .insertInto("oauth_programs")
      .values({
        ...{ id: ids.make("prog"), kind: "registered", name, redirect_uris },
        secret_hash: secret === null ? null : hashSecret(secret),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    const recorded = await record(tx, request, {
      action: "program.register",
      object: { kind: "program", id: row.id, name },
      changes: changesOf("program", null, { name, redirect_uris, confidential: secret !== null }),
    });
    return { row, recorded };
  });
  return { type: "body", body: { program: show(row, 0), secret }, recorded };
};

/** Own: what people have let it do ends in the same transaction. */
const removeProgram: AdminPrograms["removeProgram"] = async ({ store: { db } }, request) => {
  requireAdmin(request.caller);
  const recorded = await db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable("oauth_programs")
      .set({ removed_at: sql<Date>`now()` })
      .where("id", "=", storableText(request.params.program_id))
      .where("removed_at", "is", null)
      .returning(["id", "name"])
      .executeTakeFirst();
    if (row === undefined)
      throw new ServiceError("not_found", { message: "There is no such program.", param: "program_id" });
    await endConnections(tx, { program_id: row.id });
    const object = { kind: "program", id: row.id, name: row.name } as const;
    return await record(tx, request, { action: "program.remove", object });
  });
  return { type: "none", recorded };
};

export const adminProgramHandlers: AdminPrograms = { listPrograms, registerProgram, removeProgram };
