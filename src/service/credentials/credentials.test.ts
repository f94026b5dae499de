import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { randomIds } from "../context.ts";
import { createGuesses } from "../guessing/guesses.ts";
import { ServiceError } from "../service-error.ts";
import { createGenerations } from "../store/generation.ts";
import { type Attempt, type Authenticator, createAuthenticator } from "./authenticate.ts";
import { isWellFormed, makeSecret } from "./key.ts";
import { createKey, ensureKey, listKeys, revokeKey } from "./keys.ts";
import { readSecret } from "./read-credential.ts";
import { createSignInToken, exchangeSignInToken } from "./sign-in.ts";

let fresh: FreshStore;
let authenticator: Authenticator;
const person = { kind: "person", id: "user_ada" } as const;
const team = { kind: "team", id: "team_harbor" } as const;

beforeAll(async () => {
  fresh = await freshStore();
  authenticator = createAuthenticator(
    fresh.store,
    createGenerations(fresh.store),
    createGuesses(fresh.store, (error) => expect.unreachable(String(error))),
  );
  const { db } = fresh.store;
  const names = { first_name: "A", last_name: "B", profile_picture: null };
  await db
    .insertInto("users")
    .values([
      { id: "user_ada", email: "ada@example.com", plan: "pro", ...names },
      { id: "user_grace", email: "grace@example.com", plan: "pro", ...names },
      { id: "user_free", email: "free@example.com", plan: "free", ...names },
    ])
    .execute();
  await db.insertInto("teams").values({ id: "team_harbor", name: "Harbor", plan: "pro" }).execute();
  const members = ["user_ada", "user_grace"].map((user_id) => ({ team_id: "team_harbor", user_id }));
  await db.insertInto("team_members").values(members).execute();
});
afterAll(() => fresh.drop());

const attempt = async (secret: string | null, more: Partial<Attempt> = {}) =>
  (await authenticator.authenticate({ secret, userHeader: null, endpoint: endpoints.listAgents, ...more }))
    .caller;

async function code(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return "accepted";
}

describe("a key", () => {
  test("has a readable start, 160 random bits and a checksum that finds a typo", () => {
    const { secret, prefix } = makeSecret("personal");
    expect(secret).toMatch(/^wh_personal_[0-9A-Za-z]{27}_[0-9a-f]{6}$/);
    expect(secret.startsWith(prefix)).toBe(true);
    expect(prefix).toHaveLength("wh_personal_".length + 4);
    expect(isWellFormed(secret)).toBe(true);
    const typo = secret.replace(/_(.)(?=[0-9A-Za-z]{26}_)/, (_, first) => `_${first === "a" ? "b" : "a"}`);
    expect(isWellFormed(typo)).toBe(false);
  });

  test("is kept nowhere: the database has its hash and its readable start", async () => {
    const { secret } = await createKey(fresh.store.db, randomIds, person, "mine");
    const { rows } = await fresh.store.pool.query(
      "select to_jsonb(credentials)::text as row from credentials",
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toContain(secret.slice(20));
  });

  test("lets its owner in as itself", async () => {
    const personal = await createKey(fresh.store.db, randomIds, person, "mine");
    expect(await attempt(personal.secret)).toEqual({
      kind: "personal",
      credentialId: personal.id,
      userId: "user_ada",
      role: "member",
      teamIds: ["team_harbor"],
      teamRoles: new Map([["team_harbor", "editor"]]),
    });
    const teams = await createKey(fresh.store.db, randomIds, team, "ours");
    const caller = await attempt(teams.secret);
    expect(caller).toMatchObject({ kind: "team", teamId: "team_harbor" });
    expect(caller.kind === "team" && [...caller.memberIds].sort()).toEqual(["user_ada", "user_grace"]);
  });

  test("S-26: is refused at the next request after it was revoked", async () => {
    const { id, secret } = await createKey(fresh.store.db, randomIds, person, "short-lived");
    expect(await code(attempt(secret))).toBe("accepted");
    expect(await revokeKey(fresh.store.db, id)).toBe(true);
    expect(await code(attempt(secret))).toBe("invalid_credentials");
    expect(await revokeKey(fresh.store.db, id)).toBe(false);
    expect((await listKeys(fresh.store.db)).map((key) => key.id)).not.toContain(id);
    expect((await listKeys(fresh.store.db, { revoked: true })).map((key) => key.id)).toContain(id);
  });

  test("S-26: no longer acts for a team that its person has left", async () => {
    const { secret } = await createKey(
      fresh.store.db,
      randomIds,
      { kind: "person", id: "user_grace" },
      "mine",
    );
    expect(await attempt(secret)).toMatchObject({ teamIds: ["team_harbor"] });
    await fresh.store.db.deleteFrom("team_members").where("user_id", "=", "user_grace").execute();
    expect(await attempt(secret)).toMatchObject({ teamIds: [] });
  });
});

describe("plans (§5.3)", () => {
  test("a key is not made for a person on the free plan, nor for nobody", async () => {
    const db = fresh.store.db;
    expect(await code(createKey(db, randomIds, { kind: "person", id: "user_free" }, "x"))).toBe(
      "plan_upgrade_required",
    );
    expect(await code(createKey(db, randomIds, { kind: "person", id: "user_nobody" }, "x"))).toBe(
      "not_found",
    );
    expect(await code(createKey(db, randomIds, { kind: "team", id: "user_ada" }, "x"))).toBe("not_found");
  });

  test("a key whose owner fell below Pro is refused in words of its own; an access token is not", async () => {
    const { db } = fresh.store;
    const key = await createKey(db, randomIds, person, "mine");
    const session = await exchangeSignInToken(
      fresh.store,
      randomIds,
      await createSignInToken(fresh.store, "user_ada"),
    );
    await db.updateTable("users").set({ plan: "free" }).where("id", "=", "user_ada").execute();
    expect(await code(attempt(key.secret))).toBe("plan_upgrade_required");
    expect(await attempt(session.accessToken)).toMatchObject({ kind: "token", userId: "user_ada" });
    await db.updateTable("users").set({ plan: "pro" }).where("id", "=", "user_ada").execute();
    expect(await code(attempt(key.secret))).toBe("accepted");
  });
});

describe("a key that somebody else chose", () => {
  const secret = "a-key-from-the-environment";

  test("is accepted as it is, also twice", async () => {
    await ensureKey(fresh.store.db, randomIds, person, "WHEELHOUSE_ADA_KEY", secret);
    await ensureKey(fresh.store.db, randomIds, person, "WHEELHOUSE_ADA_KEY", secret);
    expect(await attempt(secret)).toMatchObject({ userId: "user_ada" });
    const mine = (await listKeys(fresh.store.db)).filter((key) => key.name === "WHEELHOUSE_ADA_KEY");
    expect(mine).toHaveLength(1);
    expect(mine[0]?.prefix).toBe("a-key-");
  });

  test("is refused when it is short, has spaces, or belongs to somebody else", async () => {
    const { db } = fresh.store;
    expect(await code(ensureKey(db, randomIds, person, "K", "nineteen-characters"))).toBe(
      "invalid_parameter",
    );
    expect(await code(ensureKey(db, randomIds, person, "K", "with spaces in between"))).toBe(
      "invalid_parameter",
    );
    expect(await code(ensureKey(db, randomIds, team, "K", secret))).toBe("invalid_parameter");
    // A start says nothing but this sentence.
    await expect(ensureKey(db, randomIds, person, "WHEELHOUSE_ADA_KEY", "short")).rejects.toThrow(
      /^WHEELHOUSE_ADA_KEY must be a key of at least \d+ /,
    );
    await expect(ensureKey(db, randomIds, team, "WHEELHOUSE_HARBOR_KEY", secret)).rejects.toThrow(
      /^WHEELHOUSE_HARBOR_KEY must be a key of its own/,
    );
  });
});

describe("S-25: what a request may carry", () => {
  test.each<[string, string | null, readonly string[], string | null]>([
    ["nothing", null, [], null],
    ["a bearer credential", "Bearer abc", [], "abc"],
    ["the scheme in any case", "bEARER abc", [], "abc"],
    ["another scheme is no usable credential", "Basic abc", [], ""],
    ["a scheme without a credential", "Bearer", [], ""],
    ["an empty header", "", [], ""],
    ["a credential in the query", null, ["abc"], "abc"],
    ["the same in both", "Bearer abc", ["abc"], "abc"],
    ["the same header twice", "Bearer abc, Bearer abc", [], "abc"],
  ])("%s", (_, authorization, apiKeys, expected) => {
    expect(readSecret({ authorization, apiKeys })).toBe(expected);
  });

  test.each<[string, string | null, readonly string[]]>([
    ["header and query", "Bearer abc", ["xyz"]],
    ["two headers", "Bearer abc, Bearer xyz", []],
    ["two in the query", null, ["abc", "xyz"]],
    ["a good one and an unusable header", "Basic abc", ["abc"]],
  ])("two that disagree are refused: %s", (_, authorization, apiKeys) => {
    expect(() => readSecret({ authorization, apiKeys })).toThrow(ServiceError);
  });
});

describe("refusals", () => {
  test("no credential, an unknown one and an unusable one", async () => {
    expect(await code(attempt(null))).toBe("missing_credential");
    expect(await code(attempt(""))).toBe("invalid_credentials");
    expect(await code(attempt(makeSecret("personal").secret))).toBe("invalid_credentials");
  });

  test("an unknown one is 403 on start_agent, as §7.1 says", async () => {
    expect(await code(attempt("x", { endpoint: endpoints.startAgent }))).toBe("unauthorized_key");
    expect(await code(attempt(null, { endpoint: endpoints.startAgent }))).toBe("missing_credential");
  });

  test.each([endpoints.updateAgent, endpoints.updateArtifactAccess])(
    "x-auth-key is needed with a personal key on $name",
    async (endpoint) => {
      const mine = await createKey(fresh.store.db, randomIds, person, "mine");
      const ours = await createKey(fresh.store.db, randomIds, team, "ours");
      const token = await exchangeSignInToken(
        fresh.store,
        randomIds,
        await createSignInToken(fresh.store, "user_ada"),
      );
      expect(await code(attempt(mine.secret, { endpoint }))).toBe("invalid_credentials");
      expect(await code(attempt(mine.secret, { endpoint, userHeader: "user_grace" }))).toBe(
        "invalid_credentials",
      );
      expect(await code(attempt(mine.secret, { endpoint, userHeader: "user_ada" }))).toBe("accepted");
      expect(await code(attempt(ours.secret, { endpoint }))).toBe("accepted");
      expect(await code(attempt(token.accessToken, { endpoint }))).toBe("accepted");
      expect(await code(attempt(mine.secret, { userHeader: "user_grace" }))).toBe("accepted");
    },
  );

  test("x-auth-key is a name and no proof: it grants nothing", async () => {
    const mine = await createKey(fresh.store.db, randomIds, person, "mine");
    expect(await attempt(mine.secret, { userHeader: "user_grace" })).toMatchObject({ userId: "user_ada" });
    expect(await code(attempt(null, { userHeader: "user_ada" }))).toBe("missing_credential");
  });
});

describe("a sign-in link", () => {
  test("works once, also when twenty try at the same time", async () => {
    const token = await createSignInToken(fresh.store, "user_ada");
    const tries = Array.from({ length: 20 }, () => code(exchangeSignInToken(fresh.store, randomIds, token)));
    const codes = await Promise.all(tries);
    expect(codes.filter((one) => one === "accepted")).toHaveLength(1);
    expect(codes.filter((one) => one === "sign_in_link_invalid")).toHaveLength(19);
  });

  test("gives a token of eight hours that ends, and can be revoked", async () => {
    const session = await exchangeSignInToken(
      fresh.store,
      randomIds,
      await createSignInToken(fresh.store, "user_ada"),
    );
    expect(session.expiresAt.getTime() - Date.now()).toBeGreaterThan(7.9 * 3_600_000);
    expect(session.expiresAt.getTime() - Date.now()).toBeLessThan(8.1 * 3_600_000);
    expect(await attempt(session.accessToken)).toMatchObject({ kind: "token", userId: "user_ada" });
    await fresh.store.pool.query(
      "update credentials set expires_at = now() - interval '1 second' where kind = 'token'",
    );
    expect(await code(attempt(session.accessToken))).toBe("invalid_credentials");
  });

  test("does not work after ten minutes", async () => {
    const token = await createSignInToken(fresh.store, "user_ada");
    await fresh.store.pool.query("update sign_in_links set expires_at = expires_at - interval '10 minutes'");
    expect(await code(exchangeSignInToken(fresh.store, randomIds, token))).toBe("sign_in_link_invalid");
  });
});
