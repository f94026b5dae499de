import { sql } from "kysely";
import type { endpoints } from "../../contract/endpoints.ts";
import type { Scope } from "../../contract/scopes.ts";
import { changesOf } from "../audit/changes.ts";
import { nothingChanged, record } from "../audit/record.ts";
import type { Context } from "../context.ts";
import { requireMakerOutlives } from "../credentials/maker-end.ts";
import { endConnections, makeConnection } from "../oauth/connections.ts";
import { MetadataDocumentError } from "../oauth/metadata-document.ts";
import type { Program } from "../oauth/programs.ts";
import { matchesRedirect, placeOfRedirect, redirectWith } from "../oauth/redirects.ts";
import { type PendingRequest, readRequest, requestCookie, takeRequest } from "../oauth/requests.ts";
import { requireAdmin, requirePerson } from "../permission/roles.ts";
import { ServiceError } from "../service-error.ts";
import { storableText } from "../store/json.ts";
import { personById } from "./console.ts";
import type { Cookie, Handlers } from "./handler.ts";
import { fetchPage, newestFirst, timeKey } from "./page.ts";

type Programs = Pick<
  Handlers<typeof endpoints>,
  "getProgramRequest" | "answerProgramRequest" | "listConnectedPrograms" | "endConnectedProgram"
>;

/** What everyone sees of a program. */
export function showProgram({ id, name, kind }: Pick<Program, "id" | "name" | "kind">) {
  return { id, name, kind, host: kind === "document" ? new URL(id).host : null };
}

const noRequest = () =>
  new ServiceError("not_found", {
    message: "This request was answered, has expired after ten minutes, or was begun in another browser.",
    param: "request_id",
  });

/** What the browser brings of a request: its id, and the cookie that it was sent here with. */
function opened({ publicUrl }: Context, id: string, cookies: string | undefined) {
  const name = requestCookie(id, publicUrl);
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim().split("=", 2));
  return { id, browser: pairs.find(([each]) => each === name)?.[1] ?? "" };
}

/**
 * The program that asks, as it is now.
 * @throws ServiceError `program_refused` where it is not known any more, cannot be read, or has another address
 */
async function programOf({ programs }: Context, asked: PendingRequest): Promise<Program> {
  const program = await programs.find(asked.program_id).catch((error: unknown) => {
    if (!(error instanceof MetadataDocumentError)) throw error;
    throw new ServiceError("program_refused", { message: error.message });
  });
  if (program === null)
    throw new ServiceError("program_refused", { message: "This program was removed by an admin." });
  if (!matchesRedirect(program.redirect_uris, asked.redirect_uri))
    throw new ServiceError("program_refused", {
      message: "This program wants to be answered at an address that is not its own.",
    });
  return program;
}

/** Own. */
const getProgramRequest: Programs["getProgramRequest"] = async (context, request) => {
  const { userId } = requirePerson(request.caller);
  const { params, headerFields } = request;
  const asked = await readRequest(context.store, opened(context, params.request_id, headerFields.cookie));
  if (asked === null) throw noRequest();
  const program = await programOf(context, asked);
  return {
    type: "body",
    body: {
      program: showProgram(program),
      answers_to: placeOfRedirect(asked.redirect_uri),
      scopes: [...asked.scopes],
      user: await personById(context, userId),
      expires_at: asked.expires_at.toISOString(),
    },
  };
};

/**
 * What the person lets it have of what it asks for; of a refusal what it asked for.
 * @throws ServiceError `invalid_parameter` where that is more, or nothing
 */
function givenScopes(
  asked: readonly Scope[],
  { allow, scopes }: { allow: boolean; scopes?: readonly Scope[] | null | undefined },
) {
  if (!allow || scopes == null) return asked;
  const given = asked.filter((scope) => scopes.includes(scope));
  if (given.length > 0 && scopes.every((scope) => given.includes(scope))) return given;
  const message = `scopes must be some of what the program asks for: ${asked.join(" ")}.`;
  throw new ServiceError("invalid_parameter", { message, param: "scopes" });
}

/** Own: the request is gone with the answer, whichever it is. */
const answerProgramRequest: Programs["answerProgramRequest"] = async (context, request) => {
  const { userId } = requirePerson(request.caller);
  const { params, headerFields, body } = request;
  const { store, ids, publicUrl } = context;
  const browser = opened(context, params.request_id, headerFields.cookie);
  const found = await readRequest(store, browser);
  if (found === null) throw noRequest();
  const program = await programOf(context, found);
  const { answer, recorded } = await store.db.transaction().execute(async (tx) => {
    const asked = await takeRequest(tx, browser);
    if (asked === null) throw noRequest();
    const about = { kind: "program", name: program.name } as const;
    const scopes = givenScopes(asked.scopes, body);
    const changes = changesOf("program", null, { program: program.id, scopes: scopes.join(" ") });
    if (!body.allow) {
      const event = { action: "program.refuse", object: { ...about, id: program.id }, changes } as const;
      const answer = { error: "access_denied", error_description: "The person said no." };
      return { answer, recorded: await record(tx, request, event) };
    }
    await requireMakerOutlives(tx, request.caller, { days: null, param: "allow" });
    const { id, code } = await makeConnection(tx, ids, userId, { ...asked, scopes });
    const event = { action: "program.allow", object: { ...about, id }, changes } as const;
    return { answer: { code }, recorded: await record(tx, request, event) };
  });
  const location = redirectWith(found.redirect_uri, publicUrl, { ...answer, state: found.state });
  const cookie: Cookie = {
    ...{ name: requestCookie(params.request_id, publicUrl), value: "" },
    ...{ path: "/", maxAgeSeconds: 0 },
  };
  return { type: "body", body: { redirect_url: location }, cookie, recorded };
};

/** Own: newest first. */
const listConnectedPrograms: Programs["listConnectedPrograms"] = async (
  { store: { db } },
  { caller, query },
) => {
  const { userId } = requirePerson(caller);
  const of = query.user_id ?? userId;
  if (of !== userId) requireAdmin(caller, "user_id");
  const list = `connections:${of}`;
  const rows = db
    .selectFrom("oauth_connections as o")
    .innerJoin("oauth_programs as p", "p.id", "o.program_id")
    .select(["o.id", "o.scopes", "o.created_at", "o.expires_at", "p.id as program_id", "p.name", "p.kind"])
    .select(timeKey("o.created_at").as("key"))
    .select(
      sql<Date | null>`greatest(o.refreshed_at,
        (select max(c.last_used_at) from credentials c where c.connection_id = o.id))`.as("used_at"),
    )
    .where("o.user_id", "=", storableText(of))
    .where("o.ended_at", "is", null)
    .where("o.begun_at", "is not", null)
    .where("o.expires_at", ">", sql<Date>`now()`);
  const page = await fetchPage(rows, list, newestFirst(sql`o.created_at`, sql`o.id`), query);
  const connections = page.rows.map((row) => ({
    id: row.id,
    program: showProgram({ id: row.program_id, name: row.name, kind: row.kind }),
    scopes: [...row.scopes],
    created_at: row.created_at.toISOString(),
    last_used_at: row.used_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  }));
  return { type: "body", body: { connections, next_cursor: page.next_cursor } };
};

/** Own: of two at once the second finds nothing to do. */
const endConnectedProgram: Programs["endConnectedProgram"] = async ({ store: { db } }, request) => {
  const { userId, role } = requirePerson(request.caller);
  const id = storableText(request.params.connection_id);
  const row = await db
    .selectFrom("oauth_connections as o")
    .innerJoin("oauth_programs as p", "p.id", "o.program_id")
    .select(["o.user_id", "p.name"])
    .where("o.id", "=", id)
    .where("o.ended_at", "is", null)
    .executeTakeFirst();
  if (row === undefined || (row.user_id !== userId && role !== "admin"))
    throw new ServiceError("not_found", {
      message: "There is no such connected program.",
      param: "connection_id",
    });
  const recorded = await db.transaction().execute(async (tx) => {
    const ended = await endConnections(tx, { id });
    if (ended.length === 0) return nothingChanged();
    const object = { kind: "program", id, name: row.name } as const;
    return await record(tx, request, { action: "program.end", object });
  });
  return { type: "none", recorded };
};

export const programHandlers: Programs = {
  getProgramRequest,
  answerProgramRequest,
  listConnectedPrograms,
  endConnectedProgram,
};
