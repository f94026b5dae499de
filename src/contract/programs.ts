import * as z from "zod/mini";
import { aName } from "./admin.ts";
import { person } from "./console.ts";
import { endpoint } from "./define.ts";
import { list } from "./limits.ts";
import { openEnum } from "./open-enum.ts";
import { scopes } from "./scopes.ts";
import { count, nextCursor, page, text, utcTime } from "./wire.ts";

/** What every endpoint about programs has in common: their sign-in itself is OAuth 2.1 and stands outside the table. */
const ofPrograms = { tier: "own", capability: "programs", section: "Programs" } as const;

const inScopes = z.array(openEnum(scopes));

/** A program that asks to act for people. */
const programFacts = {
  /** A client id: `prog_…`, or the address of its metadata document. */
  id: z.string(),
  name: z.string(),
  /** `registered`: an admin here has named it. `document`: its name is its own word; only `host` is certain. */
  kind: openEnum(["registered", "document"]),
  /** The host of its metadata document; null of a registered one. */
  host: z.nullable(z.string()),
};

/** A program as admins see it. */
export const program = z.object({
  ...programFacts,
  redirect_uris: z.array(z.string()),
  /** Whether it proves itself by a secret. */
  confidential: z.boolean(),
  created_at: utcTime,
  /** How many people let it in now. */
  connections: count,
});
export type Program = z.output<typeof program>;

/** A program that a person has let in. */
export const connectedProgram = z.object({
  id: z.string(),
  program: z.object(programFacts),
  scopes: inScopes,
  created_at: utcTime,
  /** To the minute; null: not yet. */
  last_used_at: z.nullable(utcTime),
  /** When it ends if it is not used again. */
  expires_at: utcTime,
});
export type ConnectedProgram = z.output<typeof connectedProgram>;

/** A browser brings back what it got when the program sent it here, so that nobody is asked for what another browser began. */
const ofBrowser = z.object({ cookie: z.optional(z.string()) });
const byRequest = z.object({ request_id: text });

/**
 * Own: what a program asks of the person. `program_refused` where its metadata document cannot be read, or does not have
 * the address that it wants to be answered at; `not_found` after ten minutes, once it was answered, and in another browser.
 */
export const getProgramRequest = endpoint({
  ...ofPrograms,
  name: "getProgramRequest",
  summary: "What a program asks to be let do",
  method: "GET",
  path: "/programs/requests/{request_id}",
  kind: "read",
  setsCookie: true,
  headers: ofBrowser,
  params: byRequest,
  response: z.object({
    program: z.object(programFacts),
    /** Where the browser goes with the answer: a host, `this device`, or the scheme of an app. */
    answers_to: z.string(),
    scopes: inScopes,
    user: person,
    expires_at: utcTime,
  }),
  errors: ["not_found", "program_refused"],
});

/**
 * Own: lets the program in, or not. The browser goes to `redirect_url` in both cases; a code in it works once, for a minute.
 * `invalid_parameter` for scopes that were not asked for, or none at all.
 */
export const answerProgramRequest = endpoint({
  ...ofPrograms,
  name: "answerProgramRequest",
  summary: "Let a program in, or not",
  method: "POST",
  path: "/programs/requests/{request_id}",
  kind: "write",
  setsCookie: true,
  headers: ofBrowser,
  params: byRequest,
  body: z.object({
    allow: z.boolean(),
    /** Which of the scopes that it asks for it is let have; without it all of them. */
    scopes: z.nullish(list(z.enum(scopes), scopes.length)),
  }),
  response: z.object({ redirect_url: z.string() }),
  errors: ["not_found", "program_refused"],
});

/** Own: the programs that the caller has let in, newest first; with `user_id` another person's, for admins of the installation. */
export const listConnectedPrograms = endpoint({
  ...ofPrograms,
  name: "listConnectedPrograms",
  summary: "Which programs someone has let in",
  method: "GET",
  path: "/programs",
  kind: "read",
  query: z.object({ user_id: z.optional(text), ...page }),
  response: z.object({ connections: z.array(connectedProgram), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/** Own: the next request of the program for this person is refused. For the person and admins of the installation. */
export const endConnectedProgram = endpoint({
  ...ofPrograms,
  name: "endConnectedProgram",
  summary: "End what a program may do for somebody",
  method: "DELETE",
  path: "/programs/{connection_id}",
  kind: "write",
  params: z.object({ connection_id: text }),
  response: "none",
  status: 204,
  errors: ["not_found"],
});

/** Own: the programs that may ask people here, newest first. */
export const listPrograms = endpoint({
  ...ofPrograms,
  name: "listPrograms",
  summary: "List programs",
  method: "GET",
  path: "/admin/programs",
  kind: "read",
  query: z.object({ ...page }),
  response: z.object({ programs: z.array(program), next_cursor: nextCursor }),
  conditional: true,
  errors: ["invalid_page_size", "invalid_cursor"],
});

/**
 * Own: makes a program known. Addresses are compared as text: `https:`, `http:` of this device (`127.0.0.1`, `[::1]`,
 * `localhost`, with any port), or an app's own scheme with a dot. `secret` is in this answer and nowhere else.
 */
export const registerProgram = endpoint({
  ...ofPrograms,
  name: "registerProgram",
  summary: "Register a program",
  method: "POST",
  path: "/admin/programs",
  kind: "write",
  body: z.object({
    name: aName,
    redirect_uris: list(text, 20).check(z.minLength(1, "must not be empty")),
    /** Whether it runs where it can keep a secret. */
    confidential: z.nullish(z.boolean()),
  }),
  response: z.object({ program, secret: z.nullable(z.string()) }),
});

/** Own: it is refused from now on, with all that people have let it do; one of a metadata document stays refused. */
export const removeProgram = endpoint({
  ...ofPrograms,
  name: "removeProgram",
  summary: "Remove a program",
  method: "DELETE",
  path: "/admin/programs/{program_id}",
  kind: "write",
  params: z.object({ program_id: text }),
  response: "none",
  status: 204,
  errors: ["not_found"],
});
