import type { Readable } from "node:stream";
import type { Endpoint, Input, Output } from "../../contract/define.ts";
import type { InstallationRole, TeamRole } from "../../contract/roles.ts";
import type { Scope } from "../../contract/scopes.ts";
import type { Recorded } from "../audit/record.ts";
import type { Context } from "../context.ts";

/** Who asks, as the credential proves it (§5). A request's own `user_id` or `project_id` is never proof of anything. */
export type Caller =
  | {
      readonly kind: "personal" | "token";
      readonly credentialId: string;
      readonly userId: string;
      /** What this person is in the whole installation, at the time of the request. */
      readonly role: InstallationRole;
      /** The teams of this person at the time of the request, */
      readonly teamIds: readonly string[];
      /** and the role in each. */
      readonly teamRoles: ReadonlyMap<string, TeamRole>;
      /** What the program may do whose access token it is; absent: it is the person's own credential. */
      readonly scopes?: readonly Scope[];
      /** That program, as the person's connection to it; absent where `scopes` is. */
      readonly program?: ActingProgram;
    }
  | {
      readonly kind: "team";
      readonly credentialId: string;
      readonly teamId: string;
      /** The people for whom this key may act at the time of the request. */
      readonly memberIds: readonly string[];
    };

/** A program that acts for a person: the id of the connection that it was let have, and how it is called. */
export interface ActingProgram {
  readonly id: string;
  readonly name: string;
}

/** One request after the credential held and every part was parsed by the endpoint's schemas. */
export interface Request<E extends Endpoint> extends Input<E> {
  /** Null on endpoints that need no credential. */
  readonly caller: E["auth"] extends "none" ? null : Caller;
  readonly requestId: string;
  /** Lower-case names. Credentials, cookies and what belongs to one connection are already taken out. */
  readonly headers: ReadonlyMap<string, string>;
  /** The body's text exactly as sent; "" without a body (§4.3 rule 1). */
  readonly rawBody: string;
  /** The value of `If-None-Match`, for endpoints that are `conditional`. */
  readonly ifNoneMatch: string | null;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** The socket's own address; forwarding headers are never believed. */
  readonly remoteAddress: string;
}

/** How to find out whether an answer may be given again; neither: it may not. */
export interface Lasting {
  readonly holds?: () => boolean;
  readonly unchanged?: () => Promise<boolean>;
}

/**
 * What a handler answers. The HTTP room turns it into a response and never looks into the body.
 * `holds`: says, when a moment of the store was asked for, whether the same caller would get the same answer to the same
 * address then, so that it is given again without asking the handler. `unchanged` says so by a read of its own, that begins
 * when it is called.
 */
export type Reply<E extends Endpoint> =
  | {
      readonly type: "body";
      readonly body: Output<E>;
      readonly etag?: Tag<E>;
      readonly cookie?: true extends E["setsCookie"] ? Cookie : never;
    }
  /** A body that is already JSON text, for answers that are served again and again; must equal what the schema says. */
  | ({ readonly type: "json"; readonly json: string; readonly etag?: Tag<E> } & Lasting)
  /** The same text in pieces, where it may have any length: the next one is made when the client has taken the one before. */
  | ({ readonly type: "pieces"; readonly pieces: AsyncIterable<string>; readonly etag?: Tag<E> } & Lasting)
  | ({ readonly type: "not-modified"; readonly etag: Tag<E> } & Lasting)
  | {
      readonly type: "stream";
      readonly stream: Readable;
      readonly mediaType: string;
      readonly filename: string;
    }
  | { readonly type: "none" };

/** What a browser is to bring back to one path: of this browser alone, and nothing that a script can read. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** Only a `conditional` endpoint may answer with one; without one it is that of the body. */
type Tag<E extends Endpoint> = true extends E["conditional"] ? string : never;

/** A reply; that of a write comes with the proof that what was changed is in the audit log. */
export type Answered<E extends Endpoint> = Reply<E> &
  (E["kind"] extends "write" ? { readonly recorded: Recorded } : unknown);

/** The function behind one endpoint. Pure of HTTP: it throws a `ServiceError` of the catalogue, or replies. */
export interface Handler<E extends Endpoint> {
  (context: Context, request: Request<E>): Promise<Answered<E>>;
  /**
   * Begins to read what the answer needs while the credential is looked up, for endpoints that are called all the time.
   * @param search the query as sent: nothing of it is checked yet
   * @returns the same handler, which uses what was read
   */
  readonly ahead?: (context: Context, search: URLSearchParams) => Handler<E>;
}

/** One function for each endpoint of a table: forgetting one is a compile error. */
export type Handlers<Table extends Record<string, Endpoint>> = {
  readonly [K in keyof Table]: Handler<Table[K]>;
};
