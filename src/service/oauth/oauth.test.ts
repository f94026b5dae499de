import { sql } from "kysely";
import * as openid from "openid-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditOf, sealAll } from "../../testing/audit.ts";
import { oauthTests, redirectUri } from "../../testing/oauth.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { sweepOauth } from "./sweep.ts";

let service: TestService;
const lines: string[] = [];
const test = oauthTests(() => service);

beforeAll(async () => {
  service = await startService({ work: false, logTo: (line) => lines.push(line) });
});
afterAll(() => service.stop());

const db = () => service.context.store.db;
const connections = async (key: string, query = "") =>
  (await (await service.call(key, "GET", `/programs${query}`)).json()).connections;

describe("a program that acts for people", () => {
  it.each(["a public one", "one with a secret"])(
    "%s goes from discovery to tokens, a refresh and the end of it with a client library that knows nothing of us",
    async (which) => {
      const { id, secret } = await test.register({ confidential: which !== "a public one" });
      const authentication = secret === null ? openid.None() : openid.ClientSecretBasic(secret);
      const config = await openid.discovery(new URL(service.url), id, undefined, authentication, {
        algorithm: "oauth2",
        execute: [openid.allowInsecureRequests],
      });
      const pkceCodeVerifier = openid.randomPKCECodeVerifier();
      const expectedState = openid.randomState();
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "read run",
        state: expectedState,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: "S256",
        resource: `${service.url}/api/v1`,
      });
      const sent = await test.openAt(address.href);
      expect(await (await test.look(service.keys.grace, sent)).json()).toMatchObject({
        program: { id, name: "Test program", kind: "registered", host: null },
        answers_to: "app.example.com",
        scopes: ["read", "run"],
        user: { id: "user_grace" },
      });
      const { redirect_url } = await (await test.answer(service.keys.grace, sent)).json();
      const tokens = await openid.authorizationCodeGrant(config, new URL(redirect_url), {
        pkceCodeVerifier,
        expectedState,
      });
      expect(tokens).toMatchObject({ expires_in: 3600, scope: "read run" });
      const me = await service.call(tokens.access_token, "GET", "/me");
      expect((await me.json()).user.id).toBe("user_grace");
      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
      expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
      expect(await test.statusOf(renewed.access_token)).toBe(200);
      await openid.tokenRevocation(config, renewed.refresh_token ?? "");
      expect(await test.statusOf(renewed.access_token)).toBe(401);
      expect(await test.statusOf(tokens.access_token)).toBe(401);
      const after = openid.refreshTokenGrant(config, renewed.refresh_token ?? "");
      await expect(after).rejects.toMatchObject({ error: "invalid_grant" });
    },
  );

  it("gets everything that programs may have where it asks for nothing in particular, and less at a refresh", async () => {
    const program = await test.register();
    const all = await test.exchange(program, await test.code(program, service.keys.ada));
    expect(all.headers.get("cache-control")).toBe("no-store");
    const { scope, refresh_token } = await all.json();
    expect(scope).toBe("read run write");
    const less = await test.refresh(program, refresh_token, { scope: "read" });
    const { scope: now, refresh_token: next } = await less.json();
    expect(now).toBe("read");
    expect(await test.errorOf(await test.refresh(program, next, { scope: "read admin" }))).toBe(
      "400 invalid_scope",
    );
    expect((await (await test.refresh(program, next)).json()).scope).toBe("read run write");
  });

  it("begins conversations by the API, not in the console", async () => {
    const program = await test.register();
    const { access } = await test.connect(program, service.keys.ada, { scope: "run" });
    const begun = { gummie_id: "agent_scribe", message: "Hello", user_id: "user_ada" };
    const started = await service.call(access, "POST", "/start_agent", begun);
    const { interaction_id: id } = await started.json();
    const read = await service.call(service.keys.ada, "GET", `/sessions/${id}`);
    expect((await read.json()).session.type).toBe("api");
  });

  it("is seen by its person, and by an admin who asks, until it is ended", async () => {
    const program = await test.register({ name: "Seen" });
    const { access } = await test.connect(program, service.keys.grace, { scope: "read" });
    await test.statusOf(access);
    const [first] = await connections(service.keys.grace);
    expect(first).toMatchObject({ program: { name: "Seen" }, scopes: ["read"] });
    expect(first.last_used_at).not.toBeNull();
    const seen = await connections(service.keys.ada, "?user_id=user_grace");
    expect(seen.map(({ id }: { id: string }) => id)).toContain(first.id);
    expect(await connections(service.keys.ada)).not.toContainEqual(first);
    const sessions = await service.call(service.keys.grace, "GET", "/console/sessions");
    expect((await sessions.json()).sessions).toEqual([]);
    expect((await service.call(service.keys.grace, "DELETE", `/programs/${first.id}`)).status).toBe(204);
    expect(await test.statusOf(access)).toBe(401);
    const all = await connections(service.keys.grace);
    expect(all.map(({ id }: { id: string }) => id)).not.toContain(first.id);
  });

  it("leaves in the audit log that it was let in, refused, ended and removed", async () => {
    const program = await test.register({ name: "Recorded" });
    await test.answer(service.keys.grace, await test.open(program), false);
    await test.connect(program, service.keys.grace);
    await service.call(service.keys.ada, "DELETE", `/admin/programs/${program.id}`);
    const of = async (action: Parameters<typeof auditOf>[1]) =>
      (await auditOf(service.context, action)).filter(({ object_name: name }) => name === "Recorded");
    expect(await of("program.register")).toMatchObject([{ user_id: "user_ada", object_id: program.id }]);
    expect(await of("program.refuse")).toMatchObject([{ user_id: "user_grace", object_id: program.id }]);
    const allowed = await of("program.allow");
    expect(allowed).toMatchObject([{ user_id: "user_grace", credential_kind: "personal" }]);
    expect(allowed[0]?.changes).toContainEqual(
      expect.objectContaining({ field: "scopes", after: "read run write" }),
    );
    expect(await of("program.remove")).toMatchObject([{ user_id: "user_ada" }]);
  });

  it("stands in the audit log where it did something itself, for its person, who sees it there with what happened", async () => {
    const { context, keys } = service;
    const program = await test.register({ name: "Acting" });
    const { access, refresh } = await test.connect(program, keys.grace);
    expect(await test.statusOf(access, "POST", "/agents", { name: "Made by a program" })).toBe(200);
    await test.refresh(program, refresh);
    await test.refresh(program, refresh);
    const { refresh: second } = await test.connect(program, keys.grace);
    await test.revoke(program, second);
    await sealAll(context);
    const read = async (query: string) =>
      (await (await service.call(keys.grace, "GET", `/admin/audit?${query}`)).json()).entries;
    const [made] = await read("action=agent.create");
    expect(made).toMatchObject({
      by: { kind: "person", user: { id: "user_grace" } },
      credential: { kind: "token", id: expect.stringMatching(/^tok_/) },
      program: { name: "Acting", id: expect.stringMatching(/^con_/) },
    });
    const acting = { by: { kind: "program", name: "Acting", user: { id: "user_grace" } }, program: null };
    const from = { address: "127.0.0.1" };
    const [misuse] = await read("action=program.misuse");
    expect(misuse).toMatchObject({ ...acting, from, object: { id: made.program.id, name: "Acting" } });
    expect(misuse.changes).toMatchObject([{ field: "reason", after: "refresh token used twice" }]);
    const [ended] = await read("action=program.end");
    expect(ended).toMatchObject({ ...acting, from });
    // What was done with a key of one's own names no program.
    await service.call(keys.grace, "POST", "/agents", { name: "Made by hand" });
    await sealAll(context);
    expect((await read("action=agent.create"))[0]).toMatchObject({ program: null });
  });

  it("hears that its person said no, and has no second try with the same request", async () => {
    const program = await test.register();
    const sent = await test.open(program);
    const said = await (await test.answer(service.keys.ada, sent, false)).json();
    const { searchParams } = new URL(said.redirect_url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ error: "access_denied", state: "of the program", iss: service.url },
    });
    expect((await test.answer(service.keys.ada, sent)).status).toBe(404);
  });

  it("says where its addresses are, for clients that begin at the API", async () => {
    const at = (path: string) => fetch(`${service.url}/.well-known/${path}`);
    const api = await (await at("oauth-protected-resource/api/v1")).json();
    expect(api).toMatchObject({
      resource: `${service.url}/api/v1`,
      authorization_servers: [service.url],
      bearer_methods_supported: ["header"],
    });
    const server = await (await at("oauth-authorization-server")).json();
    expect(server).toMatchObject({
      issuer: service.url,
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    });
    expect(server).not.toHaveProperty("introspection_endpoint");
    expect((await at("openid-configuration")).status).toBe(404);
  });

  it("S-175: leaves nothing behind when it is over: requests, tokens, used tokens and connections", async () => {
    const program = await test.register();
    await test.open(program);
    const { refresh } = await test.connect(program, service.keys.ada);
    await test.refresh(program, refresh);
    const past = sql<Date>`now() - interval '40 days'`;
    await db().updateTable("oauth_requests").set({ expires_at: past }).execute();
    await db()
      .updateTable("oauth_refresh_tokens")
      .set({ used_at: past })
      .where("used_at", "is not", null)
      .execute();
    await db()
      .updateTable("credentials")
      .set({ expires_at: past })
      .where("connection_id", "is not", null)
      .execute();
    expect(await sweepOauth(service.context.store)).toBeGreaterThan(3);
    expect(await db().selectFrom("oauth_requests").select("hash").execute()).toEqual([]);
    const used = await db()
      .selectFrom("oauth_refresh_tokens")
      .selectAll()
      .where("used_at", "is not", null)
      .execute();
    expect(used).toEqual([]);
    const tokens = await db()
      .selectFrom("credentials")
      .select("id")
      .where("connection_id", "is not", null)
      .execute();
    expect(tokens).toEqual([]);
    await db().updateTable("oauth_connections").set({ expires_at: past }).execute();
    await sweepOauth(service.context.store);
    expect(await db().selectFrom("oauth_connections").select("id").execute()).toEqual([]);
    expect(await db().selectFrom("oauth_refresh_tokens").select("hash").execute()).toEqual([]);
  });

  it("S-173: keeps no code, token, secret or cookie as it is, in no row and no line of the log", async () => {
    const program = await test.register({ confidential: true });
    const sent = await test.open(program);
    const answered = await (await test.answer(service.keys.ada, sent)).json();
    const code = new URL(answered.redirect_url).searchParams.get("code") ?? "";
    const tokens = await test.tokensOf(
      await test.exchange(program, code, { client_secret: program.secret ?? "" }),
    );
    const secrets = [
      program.secret,
      sent.requestId,
      sent.cookie.split("=")[1],
      code,
      tokens.access,
      tokens.refresh,
    ];
    const { rows } = await sql<{ text: string }>`
      select coalesce(string_agg(t::text, e'\n'), '') as text from (
        select p::text from oauth_programs p union all select r::text from oauth_requests r
        union all select c::text from oauth_connections c union all select f::text from oauth_refresh_tokens f
        union all select k::text from credentials k union all select a::text from audit_pending a
        union all select l::text from audit_log l) t`.execute(db());
    const kept = `${rows[0]?.text}\n${lines.join("\n")}`;
    expect(kept.length).toBeGreaterThan(1_000);
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(30);
      expect(kept).not.toContain(secret);
    }
  });
});
