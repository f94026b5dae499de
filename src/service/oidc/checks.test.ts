import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { oauthTests } from "../../testing/oauth.ts";
import { type OidcService, startOidcService, TestBrowser } from "../../testing/oidc.ts";
import { until } from "../../testing/until.ts";
import { createAuthenticator } from "../credentials/authenticate.ts";
import { createKey } from "../credentials/keys.ts";
import { createSealer } from "../credentials/sealer.ts";
import { lockKeys } from "../store/lock-keys.ts";
import { wheelhouseFile } from "../workspace/schema.ts";
import { applyMapping } from "./apply-grants.ts";
import { createOidc } from "./oidc.ts";
import { createProvider } from "./provider.ts";

let oidc: OidcService;
let people = 0;

beforeAll(async () => {
  oidc = await startOidcService("  plan: pro\n");
});
afterAll(() => oidc.stop());
beforeEach(() => {
  oidc.provider.lie({});
  oidc.provider.refreshes(true);
});

/** Somebody new who signed in with these groups. */
async function signedIn(groups: readonly string[]) {
  const sub = `person-${++people}`;
  const claims = { sub, email: `${sub}@example.org`, email_verified: true, name: "Some One" };
  oidc.provider.person({ ...claims, groups });
  const { accessToken, userId } = await new TestBrowser(oidc.service).signIn();
  if (accessToken === null || userId === null) throw new Error("was not let in");
  const changeTo = (now: readonly string[]) => oidc.provider.person({ ...claims, groups: now });
  return { sub, userId, accessToken, changeTo };
}

/** What somebody is by now; the status where they are refused. */
async function me(key: string | null) {
  const response = await oidc.service.call(key, "GET", "/me");
  if (response.status !== 200) return response.status;
  const { role, teams } = await response.json();
  return { role, teams: teams.map((team: { id: string; role: string }) => `${team.id} ${team.role}`) };
}

const age = (userId: string, minutes: number) => oidc.letPass(minutes, userId);

function refreshes(): number {
  return oidc.provider.tokenRequests.filter((sent) => sent.get("grant_type") === "refresh_token").length;
}

/** The same sign-in in another process on the same database. */
function anotherProcess() {
  const { context } = oidc.service;
  return createOidc({
    ...context,
    ...{ settings: settingsOf({ crew: {} }), secret: oidc.provider.secret, fetch },
    sealer: createSealer(context.signer.derive("oidc")),
    callbackPath: "/oidc/callback",
  });
}

/** As a file would say it that maps these groups. */
function settingsOf(groups: object) {
  const person = { id: "a", email: "a@example.org", first_name: "A", last_name: "B", plan: "free" };
  const { issuer, clientId } = oidc.provider;
  const file = { people: [person], sign_in: { name: "Acme", issuer, client_id: clientId, groups } };
  const { sign_in: settings } = wheelhouseFile.parse(file);
  if (settings === undefined) throw new Error("nothing was read");
  return settings;
}

describe("groups in use", () => {
  it("S-136: count again after a quarter of an hour, before a request is answered", async () => {
    const { userId, accessToken, changeTo } = await signedIn(["captains", "owners"]);
    expect(await me(accessToken)).toEqual({
      role: "admin",
      teams: ["team_dock admin", "team_harbor editor"],
    });
    changeTo(["crew"]);
    const before = refreshes();
    expect(await me(accessToken)).toMatchObject({ role: "admin" });
    expect(refreshes()).toBe(before);
    await age(userId, 16);
    expect(await me(accessToken)).toEqual({ role: "member", teams: ["team_harbor viewer"] });
    await age(userId, 16);
    changeTo(["crew", "staff"]);
    expect(await me(accessToken)).toEqual({ role: "member", teams: ["team_harbor viewer"] });
    expect(refreshes()).toBe(before + 2);
  });

  it("S-136: are asked for beside a request after ten minutes", async () => {
    const { userId, accessToken, changeTo } = await signedIn(["captains"]);
    changeTo(["crew"]);
    await age(userId, 12);
    expect(await me(accessToken)).toMatchObject({ teams: ["team_dock admin", "team_harbor editor"] });
    await until("the groups counted", async () =>
      JSON.stringify(await me(accessToken)).includes("team_harbor viewer"),
    );
  });

  it("S-136: are asked for once by many requests", async () => {
    const { userId, accessToken } = await signedIn(["crew"]);
    await age(userId, 16);
    const before = refreshes();
    const answers = await Promise.all(Array.from({ length: 12 }, () => me(accessToken)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ teams: ["team_harbor viewer"] });
    expect(refreshes()).toBe(before + 1);
  });

  it("S-136: are asked for once by several processes", async () => {
    const { userId } = await signedIn(["crew"]);
    const others = Array.from({ length: 3 }, anotherProcess);
    await age(userId, 16);
    const before = refreshes();
    await Promise.all(others.map((other) => other.check(userId)));
    expect(refreshes()).toBe(before + 1);
  });

  it("S-136: are asked for while the person signs in anew, and neither holds up the other", async () => {
    const { sub, userId } = await signedIn(["crew"]);
    const { db, pool } = oidc.service.context.store;
    // A session that ended hours ago: its token is still there to ask with.
    await sql`update oidc_sessions set created_at = now() - interval '9 hours' where subject = ${sub}`.execute(
      db,
    );
    await sql`update credentials set expires_at = now() - interval '1 hour' where user_id = ${userId}`.execute(
      db,
    );
    await age(userId, 16);
    const browser = new TestBrowser(oidc.service);
    const back = await browser.toProvider();
    const holder = await pool.connect();
    await holder.query(`begin; select pg_advisory_xact_lock(${lockKeys.loading})`);
    const waiting = (count: number) =>
      until(`${count} wait to change people`, async () => {
        const { rows } = await pool.query(
          `select from pg_locks join pg_database on pg_database.oid = database
            where datname = current_database() and locktype = 'advisory' and objid = $1 and not granted`,
          [lockKeys.loading],
        );
        return rows.length === count;
      });
    const signingIn = browser.comeBack(back);
    await waiting(1);
    const checking = anotherProcess().check(userId);
    await waiting(2);
    await holder.query("commit");
    holder.release();
    const [ending] = await Promise.all([signingIn, checking]);
    expect(await me(ending.accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
  });

  it("S-136: end sessions and keys of whoever is in none any more", async () => {
    const { userId, accessToken, changeTo } = await signedIn(["crew"]);
    const { context } = oidc.service;
    const { secret } = await createKey(
      context.store.db,
      context.ids,
      { kind: "person", id: userId },
      "a key",
    );
    expect(await me(secret)).toMatchObject({ teams: ["team_harbor viewer"] });
    changeTo(["visitors"]);
    await age(userId, 16);
    // A key is a use as well.
    expect(await me(secret)).toBe(401);
    expect(await me(accessToken)).toBe(401);
    changeTo(["staff"]);
    await new TestBrowser(oidc.service).signIn();
    expect(await me(secret)).toEqual({ role: "member", teams: [] });
    expect(await me(accessToken)).toBe(401);
  });

  it("S-136: end with the sign-in at the provider", async () => {
    const { userId, accessToken } = await signedIn(["crew"]);
    oidc.provider.forget();
    await age(userId, 16);
    expect(await me(accessToken)).toBe(401);
  });

  it("are asked for with another session's token where one was ended there, and that session ends", async () => {
    const { userId, accessToken } = await signedIn(["crew"]);
    const second = await new TestBrowser(oidc.service).signIn();
    oidc.provider.forget("last");
    await age(userId, 16);
    expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
    expect(await me(second.accessToken)).toBe(401);
  });

  it("S-137: hold for an hour while the provider is down, and are over then", async () => {
    const { userId, accessToken } = await signedIn(["crew"]);
    oidc.provider.lie({ status: { of: "token", is: 503 } });
    await age(userId, 16);
    expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
    const before = refreshes();
    expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
    // Not each request asks again.
    expect(refreshes()).toBe(before);
    await age(userId, 45);
    expect(await me(accessToken)).toBe(401);
  });

  it("S-137: hold for an hour also where the provider takes what it is asked and never answers", async () => {
    const { userId, accessToken } = await signedIn(["crew"]);
    oidc.provider.lie({ silent: "token" });
    await age(userId, 16);
    expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
    await age(userId, 45);
    expect(await me(accessToken)).toBe(401);
  }, 60_000);

  it("S-137: hold for many people while the provider never answers, though few of them are asked about", async () => {
    const crew: Awaited<ReturnType<typeof signedIn>>[] = [];
    for (let n = 0; n < 9; n++) crew.push(await signedIn(["crew"]));
    oidc.provider.lie({ silent: "token" });
    for (const { userId } of crew) await age(userId, 16);
    const waits = () => oidc.provider.asked.filter((path) => path.includes("token")).length;
    const before = waits();
    const seen = await Promise.all(crew.map(({ accessToken }) => me(accessToken)));
    expect(seen).toEqual(crew.map(() => ({ role: "member", teams: ["team_harbor viewer"] })));
    expect(waits() - before).toBe(4);
  }, 60_000);

  it("S-137: hold for a quarter of an hour where the provider gives nothing to ask with", async () => {
    oidc.provider.refreshes(false);
    const { userId, accessToken } = await signedIn(["crew"]);
    await age(userId, 14);
    expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
    await age(userId, 2);
    expect(await me(accessToken)).toBe(401);
  });

  it.each(["userinfo", "keys"] as const)(
    "S-137: hold where the provider renews the sign-in and fails only behind that, at its %s",
    async (html) => {
      const { userId, accessToken } = await signedIn(["crew"]);
      const inUserinfo = { claims: ({ groups: _, ...claims }: Record<string, unknown>) => claims };
      oidc.provider.lie({ ...inUserinfo, html });
      await age(userId, 16);
      expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
      oidc.provider.lie(inUserinfo);
      await age(userId, 2);
      expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
    },
  );

  it("S-137: hold for an hour where the provider renews the sign-in and says nothing of the person", async () => {
    const { userId, accessToken } = await signedIn(["crew"]);
    oidc.provider.lie({ renewsWithoutIdToken: true, metadata: { userinfo_endpoint: undefined } });
    const { check } = anotherProcess();
    await age(userId, 16);
    await check(userId);
    expect(await me(accessToken)).toMatchObject({ teams: ["team_harbor viewer"] });
    await age(userId, 45);
    await check(userId);
    expect(await me(accessToken)).toBe(401);
  });

  it("S-278: are asked for anew where the asking under way began before the time was up", async () => {
    oidc.provider.refreshes(false);
    const { userId, accessToken } = await signedIn(["crew"]);
    const { context } = oidc.service;
    const { check } = anotherProcess();
    let asked = 0;
    const { authenticate } = createAuthenticator(
      context.store,
      context.generations,
      context.guesses,
      // The first was under way: what it had read was still in time.
      (id) => (++asked === 1 ? Promise.resolve() : check(id)),
    );
    await age(userId, 16);
    await expect(
      authenticate({ secret: accessToken, userHeader: null, endpoint: endpoints.getOwnRoles }),
    ).rejects.toMatchObject({ code: "invalid_credentials" });
    expect(asked).toBe(2);
  });

  it("count by what the file maps now, once it is taken over; whoever is out comes back by signing in", async () => {
    const { accessToken } = await signedIn(["captains"]);
    const { db } = oidc.service.context.store;
    const take = (groups: object | null) =>
      db.transaction().execute((tx) => applyMapping(tx, groups && settingsOf(groups)));
    await take({ captains: { teams: { team_dock: "viewer" } } });
    expect(await me(accessToken)).toEqual({ role: "member", teams: ["team_dock viewer"] });
    await take(null);
    expect(await me(accessToken)).toBe(401);
    await take({ captains: {} });
    expect(await me(accessToken)).toBe(401);
    const given = await db
      .selectFrom("team_members")
      .selectAll()
      .where("given_by_groups", "=", true)
      .execute();
    expect(given).toEqual([]);
  });
});

describe("signing out", () => {
  it("ends the session, and says where it ends at the provider", async () => {
    const { accessToken, sub } = await signedIn(["crew"]);
    const response = await oidc.service.call(accessToken, "POST", "/console/sign-out");
    const { ended, provider_url: url } = await response.json();
    expect(ended).toBe(true);
    const there = new URL(url);
    expect(there.origin + there.pathname).toBe(`${oidc.provider.issuer}/end`);
    expect(there.searchParams.get("post_logout_redirect_uri")).toBe(`${oidc.service.url}/sign-in`);
    expect(there.searchParams.get("id_token_hint")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(await me(accessToken)).toBe(401);
    const { db } = oidc.service.context.store;
    expect(await db.selectFrom("oidc_sessions").selectAll().where("subject", "=", sub).execute()).toEqual([]);
  });

  it("S-333: leaves a program that the person let in at work: their groups are asked for still", async () => {
    const { userId, accessToken, changeTo } = await signedIn(["crew"]);
    const tests = oauthTests(() => oidc.service);
    const program = await tests.register();
    const { access, refresh } = await tests.connect(program, accessToken);
    await oidc.service.call(accessToken, "POST", "/console/sign-out");
    await age(userId, 16);
    expect(await me(access)).toMatchObject({ teams: ["team_harbor viewer"] });
    expect((await tests.refresh(program, refresh)).status).toBe(200);
    changeTo(["visitors"]);
    await age(userId, 16);
    expect(await me(access)).toBe(401);
  });

  it("S-333: leaves an API key of the person at work as well", async () => {
    const { userId, accessToken } = await signedIn(["crew"]);
    const key = await oidc.service.makeKey({ kind: "person", id: userId });
    await oidc.service.call(accessToken, "POST", "/console/sign-out");
    await age(userId, 16);
    expect(await me(key)).toMatchObject({ teams: ["team_harbor viewer"] });
  });

  it.each([
    ["by an admin", (id: string) => ["DELETE", `/console/sessions?user_id=${id}`, undefined] as const],
    [
      "with the person, who is deactivated",
      (id: string) => ["PATCH", `/admin/people/${id}`, { active: false }] as const,
    ],
  ])(
    "S-306: what the provider gave is forgotten as well where the session is ended %s",
    async (_, request) => {
      const { sub, userId, accessToken } = await signedIn(["crew"]);
      const [method, path, body] = request(userId);
      const answer = await oidc.service.call(oidc.service.keys.ada, method, path, body);
      expect(answer.status).toBe(200);
      expect(await me(accessToken)).toBe(401);
      const { db } = oidc.service.context.store;
      expect(await db.selectFrom("oidc_sessions").selectAll().where("subject", "=", sub).execute()).toEqual(
        [],
      );
    },
  );

  it("ends nothing of an API key", async () => {
    const response = await oidc.service.call(oidc.service.keys.ada, "POST", "/console/sign-out");
    expect(await response.json()).toEqual({ ended: false, provider_url: null });
    expect(await me(oidc.service.keys.ada)).toMatchObject({ role: "admin" });
  });
});

it("S-138: keeps what the provider gave sealed", async () => {
  await signedIn(["crew"]);
  const { db } = oidc.service.context.store;
  const rows = JSON.stringify([
    await db.selectFrom("oidc_sessions").selectAll().execute(),
    await db.selectFrom("oidc_sign_ins").selectAll().execute(),
  ]);
  const sent = oidc.provider.tokenRequests.flatMap((each) => [
    each.get("code_verifier"),
    each.get("refresh_token"),
  ]);
  for (const secret of sent) if (secret !== null) expect(rows).not.toContain(secret);
  // Nor a signed token; three letters alone may be in what is random.
  expect(rows).not.toMatch(/eyJ[\w-]+\.eyJ/);
});

it("S-134: gives up on a provider that never answers", async () => {
  const settings = settingsOf({ staff: {} });
  const { clock } = oidc.service.context;
  const provider = createProvider({
    ...{ settings, secret: null, clock, fetch, redirectUrl: "http://127.0.0.1/oidc/callback", timeout: 0.2 },
  });
  oidc.provider.lie({ silent: "metadata" });
  const begun = provider.authorizationUrl({ state: "s", nonce: "n", verifier: "v".repeat(43) });
  await expect(begun).rejects.toMatchObject({ kind: "unreachable" });
  oidc.provider.lie({ silent: "token" });
  await expect(provider.renew("a token", "somebody")).rejects.toMatchObject({ kind: "unreachable" });
});
