import type { ErrorCode } from "../../contract/errors.ts";
import type { ObjectKind, Relation } from "./objects.ts";
import type { Principal } from "./people.ts";

/** What a request is made of, beside the credential. */
export interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Such as a cookie that the browser of whoever asks has. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One question to an operation: the request that asks it, and who gets which answer. */
export interface Question {
  /** What is asked for, where the operation has several questions. */
  readonly about?: string;
  readonly object: ObjectKind;
  readonly asks: (id: string, who: Principal, relation: Relation) => Parts;
  /**
   * A line for each relation, a word for each column: owner, token, mate, outsider, team, otherTeam. A word is `ok`, `-`
   * (a list that answers, but without the object), or an error's code, of which 400, 403 and 404 are short forms.
   */
  readonly rows: Partial<Record<Relation, string>>;
  /**
   * What the short forms stand for here; by default invalid_parameter, forbidden and not_found. With a code for `ok` whoever
   * may see the object hears that it is not possible, and that may leave a trace.
   */
  readonly codes?: Partial<Record<"ok" | "400" | "403" | "404", ErrorCode>>;
  /** `ok` means that the answer names the object. */
  readonly list?: true;
}

/** One's own and one's teams'; of all else there is nothing. */
export const visible = {
  own: "ok ok 404 404 404 404",
  team: "ok ok ok 404 ok 404",
  theirs: "404 404 404 ok 404 404",
  otherTeams: "404 404 404 ok 404 ok",
  absent: "404 404 404 404 404 404",
};
export const listed = {
  own: "ok ok - - - -",
  team: "ok ok ok - ok -",
  theirs: "- - - ok - -",
  otherTeams: "- - - ok - ok",
  absent: "- - - - - -",
};
/** The same, but whoever is refused hears that there is something (§7.1). */
export const refused = {
  own: "ok ok 403 403 403 403",
  team: "ok ok ok 403 ok 403",
  theirs: "403 403 403 ok 403 403",
  otherTeams: "403 403 403 ok 403 ok",
  absent: "404 404 404 404 404 404",
};
export const ofTeams = {
  team: "ok ok ok 404 ok 404",
  otherTeams: "404 404 404 ok 404 ok",
  absent: "404 404 404 404 404 404",
};
/** Files: a team key hears that a member's own need a personal credential (§5.8). */
export const files = {
  ...visible,
  own: "ok ok 404 404 personal_credential_required 404",
  theirs: "404 404 404 ok 404 personal_credential_required",
};
/** Whoever asks, and whosever it is. */
export const nothingThere = {
  own: "404 404 404 404 404 404",
  team: "404 404 404 404 404 404",
  theirs: "404 404 404 404 404 404",
  otherTeams: "404 404 404 404 404 404",
  absent: "404 404 404 404 404 404",
};
/** The same rows, where whoever may see the object hears that this is not possible. */
export const refusedWith = (code: ErrorCode, rows: Question["rows"]): Question["rows"] =>
  Object.fromEntries(Object.entries(rows).map(([relation, row]) => [relation, row.replaceAll("ok", code)]));
/** The same as `visible` for people; a team's key is no person. */
export const byMembers = {
  own: "ok ok 404 404 403 403",
  team: "ok ok ok 404 403 403",
  theirs: "404 404 404 ok 403 403",
  otherTeams: "404 404 404 ok 403 403",
  absent: "404 404 404 404 403 403",
};
export const everybody = { everyones: "ok ok ok ok ok ok" };
export const granted = { granted: "ok ok ok ok ok 404" };
export const noAccess: Parts = {};

export const byAgent = (id: string): Parts => ({ params: { agent_id: id } });
export const ofAgent: Question = { object: "agent", asks: byAgent, rows: visible };
