import { randomIds } from "../service/context.ts";
import { createKey, type KeyOwner } from "../service/credentials/keys.ts";
import type { Store } from "../service/store/store.ts";

/**
 * People and teams for tests that load no workspace: `user_ann` and `user_ben` in `team_one`, `user_cat` in `team_two`,
 * `user_dan` in none, on the free plan.
 */
export async function addPeople({ db }: Store): Promise<void> {
  const person = (id: string, plan: "pro" | "free") => {
    const name = id.replace("user_", "");
    return {
      id,
      plan,
      email: `${name}@example.com`,
      first_name: name,
      last_name: "Test",
      profile_picture: null,
    };
  };
  await db
    .insertInto("users")
    .values([
      ...["user_ann", "user_ben", "user_cat"].map((id) => person(id, "pro")),
      person("user_dan", "free"),
    ])
    .execute();
  await db
    .insertInto("teams")
    .values([
      { id: "team_one", name: "One", plan: "pro" },
      { id: "team_two", name: "Two", plan: "pro" },
    ])
    .execute();
  await db
    .insertInto("team_members")
    .values([
      { team_id: "team_one", user_id: "user_ann" },
      { team_id: "team_one", user_id: "user_ben" },
      { team_id: "team_two", user_id: "user_cat" },
    ])
    .execute();
}

/** @returns the secret of a new key */
export async function keyOf({ db }: Store, owner: KeyOwner): Promise<string> {
  return (await createKey(db, randomIds, owner, "made for a test")).secret;
}
