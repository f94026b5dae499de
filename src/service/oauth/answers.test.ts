import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oauthTests, redirectUri } from "../../testing/oauth.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
const test = oauthTests(() => service);

beforeAll(async () => {
  service = await startService({ work: false });
});
afterAll(() => service.stop());

const challengeOf = ({ headers }: Response) => headers.get("www-authenticate");
const metadata = () => `resource_metadata="${service.url}/.well-known/oauth-protected-resource/api/v1"`;

describe("what a program hears that is refused", () => {
  it("S-151: a program that only knows the API finds the sign-in, and is told which scope it lacks", async () => {
    const none = await service.call(null, "GET", "/agents");
    expect([none.status, challengeOf(none)]).toEqual([401, `Bearer ${metadata()}`]);
    const wrong = await service.call("wh_token_that_is_none", "GET", "/agents");
    expect([wrong.status, challengeOf(wrong)]).toEqual([401, `Bearer error="invalid_token", ${metadata()}`]);
    // It leads to where the documents are, and they to the sign-in.
    const named = /resource_metadata="([^"]+)"/.exec(challengeOf(none) ?? "")?.[1] ?? "";
    expect(await (await fetch(named)).json()).toMatchObject({ authorization_servers: [service.url] });
    const program = await test.register();
    const { access } = await test.connect(program, service.keys.ada, { scope: "read" });
    const lacking = await service.call(access, "POST", "/agents", { name: "New" });
    expect([lacking.status, challengeOf(lacking)]).toEqual([
      403,
      `Bearer error="insufficient_scope", scope="read write", ${metadata()}`,
    ]);
    // What no scope opens asks for none, and neither does what its person may not do.
    const never = await service.call(access, "GET", "/admin/keys");
    expect([never.status, challengeOf(never)]).toEqual([403, null]);
    const grace = await test.connect(program, service.keys.grace);
    const refused = await service.call(grace.access, "GET", "/agents/agent_of_nobody");
    expect([refused.status, challengeOf(refused)]).toEqual([404, null]);
  });

  it("S-152: no page of another origin reads an answer, exchanges a code or ends a token", async () => {
    const program = await test.register();
    const held = await test.connect(program, service.keys.ada);
    const code = await test.code(program, service.keys.ada);
    // As a browser sends it for a page that stole them, and before it asks whether it may.
    const page = { origin: "https://app.example.com", "sec-fetch-site": "cross-site" };
    const asks = { ...page, "access-control-request-method": "POST" };
    const answers = [
      await fetch(`${service.url}/oauth/token`, { method: "OPTIONS", headers: asks }),
      await test.post(
        "/oauth/token",
        { grant_type: "authorization_code", code, client_id: program.id, redirect_uri: redirectUri },
        page,
      ),
      await test.post(
        "/oauth/token",
        { grant_type: "refresh_token", refresh_token: held.refresh, client_id: program.id },
        page,
      ),
      await test.post("/oauth/revoke", { token: held.refresh, client_id: program.id }, page),
      await fetch(`${service.url}/.well-known/oauth-authorization-server`, { headers: page }),
      await fetch(`${service.url}/oauth/authorize?client_id=${program.id}`, { headers: page }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([405, 403, 403, 403, 200, 400]);
    for (const { headers } of answers)
      expect([...headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([]);
    // None of it counted: the program goes on with both.
    expect((await test.exchange(program, code)).status).toBe(200);
    expect((await test.refresh(program, held.refresh)).status).toBe(200);
  });
});

describe("S-158: what RFC 9700 warns of beside the attacks that have a row of their own", () => {
  it.each([
    ["token", { response_type: "token" }, "unsupported_response_type"],
    ["id_token", { response_type: "code id_token" }, "unsupported_response_type"],
    ["fragment", { response_mode: "fragment" }, "invalid_request"],
    ["form_post", { response_mode: "form_post" }, "invalid_request"],
    ["web_message", { response_mode: "web_message" }, "invalid_request"],
    ["request object", { request: "e30." }, "request_not_supported"],
    ["request by address", { request_uri: "https://evil.example/r" }, "request_uri_not_supported"],
    ["nobody asked", { prompt: "none" }, "interaction_required"],
  ])("S-158: no token and no code comes by another way: %s", async (_, query, error) => {
    const sent = await test.open(await test.register(), query);
    expect([sent.status, sent.location?.searchParams.get("error")]).toEqual([303, error]);
    expect(sent.location?.searchParams.get("code")).toBeNull();
  });

  it("S-158: no token counts in an address, where histories and logs would keep it", async () => {
    const program = await test.register();
    const { access } = await test.connect(program, service.keys.ada);
    for (const name of ["access_token", "api_key"])
      expect([name, (await service.call(null, "GET", `/agents?${name}=${access}`)).status]).toEqual([
        name,
        401,
      ]);
  });

  it("S-158: a browser is sent on without its form and without saying where it was", async () => {
    const program = await test.register();
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: program.id, redirect_uri: redirectUri, state: "secret-state" },
      ...{ code_challenge: test.challenge, code_challenge_method: "S256" },
    });
    for (const more of ["", "&prompt=none", "&redirect_uri=https://evil.example/"]) {
      const answer = await fetch(`${service.url}/oauth/authorize?${query}${more}`, { redirect: "manual" });
      // 303 turns whatever it was into a GET; 307 would repeat what was typed.
      expect([303, 400]).toContain(answer.status);
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("S-158: a program that nobody here vouches for sends nobody away before they have signed in", async () => {
    const id = "https://reader.example/oauth/client.json";
    const uri = "https://reader.example/back";
    const row = { id, kind: "document", name: "Reader", redirect_uris: [uri], secret_hash: null } as const;
    await service.context.store.db.insertInto("oauth_programs").values(row).execute();
    for (const query of [{ scope: "everything" }, { prompt: "none" }, { response_type: "token" }]) {
      const sent = await test.open({ id, secret: null }, { redirect_uri: uri, ...query });
      expect([sent.status, sent.location]).toEqual([400, null]);
      expect(sent.text).toContain("asks wrongly");
    }
    // What it asks rightly is asked of the person, here.
    const right = await test.open({ id, secret: null }, { redirect_uri: uri });
    expect([right.status, right.location?.origin]).toEqual([303, service.url]);
  });

  it("S-158: no program gets a token for itself, which could pass for a person's", async () => {
    const program = await test.register({ confidential: true });
    const form = { client_id: program.id, client_secret: program.secret ?? "", scope: "read" };
    for (const grant_type of [
      "client_credentials",
      "password",
      "urn:ietf:params:oauth:grant-type:jwt-bearer",
    ])
      expect(await test.errorOf(await test.post("/oauth/token", { ...form, grant_type }))).toBe(
        "400 unsupported_grant_type",
      );
  });

  it("S-158: a person who let a program in is asked again each time, whoever says that it is the same program", async () => {
    const program = await test.register();
    await test.connect(program, service.keys.ada);
    const again = await test.open(program);
    expect(again.location?.pathname).toBe("/oauth/consent");
    expect(again.location?.searchParams.get("code")).toBeNull();
  });
});
