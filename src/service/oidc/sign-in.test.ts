import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type OidcService, startOidcService, TestBrowser } from "../../testing/oidc.ts";

let oidc: OidcService;
const lines: string[] = [];
const zoe = { sub: "zoe-1", email: "zoe@example.org", email_verified: true, name: "Zoe van Test" };

beforeAll(async () => {
  oidc = await startOidcService("", { logTo: (line) => lines.push(line) });
});
afterAll(() => oidc.stop());
afterEach(() => {
  oidc.provider.lie({});
  oidc.provider.person({});
});

const browser = () => new TestBrowser(oidc.service);
const users = () => oidc.service.context.store.db.selectFrom("users").selectAll().orderBy("id").execute();
const members = (id: string) =>
  oidc.service.context.store.db.selectFrom("team_members").selectAll().where("user_id", "=", id).execute();

describe("signing in with the identity provider", () => {
  it("makes a person with what their groups give, and opens the page that was asked for", async () => {
    oidc.provider.person({ ...zoe, groups: ["crew", "captains", "others"] });
    const ending = await browser().signIn("/runs/new?flow=flow_hello");
    expect(ending).toMatchObject({ page: "/runs/new?flow=flow_hello", reason: null });
    expect([...ending.teams].sort()).toEqual(["team_dock", "team_harbor"]);
    const made = (await users()).find(({ id }) => id === ending.userId);
    expect(made).toMatchObject({ first_name: "Zoe van", last_name: "Test", plan: "free", role: "member" });
    expect(await members(ending.userId ?? "")).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ team_id: "team_harbor", role: "editor", given_by_groups: true }),
        expect.objectContaining({ team_id: "team_dock", role: "admin", given_by_groups: true }),
      ]),
    );
    const answer = await oidc.service.call(ending.accessToken, "GET", "/me");
    expect((await answer.json()).user.id).toBe(ending.userId);
  });

  it("finds the same person again by the provider's own id, whatever the address is by now", async () => {
    oidc.provider.person({ ...zoe, groups: ["staff"] });
    const first = await browser().signIn();
    oidc.provider.person({ sub: zoe.sub, email: "other@example.org", groups: ["staff"] });
    const again = await browser().signIn();
    expect(again.userId).toBe(first.userId);
    expect(again.teams).toEqual([]);
  });

  it("keeps the role that the file gives a member, and gives beside it", async () => {
    const person = { sub: "grace-1", email: "GRACE@example.com", email_verified: true };
    oidc.provider.person({ ...person, groups: ["captains"] });
    const ending = await browser().signIn();
    expect(ending.userId).toBe("user_grace");
    const roles = Object.fromEntries((await members("user_grace")).map((one) => [one.team_id, one.role]));
    expect(roles).toEqual({ team_harbor: "operator", team_dock: "admin" });
    oidc.provider.person({ ...person, groups: ["crew"] });
    await browser().signIn();
    expect(await members("user_grace")).toEqual([
      { team_id: "team_harbor", user_id: "user_grace", role: "operator", given_by_groups: false },
    ]);
  });

  it("makes somebody an admin for as long as they are in the group for it", async () => {
    const person = { sub: "olga-1", email: "olga@example.org", email_verified: true };
    oidc.provider.person({ ...person, groups: ["owners"] });
    const { userId, accessToken } = await browser().signIn();
    const me = async () => (await (await oidc.service.call(accessToken, "GET", "/me")).json()).role;
    expect(await me()).toBe("admin");
    oidc.provider.person({ ...person, groups: ["staff"] });
    await browser().signIn();
    expect(await me()).toBe("member");
    expect((await users()).find(({ id }) => id === userId)?.role).toBe("member");
  });

  it("takes groups and address from userinfo where the token has none, and refuses another person's", async () => {
    const facts = { ...zoe, sub: "ugo-1", email: "ugo@example.org", groups: ["staff"] };
    oidc.provider.person(facts);
    oidc.provider.lie({ claims: ({ email: _, groups: __, ...rest }) => rest });
    expect((await browser().signIn()).reason).toBeNull();
    oidc.provider.lie({
      claims: ({ email: _, groups: __, ...rest }) => rest,
      userinfo: (claims) => ({ ...claims, sub: "somebody else" }),
    });
    expect((await browser().signIn()).reason).toBe("provider_invalid");
  });

  it("leads to no other origin afterwards", async () => {
    oidc.provider.person({ ...zoe, groups: ["staff"] });
    const hostile = [
      "//evil.example/x",
      "https://evil.example",
      "/\\evil.example",
      "javascript:alert(1)",
      "/.//evil.example",
    ];
    for (const next of hostile) expect([next, (await browser().signIn(next)).page]).toEqual([next, "/"]);
  });

  it("sends PKCE, a state and a nonce, all new each time, and no secret in an address", async () => {
    const one = new URL(await browser().open("/oidc/sign-in")).searchParams;
    const other = new URL(await browser().open("/oidc/sign-in")).searchParams;
    expect(one.get("code_challenge_method")).toBe("S256");
    expect(one.get("redirect_uri")).toBe(`${oidc.service.url}/oidc/callback`);
    for (const name of ["code_challenge", "state", "nonce"]) {
      expect(one.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.get(name)).not.toBe(other.get(name));
    }
    expect(String(one)).not.toContain(encodeURIComponent(oidc.provider.secret));
  });
});

describe("whoever stays out", () => {
  it("S-130: is in no mapped group, and hears which groups came, whoever is here already", async () => {
    const hostile = `<img src=x onerror=alert(1)>${"x".repeat(200)}`;
    oidc.provider.person({ ...zoe, sub: "new-1", email: "ada@example.com", groups: [hostile, "visitors"] });
    const known = await browser().signIn("/runs");
    expect(known).toMatchObject({ page: "/sign-in?next=%2Fruns", accessToken: null, reason: "no_group" });
    expect(known.groups).toEqual([`${hostile.slice(0, 60)}…`, "visitors"]);
    oidc.provider.person({
      ...zoe,
      sub: "new-2",
      email: "nobody@example.com",
      groups: [hostile, "visitors"],
    });
    expect(await browser().signIn("/runs")).toEqual(known);
    oidc.provider.person({ ...zoe, sub: "new-3" });
    expect(await browser().signIn()).toMatchObject({ reason: "no_group", groups: [] });
  });

  it("S-132: has an address that the provider does not call verified, whether it is somebody's here or not", async () => {
    const before = (await users()).length;
    const refused = async (claims: object) => {
      oidc.provider.person({ sub: "mallory-1", groups: ["staff"], ...claims });
      const { reason, message, accessToken } = await browser().signIn();
      expect(accessToken).toBeNull();
      return { reason, message };
    };
    const known = await refused({ email: "ada@example.com", email_verified: false });
    expect(known.reason).toBe("email_unverified");
    expect(await refused({ email: "nobody-here@example.com" })).toEqual(known);
    expect(await refused({ email: "ada@example.com", email_verified: "yes" })).toEqual(known);
    expect((await refused({ email_verified: true })).reason).toBe("no_email");
    expect((await refused({ email: ["ada@example.com"], email_verified: true })).reason).toBe("no_email");
    expect((await users()).length).toBe(before);
  });

  it("S-132: has the address of somebody who signs in with another account there", async () => {
    const person = { email: "reused@example.org", email_verified: true, groups: ["staff"] };
    oidc.provider.person({ sub: "before", ...person });
    expect((await browser().signIn()).reason).toBeNull();
    oidc.provider.person({ sub: "after", ...person });
    expect(await browser().signIn()).toMatchObject({ reason: "email_in_use", accessToken: null });
  });

  it("S-133: is deactivated here", async () => {
    oidc.provider.person({ ...zoe, sub: "left-1", email: "left@example.org", groups: ["staff"] });
    const { userId } = await browser().signIn();
    const away = await oidc.service.call(oidc.service.keys.ada, "PATCH", `/admin/people/${userId}`, {
      active: false,
    });
    expect(away.status).toBe(200);
    expect(await browser().signIn()).toMatchObject({ reason: "deactivated", accessToken: null });
  });
});

describe("a browser that comes back", () => {
  it("S-131: works once, for the one that began, with a state that was given out", async () => {
    oidc.provider.person({ ...zoe, groups: ["staff"] });
    const one = browser();
    const address = await one.toProvider();
    expect(await browser().comeBack(address)).toMatchObject({ reason: "other_browser", accessToken: null });
    const changed = new URL(address);
    changed.searchParams.set("state", "guessed");
    expect((await one.comeBack(changed.href)).reason).toBe("unknown");
    const location = await one.open(address);
    expect((await one.comeBack(location)).reason).toBeNull();
    expect((await one.comeBack(location)).reason).toBe("sign_in_link_invalid");
    expect((await one.comeBack(address)).reason).toBe("unknown");
    expect(one.cookies.size).toBe(0);
    expect((await one.comeBack(`${oidc.service.url}/oidc/callback`)).reason).toBe("unknown");
  });

  it("S-131: is late", async () => {
    const one = browser();
    const address = await one.toProvider();
    await oidc.service.context.store.db
      .updateTable("oidc_sign_ins")
      .set({ expires_at: new Date(0) })
      .execute();
    expect((await one.comeBack(address)).reason).toBe("unknown");
  });

  it("S-139: begins no more from one network than a large office would at once, and again when those are over", async () => {
    const { db } = oidc.service.context.store;
    const { network } = await db.selectFrom("oidc_sign_ins").select("network").executeTakeFirstOrThrow();
    await sql`insert into oidc_sign_ins (state, browser, issuer, network, secrets, expires_at)
      select int4send(n), '', '', case when n > 1000 then 'elsewhere' else ${network} end, '', now() + interval '10 minutes'
        from generate_series(1, 1500) n`.execute(db);
    const refused = await browser().signIn("/inbox");
    expect(refused).toMatchObject({ page: "/sign-in?next=%2Finbox", reason: "too_many", accessToken: null });
    const { count } = await db
      .selectFrom("oidc_sign_ins")
      .select(sql<number>`count(*)::int`.as("count"))
      .where("network", "=", network)
      .executeTakeFirstOrThrow();
    await db
      .updateTable("oidc_sign_ins")
      .set({ expires_at: new Date(0) })
      .execute();
    oidc.provider.person({ ...zoe, groups: ["staff"] });
    expect((await browser().signIn()).reason).toBeNull();
    expect(count).toBeLessThan(1_010);
  });

  it("says that the person cancelled, or that the provider had an error, in our own words", async () => {
    oidc.provider.lie({ answer: { error: "access_denied" }, back: { error_description: "<b>x</b>" } });
    const cancelled = await browser().signIn("/inbox");
    expect(cancelled).toMatchObject({ page: "/sign-in?next=%2Finbox", reason: "cancelled" });
    expect(cancelled.message).toBe("The sign-in was cancelled at Acme. Nothing was changed here.");
    oidc.provider.lie({ answer: { error: "<script>" } });
    expect((await browser().signIn()).reason).toBe("provider_error");
  });
});

describe("S-134: a provider that is wrong lets nobody in", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const lies = {
    "another issuer": [{ claims: (it: object) => ({ ...it, iss: "https://evil.example" }) }, "issuer (iss)"],
    "another client": [{ claims: (it: object) => ({ ...it, aud: "another" }) }, "another client (aud)"],
    "several clients, for another": [
      { claims: (it: object) => ({ ...it, aud: ["wheelhouse", "another"], azp: "another" }) },
      "another client",
    ],
    "another nonce": [{ claims: (it: object) => ({ ...it, nonce: "another" }) }, "another sign-in (nonce)"],
    "no nonce": [{ claims: ({ nonce: _, ...it }: Record<string, unknown>) => it }, ""],
    "no subject": [{ claims: ({ sub: _, ...it }: Record<string, unknown>) => it }, ""],
    "an expired token": [{ claims: (it: object) => ({ ...it, exp: now() - 400 }) }, "ended at"],
    "a token of tomorrow": [{ claims: (it: object) => ({ ...it, nbf: now() + 400 }) }, "not valid before"],
    "an unsigned token": [{ signing: "none" }, ""],
    "an unsigned token, though it says that it may": [
      { signing: "none", metadata: { id_token_signing_alg_values_supported: ["RS256", "none"] } },
      "not signed",
    ],
    "a token signed with the secret": [
      { signing: "secret", metadata: { id_token_signing_alg_values_supported: ["RS256", "HS256"] } },
      "not signed",
    ],
    "a key that it does not publish": [{ signing: "foreign" }, "does not publish"],
    "a broken signature": [{ signing: "broken" }, ""],
    "another issuer in the answer": [{ back: { iss: "https://evil.example" } }, ""],
    "a page for keys": [{ html: "keys" }, "such as a page"],
    "a page for tokens": [{ html: "token" }, "such as a page"],
    "tokens elsewhere": [{ redirect: { of: "token", to: "http://127.0.0.1:9/" } }, ""],
    "a code that it does not accept": [{ tokenError: "invalid_grant" }, "works once"],
    "a client that it does not know": [{ tokenError: "invalid_client" }, "client id or secret"],
    "an error of its own": [{ status: { of: "token", is: 503 } }, "(503)"],
  } as const;

  it.each(Object.entries(lies))("%s", async (_, [lie, words]) => {
    oidc.provider.person({ ...zoe, groups: ["staff"] });
    oidc.provider.lie(lie);
    const { accessToken, reason, message, page } = await browser().signIn();
    expect([accessToken, page]).toEqual([null, "/sign-in"]);
    expect(reason).toMatch(/^provider_/);
    expect(message).toContain(words);
    expect(message).not.toContain("<");
  });

  it.each([
    ["a page for metadata", { html: "metadata" }, "provider_invalid"],
    ["metadata of another issuer", { metadata: { issuer: "https://evil.example" } }, "provider_invalid"],
    ["metadata without keys", { metadata: { jwks_uri: null } }, "provider_invalid"],
    [
      "a script for an address",
      { metadata: { authorization_endpoint: "javascript:alert(1)" } },
      "provider_invalid",
    ],
    [
      "metadata that lead elsewhere",
      { redirect: { of: "metadata", to: "https://evil.example" } },
      "provider_invalid",
    ],
    ["too much", { bytes: 2_000_000 }, "provider_invalid"],
    ["down", { status: { of: "metadata", is: 502 } }, "provider_unreachable"],
  ] as const)("before it is asked: %s", async (_, lie, reason) => {
    oidc.provider.person({ ...zoe, groups: ["staff"] });
    // A sign-in that fails has the metadata asked for again.
    oidc.provider.lie({ tokenError: "invalid_client" });
    await browser().signIn();
    oidc.provider.lie(lie);
    expect(await browser().signIn("/mcp")).toMatchObject({
      page: "/sign-in?next=%2Fmcp",
      reason,
      accessToken: null,
    });
  });
});

it("S-135: takes clocks that are some minutes apart, and keys that have changed", async () => {
  oidc.provider.person({ ...zoe, groups: ["staff"] });
  const past = Math.floor(Date.now() / 1000) - 240;
  oidc.provider.lie({ claims: (claims) => ({ ...claims, iat: past - 60, exp: past }) });
  expect((await browser().signIn()).reason).toBeNull();
  oidc.provider.lie({});
  for (let turn = 0; turn < 2; turn++) {
    oidc.provider.rotate();
    expect((await browser().signIn()).reason).toBeNull();
  }
});

it("S-180: a network that makes up how sign-ins began waits, and a sign-in that was begun there ends well", async () => {
  const limit = { atOnce: 3, everySeconds: 600 };
  const other = await startOidcService("", { guessLimits: { network: limit, site: limit, account: limit } });
  try {
    other.provider.person({ ...zoe, groups: ["staff"] });
    const told: Response[] = [];
    for (let n = 0; n < 5; n++)
      told.push(
        await fetch(`${other.service.url}/oidc/callback?state=made-up-${n}&code=1`, { redirect: "manual" }),
      );
    expect(told.map(({ status }) => status)).toEqual([303, 303, 303, 429, 429]);
    expect(Number(told[4]?.headers.get("retry-after"))).toBeGreaterThan(500);
    expect(await told[4]?.text()).toMatch(/Too many wrong sign-ins[\s\S]*href="\/sign-in"/);
    expect(await new TestBrowser(other.service).signIn()).toMatchObject({ reason: null });
  } finally {
    await other.stop();
  }
});

it("says nothing secret in the log, and why in detail", () => {
  const log = lines.join("\n");
  expect(log).toContain("a sign-in with the identity provider was refused");
  for (const { refresh_token, code } of oidc.provider.tokenRequests.map((sent) => Object.fromEntries(sent)))
    for (const secret of [refresh_token, code, oidc.provider.secret])
      if (secret) expect(log).not.toContain(secret);
});

it("is not there where the workspace names no provider", async () => {
  // As any other address that the console does not have.
  const { createOidcRoutes } = await import("../http/oidc-routes.ts");
  const routes = createOidcRoutes(() => ({ ...oidc.service.context, oidc: null }));
  await expect(
    routes.start(new Request(`${oidc.service.url}/oidc/sign-in`), "127.0.0.1"),
  ).rejects.toMatchObject({
    code: "not_found",
  });
});
