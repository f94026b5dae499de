import { randomIds } from "../../service/context.ts";
import { createKey, revokeKey } from "../../service/credentials/keys.ts";
import { createSignInToken, exchangeSignInToken } from "../../service/credentials/sign-in.ts";
import type { Store } from "../../service/store/store.ts";
import { addPeople, keyOf } from "../people.ts";

/** Credentials that hold, in the order of the columns of every table in `operations.ts`. */
export const columns = ["owner", "token", "mate", "outsider", "team", "otherTeam"] as const;
export type Column = (typeof columns)[number];

/** Credentials that do not, and which answer each gets wherever a credential is needed (§5). */
export const invalidCredentials = {
  none: "missing_credential",
  malformed: "invalid_credentials",
  invalid: "invalid_credentials",
  revoked: "invalid_credentials",
  expired: "invalid_credentials",
  belowPlan: "plan_upgrade_required",
} as const;
export type InvalidCredential = keyof typeof invalidCredentials;

/** Who asks: what a well-meant request says of itself. */
export interface Principal {
  readonly column: Column;
  /** Null for a team key. */
  readonly userId: string | null;
  /** The team of a team key; null for people. */
  readonly teamId: string | null;
  /** An agent that this credential may start. */
  readonly agent: string;
}

/**
 * `owner` and `token` are Ann, by key and by access token; `mate` is Ben of her team, `outsider` Cat of another one.
 * Fay of the one team and Gil of the other own what is their teams', so that no column owns it by itself.
 */
export const principals: Readonly<Record<Column, Principal>> = {
  owner: { column: "owner", userId: "user_ann", teamId: null, agent: "agent_ann" },
  token: { column: "token", userId: "user_ann", teamId: null, agent: "agent_ann" },
  mate: { column: "mate", userId: "user_ben", teamId: null, agent: "agent_ben" },
  outsider: { column: "outsider", userId: "user_cat", teamId: null, agent: "agent_cat" },
  team: { column: "team", userId: null, teamId: "team_one", agent: "agent_one" },
  otherTeam: { column: "otherTeam", userId: null, teamId: "team_two", agent: "agent_two" },
};

/** What a request says of itself where it says the truth: a person's id, or the team of a team key. */
export function claim({ userId, teamId }: Principal): Record<string, string> {
  return userId === null ? { project_id: teamId ?? "" } : { user_id: userId };
}

/** Whose an object is, seen from Ann. */
export const owners = {
  own: { userId: "user_ann", teamId: null },
  team: { userId: "user_fay", teamId: "team_one" },
  theirs: { userId: "user_cat", teamId: null },
  otherTeams: { userId: "user_gil", teamId: "team_two" },
} as const;

/** Adds Fay and Gil to the people of `addPeople`, and makes a credential of every kind. */
export async function addCredentials(
  store: Store,
): Promise<Record<Column | InvalidCredential, string | null>> {
  await addPeople(store);
  const { db } = store;
  const names = { last_name: "Test", profile_picture: null, plan: "pro" as const };
  await db
    .insertInto("users")
    .values([
      { id: "user_fay", email: "fay@example.com", first_name: "fay", ...names },
      { id: "user_gil", email: "gil@example.com", first_name: "gil", ...names },
    ])
    .execute();
  await db
    .insertInto("team_members")
    .values([
      { team_id: "team_one", user_id: "user_fay" },
      { team_id: "team_two", user_id: "user_gil" },
    ])
    .execute();
  const person = (id: string) => keyOf(store, { kind: "person", id });
  const tokenOf = async (id: string) =>
    (await exchangeSignInToken(store, randomIds, await createSignInToken(store, id))).accessToken;
  const revoked = await createKey(db, randomIds, { kind: "person", id: "user_ann" }, "revoked");
  await revokeKey(db, revoked.id);
  const expired = await tokenOf("user_ann");
  await db
    .updateTable("credentials")
    .set({ expires_at: new Date(0) })
    .where("kind", "=", "token")
    .execute();
  const belowPlan = await person("user_fay");
  await db.updateTable("users").set({ plan: "free" }).where("id", "=", "user_fay").execute();
  return {
    owner: await person("user_ann"),
    token: await tokenOf("user_ann"),
    mate: await person("user_ben"),
    outsider: await person("user_cat"),
    team: await keyOf(store, { kind: "team", id: "team_one" }),
    otherTeam: await keyOf(store, { kind: "team", id: "team_two" }),
    none: null,
    malformed: "",
    invalid: `${revoked.secret.slice(0, -6)}000000`,
    revoked: revoked.secret,
    expired,
    belowPlan,
  };
}
