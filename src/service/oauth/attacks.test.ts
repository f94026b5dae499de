import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditOf } from "../../testing/audit.ts";
import { oauthTests, redirectUri, type SentHere } from "../../testing/oauth.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { createPrograms } from "./programs.ts";

let service: TestService;
const test = oauthTests(() => service);

beforeAll(async () => {
  service = await startService({ work: false });
});
afterAll(() => service.stop());

const errorIn = ({ location }: SentHere) => location?.searchParams.get("error") ?? "none";
/** Whether a browser was sent to somebody who is not us. */
const isSentAway = ({ location }: SentHere) => location !== null && location.origin !== service.url;
const endedFor = async (reason: string) =>
  (await auditOf(service.context, "program.misuse")).filter(({ changes }) =>
    changes.some(({ after }) => after === reason),
  ).length;

describe("attacks on a program's sign-in", () => {
  it.each([
    ["no challenge", { code_challenge: undefined, code_challenge_method: undefined }],
    ["a plain challenge", { code_challenge_method: "plain" }],
    ["a challenge whose method is not said", { code_challenge_method: undefined }],
    ["a challenge that is no hash", { code_challenge: "short" }],
  ])("S-160: PKCE cannot be talked down: %s", async (_, query) => {
    const sent = await test.open(await test.register(), query);
    expect(errorIn(sent)).toBe("invalid_request");
    expect(sent.location?.searchParams.get("state")).toBe("of the program");
  });

  it("S-160: PKCE cannot be left out where the code is exchanged", async () => {
    const program = await test.register();
    const code = await test.code(program, service.keys.ada);
    const without = await test.exchange(program, code, { code_verifier: undefined });
    expect(await test.errorOf(without)).toBe("400 invalid_request");
    const plain = await test.exchange(program, code, { code_verifier: test.challenge });
    expect(await test.errorOf(plain)).toBe("400 invalid_grant");
  });

  it.each([
    "https://app.example.com/callback/",
    "https://app.example.com/callback?x=1",
    "https://app.example.com/callback#x",
    "https://app.example.com/callback/../other",
    "https://app.example.com:8443/callback",
    "https://app.example.com.evil.example/callback",
    "https://app.example.com@evil.example/callback",
    "https://evil.example\\@app.example.com/callback",
    "https://APP.example.com/callback",
    "https://app.example.com/callback%2f..",
    "http://app.example.com/callback",
    "//app.example.com/callback",
    "javascript:alert(1)//app.example.com/callback",
    "",
  ])("S-161: nobody is sent to an address that is nearly the program's: %s", async (uri) => {
    const sent = await test.open(await test.register(), { redirect_uri: uri });
    expect([sent.status, isSentAway(sent)]).toEqual([400, false]);
    expect(sent.text).toContain("cannot be let in");
  });

  it("S-161: nobody is sent anywhere by a program that is not known, or by what is said twice", async () => {
    const program = await test.register();
    const unknown = await test.open({ id: "prog_of_nobody", secret: null });
    expect([unknown.status, isSentAway(unknown)]).toEqual([400, false]);
    const twice = new URLSearchParams({ client_id: program.id, redirect_uri: redirectUri });
    twice.append("redirect_uri", "https://evil.example/");
    const sent = await test.openAt(`/oauth/authorize?${twice}`);
    expect([sent.status, isSentAway(sent)]).toEqual([400, false]);
  });

  it("S-162: a code in other hands ends, with all that it would give: another program, address or verifier", async () => {
    const program = await test.register({ redirect_uris: [redirectUri, "https://app.example.com/second"] });
    const other = await test.register();
    const before = await endedFor("code in other hands");
    for (const [thief, more] of [
      [other, {}],
      [program, { redirect_uri: "https://app.example.com/second" }],
      [program, { code_verifier: "x".repeat(43) }],
    ] as const) {
      const code = await test.code(program, service.keys.ada);
      expect(await test.errorOf(await test.exchange(thief, code, more))).toBe("400 invalid_grant");
      expect(await test.errorOf(await test.exchange(program, code))).toBe("400 invalid_grant");
    }
    expect(await endedFor("code in other hands")).toBe(before + 3);
  });

  it("S-163: a code that is used again ends the tokens that it gave", async () => {
    const program = await test.register();
    const code = await test.code(program, service.keys.ada);
    const { access, refresh } = await test.tokensOf(await test.exchange(program, code));
    expect(await test.statusOf(access)).toBe(200);
    expect(await test.errorOf(await test.exchange(program, code))).toBe("400 invalid_grant");
    expect(await test.statusOf(access)).toBe(401);
    expect(await test.errorOf(await test.refresh(program, refresh))).toBe("400 invalid_grant");
  });

  it("S-163: of many exchanges of one code at once one succeeds, and then none of it is left", async () => {
    const program = await test.register();
    const code = await test.code(program, service.keys.ada);
    const answers = await Promise.all([1, 2, 3, 4].map(() => test.exchange(program, code)));
    const good = answers.filter(({ ok }) => ok);
    expect(good).toHaveLength(1);
    const [first] = good;
    if (first) expect(await test.statusOf((await test.tokensOf(first)).access)).toBe(401);
  });

  it("S-164: a refresh token that is used again ends its family", async () => {
    const program = await test.register();
    const first = await test.connect(program, service.keys.ada);
    const second = await test.tokensOf(await test.refresh(program, first.refresh));
    const before = await endedFor("refresh token used twice");
    expect(await test.errorOf(await test.refresh(program, first.refresh))).toBe("400 invalid_grant");
    expect(await test.errorOf(await test.refresh(program, second.refresh))).toBe("400 invalid_grant");
    expect([await test.statusOf(first.access), await test.statusOf(second.access)]).toEqual([401, 401]);
    expect(await endedFor("refresh token used twice")).toBe(before + 1);
  });

  it("S-164: of two refreshes at once one succeeds, and then none of the family is left", async () => {
    const program = await test.register();
    const { access, refresh } = await test.connect(program, service.keys.ada);
    const answers = await Promise.all([1, 2].map(() => test.refresh(program, refresh)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await test.statusOf(access)).toBe(401);
  });

  it("S-165: every answer says whose it is, so that a program tells two servers apart", async () => {
    const program = await test.register();
    const good = await test.letIn(program, service.keys.ada);
    expect(good.searchParams.get("iss")).toBe(service.url);
    const bad = await test.open(program, { scope: "everything" });
    expect(errorIn(bad)).toBe("invalid_scope");
    expect(bad.location?.searchParams.get("iss")).toBe(service.url);
  });

  it("S-166: no token stands for another: kinds, programs, services", async () => {
    const program = await test.register();
    const other = await test.register();
    const { access, refresh } = await test.connect(program, service.keys.ada);
    expect([
      await test.statusOf(refresh),
      await test.statusOf(await test.code(program, service.keys.ada)),
    ]).toEqual([401, 401]);
    for (const token of [access, service.keys.ada])
      expect(await test.errorOf(await test.refresh(program, token))).toBe("400 invalid_grant");
    const elsewhere = await test.open(program, { resource: "https://other.example/api" });
    expect(errorIn(elsewhere)).toBe("invalid_target");
    // Giving back what is another's, or a person's own, ends nothing.
    for (const token of [access, refresh, service.keys.ada])
      expect((await test.revoke(other, token)).status).toBe(200);
    expect([await test.statusOf(access), await test.statusOf(service.keys.ada)]).toEqual([200, 200]);
    expect(await test.errorOf(await test.refresh(other, refresh))).toBe("400 invalid_grant");
    expect(await test.statusOf(access)).toBe(401);
  });

  it("S-167: nobody agrees to what another browser began, and a page elsewhere cannot agree", async () => {
    const program = await test.register();
    const sent = await test.open(program);
    const lured = { ...sent, cookie: (await test.open(program)).cookie };
    expect((await test.look(service.keys.grace, lured)).status).toBe(404);
    expect((await test.answer(service.keys.grace, lured)).status).toBe(404);
    expect((await test.answer(service.keys.grace, { ...sent, cookie: "" })).status).toBe(404);
    const path = `/programs/requests/${sent.requestId}`;
    const headers = { cookie: sent.cookie, origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const crossed = await service.call(service.keys.ada, "POST", path, { allow: true }, headers);
    expect(crossed.status).toBe(403);
    expect((await service.call(null, "POST", path, { allow: true }, { cookie: sent.cookie })).status).toBe(
      401,
    );
    expect((await test.answer(service.keys.ada, sent)).status).toBe(200);
    expect((await test.answer(service.keys.ada, sent)).status).toBe(404);
  });

  it("S-169: no stranger makes the service call anybody; a person who is signed in does, once in a while", async () => {
    const id = "https://reader.example/oauth/client.json";
    const document = { client_id: id, client_name: "Reader", redirect_uris: ["https://reader.example/back"] };
    const asked: string[] = [];
    const { context } = service;
    const [real, headers] = [context.programs, { "content-type": "application/json" }];
    const programs = createPrograms(context.store, async (input) => {
      asked.push(String(input));
      return new Response(JSON.stringify(document), { headers });
    });
    Object.assign(context, { programs });
    const program = { id, secret: null };
    const sent = await test.open(program, { redirect_uri: document.redirect_uris[0] });
    expect([sent.status, asked]).toEqual([303, []]);
    expect(await (await test.look(service.keys.ada, sent)).json()).toMatchObject({
      program: { id, name: "Reader", kind: "document", host: "reader.example" },
    });
    expect((await test.answer(service.keys.ada, sent)).status).toBe(200);
    expect(asked).toEqual([id]);
    // It is not believed that it is answered elsewhere, before its document was read and after.
    const evil = await test.open({ ...program, id: `${id}?2` }, { redirect_uri: "https://evil.example/" });
    document.client_id = `${id}?2`;
    expect((await test.look(service.keys.ada, evil)).status).toBe(403);
    expect((await test.answer(service.keys.ada, evil)).status).toBe(403);
    expect((await test.open(program, { redirect_uri: "https://evil.example/" })).status).toBe(400);
    // One that an admin removed stays out.
    await service.call(service.keys.ada, "DELETE", `/admin/programs/${encodeURIComponent(id)}`);
    const again = await test.open(program, { redirect_uri: "https://reader.example/back" });
    expect((await test.look(service.keys.ada, again)).status).toBe(403);
    Object.assign(context, { programs: real });
  });

  it("S-171: a program can do no more than it was let, whatever its person may", async () => {
    const program = await test.register();
    const { access } = await test.connect(program, service.keys.ada, { scope: "read" });
    expect(await test.statusOf(access, "GET", "/agents")).toBe(200);
    const start = { gummie_id: "agent_scribe", message: "Hello", user_id: "user_ada" };
    expect(await test.statusOf(access, "POST", "/start_agent", start)).toBe(403);
    expect(await test.statusOf(access, "POST", "/agents", { name: "New" })).toBe(403);
    for (const [method, path, body] of [
      ["POST", "/admin/keys", { name: "More" }],
      ["GET", "/admin/keys"],
      ["GET", "/admin/people"],
      ["GET", "/admin/audit"],
      ["POST", "/admin/programs", { name: "Another", redirect_uris: [redirectUri] }],
      ["GET", "/programs"],
      ["DELETE", "/console/sessions"],
    ] as const)
      expect([path, await test.statusOf(access, method, path, body)]).toEqual([path, 403]);
    const sent = await test.open(program);
    expect((await test.look(access, sent)).status).toBe(403);
    expect((await test.answer(access, sent)).status).toBe(403);
  });

  it("S-172: what ends a program's access ends it at the next request", async () => {
    const ends = {
      removal: (id: string) => service.call(service.keys.ada, "DELETE", `/admin/programs/${id}`),
      deactivation: () =>
        service.call(service.keys.ada, "PATCH", "/admin/people/user_grace", { active: false }),
    };
    for (const [name, end] of Object.entries(ends)) {
      const program = await test.register();
      const { access, refresh } = await test.connect(program, service.keys.grace);
      const waiting = await test.code(program, service.keys.grace);
      expect([name, await test.statusOf(access)]).toEqual([name, 200]);
      expect([name, (await end(program.id)).ok]).toEqual([name, true]);
      expect([name, await test.statusOf(access)]).toEqual([name, 401]);
      const [renewed, exchanged] = [
        await test.refresh(program, refresh),
        await test.exchange(program, waiting),
      ];
      expect([name, renewed.ok, exchanged.ok]).toEqual([name, false, false]);
    }
    await service.call(service.keys.ada, "PATCH", "/admin/people/user_grace", { active: true });
    expect(await (await service.call(service.keys.grace, "GET", "/programs")).json()).toMatchObject({
      connections: [],
    });
  });

  it("S-172: a program rests where its person's keys rest: whom the identity provider lets in no more", async () => {
    const { db } = service.context.store;
    const bar = (barred_at: Date | null) =>
      db.updateTable("users").set({ barred_at }).where("id", "=", "user_grace").execute();
    const program = await test.register();
    const { access, refresh } = await test.connect(program, service.keys.grace);
    await bar(new Date());
    expect(await test.statusOf(access)).toBe(401);
    expect(await test.statusOf(service.keys.grace)).toBe(401);
    const waiting = await test.refresh(program, refresh);
    expect(await test.errorOf(waiting)).toBe("400 invalid_grant");
    await bar(null);
    expect(await test.statusOf(access)).toBe(200);
    expect((await test.refresh(program, refresh)).status).toBe(200);
  });

  it("S-174: no more requests of one network wait than a large office has", async () => {
    const program = await test.register();
    const { db } = service.context.store;
    await test.open(program);
    const sample = await db.selectFrom("oauth_requests").selectAll().limit(1).executeTakeFirstOrThrow();
    const many = Array.from({ length: 1_000 }, (_, at) => ({ ...sample, hash: Buffer.from(`flood ${at}`) }));
    await db.insertInto("oauth_requests").values(many).execute();
    const refused = await test.open(program);
    expect(errorIn(refused)).toBe("temporarily_unavailable");
    await db.deleteFrom("oauth_requests").execute();
    expect((await test.open(program)).requestId).not.toBe("");
  });

  it("S-176: a secret is needed where there is one, in one place, and nothing else is answered", async () => {
    const program = await test.register({ confidential: true });
    const secret = program.secret ?? "";
    const code = await test.code(program, service.keys.ada);
    const basic = (id: string, word: string) => ({
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${word}`).toString("base64")}`,
    });
    const form = {
      grant_type: "authorization_code",
      code,
      redirect_uri: redirectUri,
      code_verifier: test.verifier,
    };
    const ask = (more: Readonly<Record<string, string>>, headers = {}) =>
      test.post("/oauth/token", { ...form, ...more }, headers);
    expect(await test.errorOf(await ask({ client_id: program.id }))).toBe("401 invalid_client");
    expect(await test.errorOf(await ask({ client_id: program.id, client_secret: "wrong" }))).toBe(
      "401 invalid_client",
    );
    expect(await test.errorOf(await ask({}, basic(program.id, "wrong")))).toBe("401 invalid_client");
    expect(await test.errorOf(await ask({ client_secret: secret }, basic(program.id, secret)))).toBe(
      "400 invalid_request",
    );
    const open = await test.register();
    expect(await test.errorOf(await ask({ client_id: open.id, client_secret: secret }))).toBe(
      "401 invalid_client",
    );
    expect((await ask({}, basic(program.id, secret))).status).toBe(200);
    const password = { grant_type: "password", client_id: open.id, username: "ada", password: "x" };
    expect(await test.errorOf(await test.post("/oauth/token", password))).toBe("400 unsupported_grant_type");
    for (const path of ["/oauth/introspect", "/oauth/register", "/oauth/userinfo"])
      expect([path, (await test.post(path, {})).status]).toEqual([path, 405]);
    expect((await fetch(`${service.url}/oauth/token`)).status).toBe(405);
  });
});

it("S-177: codes and secrets of programs are guessed slowly, and a right one is taken all the while", async () => {
  const few = { atOnce: 3, everySeconds: 1_000 };
  const own = await startService({ work: false, guessLimits: { network: few, site: few, account: few } });
  try {
    const there = oauthTests(() => own);
    const program = await there.register();
    const code = await there.code(program, own.keys.ada);
    const guess = async () => (await there.exchange(program, "wh_code_that_was_guessed")).status;
    expect([await guess(), await guess(), await guess(), await guess()]).toEqual([400, 400, 400, 429]);
    const waits = await there.exchange(program, "wh_code_that_was_guessed");
    expect(Number(waits.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await there.exchange(program, code)).status).toBe(200);
  } finally {
    await own.stop();
  }
});
