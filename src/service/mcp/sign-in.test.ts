import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, type KeyName, startAgentService } from "../../testing/agents.ts";
import { auditEntries } from "../../testing/audit.ts";
import { startMcpServer, type TestMcpServer } from "../../testing/mcp-server.ts";
import { SignInBrowser } from "../../testing/mcp-sign-in.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";

const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-sign-in-"));
const person = "  - { id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
let drive: OAuthMcpServer;
let open: TestMcpServer;
let pictures: Server;
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
let app: AgentService;
const lines: string[] = [];

beforeAll(async () => {
  drive = await startOAuthMcpServer();
  open = await startMcpServer();
  pictures = createServer((_, response) => response.end(png));
  await new Promise<void>((done) => pictures.listen(0, "127.0.0.1", done));
  const { port } = pictures.address() as AddressInfo;
  const mcpServers = {
    drive: { name: "Drive", url: drive.url },
    secret: { url: drive.url, teams: ["team_blue"] },
    open: { url: open.url, icon_url: `http://127.0.0.1:${port}/icon` },
    almanac: { command: "node", args: ["nothing.mjs"] },
  };
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
  writeFileSync(
    join(workspace, "wheelhouse.yaml"),
    `people:\n${person}\nallow_private: ["127.0.0.1:${port}"]\n`,
  );
  app = await startAgentService({ workspace, empty: false, logTo: (line) => lines.push(line) });
});
afterAll(async () => {
  await app.stop();
  await drive.close();
  await open.close();
  pictures.close();
  rmSync(workspace, { recursive: true, force: true });
});
afterEach(async () => {
  drive.lie({});
  drive.signInAs("ada@example.com");
  const { db } = app.context.store;
  for (const table of ["mcp_connections", "mcp_sign_ins", "mcp_tools"] as const)
    await db.deleteFrom(table).execute();
});

async function start(browser: SignInBrowser, key: KeyName, body: object): Promise<string> {
  const begun = await browser.post(key, "/mcp/oauth/start", body);
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  return String(begun.body.authorization_url);
}

/** The whole way, in one browser. */
async function signIn(
  key: KeyName,
  body: object,
): Promise<{ status: number; location: string | null; text: string }> {
  const browser = new SignInBrowser(app);
  return browser.open(await browser.consent(await start(browser, key, body)));
}

async function shown(key: KeyName, query = "", id = "drive") {
  const { body } = await app.call(key, "GET", `/mcp/servers${query}`);
  return body.servers.find((server: { server_id: string }) => server.server_id === id);
}
const tryEcho = (key: KeyName, query = "") =>
  app.call(key, "POST", `/mcp/servers/drive/tools/echo/call${query}`, { arguments: { text: "Ahoy" } });

describe("signing in to a server that wants it", () => {
  it("connects the person, with discovery, registration and PKCE, and the catalogue notices by itself", async () => {
    expect((await app.call("kim", "GET", "/mcp/servers/drive/tools")).body).toMatchObject({
      status: "unauthenticated",
      tools: [],
    });
    expect(await shown("kim")).toMatchObject({
      status: "unauthenticated",
      service_auth_url: `${app.service.url}/mcp?server=drive`,
      connection: { auth: "sign_in", signed_in_at: null },
    });
    const ended = await signIn("kim", { server_id: "drive" });
    expect(ended).toMatchObject({ status: 303, location: "/mcp?server=drive&connected=1" });
    expect(await shown("kim")).toMatchObject({
      status: "connected",
      tool_count: 5,
      connection: {
        auth: "sign_in",
        signed_in_at: expect.stringMatching(/Z$/),
        succeeded_at: expect.stringMatching(/Z$/),
        failure: null,
        held_tool_call_ids: [],
      },
    });
    expect((await tryEcho("kim")).body).toMatchObject({ content: [{ text: "Ahoy" }] });
    expect(drive.calls.at(-1)).toEqual({ tool: "echo", account: "ada@example.com" });
    expect(drive.tokenRequests.at(-1)?.get("resource")).toBe(drive.url);
    expect(drive.registered.at(-1)?.redirect_uris).toEqual([`${app.service.url}/mcp/oauth/callback`]);
  });

  it("keeps personal and team connections apart, and never takes one for the other", async () => {
    await signIn("kim", { server_id: "drive" });
    drive.signInAs("team@example.com");
    expect(await shown("kim", "?team_id=team_red")).toMatchObject({
      status: "unauthenticated",
      service_auth_url: `${app.service.url}/mcp?server=drive&team_id=team_red`,
    });
    const refused = { status: 409, body: { error: { code: "not_connected" } } };
    expect(await tryEcho("kim", "?team_id=team_red")).toMatchObject(refused);
    expect(await tryEcho("lee")).toMatchObject(refused);
    const ended = await signIn("lee", { server_id: "drive", team_id: "team_red" });
    expect(ended.location).toBe("/mcp?server=drive&team_id=team_red&connected=1");
    expect((await tryEcho("red")).status).toBe(200);
    expect((await tryEcho("kim", "?team_id=team_red")).status).toBe(200);
    expect(drive.calls.at(-1)?.account).toBe("team@example.com");
    expect(await shown("lee")).toMatchObject({ status: "unauthenticated" });
    await tryEcho("kim");
    expect(drive.calls.at(-1)?.account).toBe("ada@example.com");
    expect(
      (
        await new SignInBrowser(app).post("kim", "/mcp/oauth/start", {
          server_id: "drive",
          team_id: "team_blue",
        })
      ).status,
    ).toBe(403);
  });

  it("always begins anew, whoever is connected, and forgets what was asked to be forgotten", async () => {
    await signIn("kim", { server_id: "drive" });
    drive.signInAs("other@example.com");
    await signIn("kim", { server_id: "drive" });
    await tryEcho("kim");
    expect(drive.calls.at(-1)?.account).toBe("other@example.com");
    const browser = new SignInBrowser(app);
    expect((await browser.post("kim", "/mcp/oauth/disconnect", { server_id: "drive" })).body).toEqual({
      disconnected: true,
    });
    const recorded = await auditEntries(app.context);
    expect(recorded.slice(-4).map(({ action }) => action)).toEqual([
      "mcp.begin_sign_in",
      "mcp.connect",
      "mcp.call_tool",
      "mcp.disconnect",
    ]);
    expect(recorded.at(-1)).toMatchObject({ object_id: "drive", user_id: "user_kim", team_id: null });
    expect((await browser.post("kim", "/mcp/oauth/disconnect", { server_id: "drive" })).body).toEqual({
      disconnected: false,
    });
    expect(await shown("kim")).toMatchObject({ status: "unauthenticated" });
    expect((await tryEcho("kim")).body.error.message).toContain("not signed in");
  });

  it("renews a token that ran out, once for all who use it, and says when the sign-in is over", async () => {
    await signIn("kim", { server_id: "drive" });
    const before = drive.tokenRequests.length;
    drive.expire();
    const answers = await Promise.all(Array.from({ length: 8 }, () => tryEcho("kim")));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const renewals = drive.tokenRequests.slice(before);
    expect(renewals.map((form) => form.get("grant_type"))).toEqual(["refresh_token"]);
    drive.expire();
    drive.lie({ tokenStatus: 503 });
    expect((await tryEcho("kim")).body.error.message).toContain("cannot be renewed right now");
    expect(await shown("kim")).toMatchObject({
      status: "connected",
      connection: { failure: "The sign-in of drive cannot be renewed right now.".replace("drive", "Drive") },
    });
    drive.lie({});
    expect((await tryEcho("kim")).status).toBe(200);
    drive.expire("all");
    expect((await tryEcho("kim")).body.error.message).toContain("sign in again");
    expect(await shown("kim")).toMatchObject({
      status: "unauthenticated",
      connection: { signed_in_at: expect.any(String), failure: expect.stringContaining("sign in again") },
    });
  });

  it("says where there is nothing to sign in to", async () => {
    const browser = new SignInBrowser(app);
    for (const id of ["open", "almanac"]) {
      const { status, body } = await browser.post("kim", "/mcp/oauth/start", { server_id: id });
      expect([status, body]).toMatchObject([409, { error: { code: "sign_in_not_offered" } }]);
    }
    drive.lie({ noRegistration: true });
    const refused = await browser.post("kim", "/mcp/oauth/start", { server_id: "drive" });
    expect(refused.body).toMatchObject({
      error: { message: expect.stringContaining("registered client in mcp.json") },
    });
    expect((await browser.post(null, "/mcp/oauth/start", { server_id: "drive" })).status).toBe(401);
    expect((await browser.post("kim", "/mcp/oauth/start", { server_id: "secret" })).status).toBe(404);
    expect((await browser.post("kim", "/mcp/oauth/start", {})).body).toMatchObject({
      error: { code: "invalid_body", param: "server_id" },
    });
  });
});

describe("S-49: a sign-in that comes back wrong", () => {
  it("is refused in another browser, also with the right state, and stays for the browser that began it", async () => {
    const mine = new SignInBrowser(app);
    const back = await mine.consent(await start(mine, "kim", { server_id: "drive" }));
    const theirs = new SignInBrowser(app);
    await start(theirs, "lee", { server_id: "drive" });
    const refused = await theirs.open(back);
    expect([refused.status, refused.location]).toEqual([400, null]);
    expect(refused.text).toContain("belongs to another browser");
    expect(await shown("lee")).toMatchObject({ status: "unauthenticated" });
    expect((await mine.open(back)).status).toBe(303);
    expect(await shown("lee")).toMatchObject({ status: "unauthenticated" });
  });

  it("works once, and for ten minutes", async () => {
    const browser = new SignInBrowser(app);
    const back = await browser.consent(await start(browser, "kim", { server_id: "drive" }));
    const both = await Promise.all([browser.open(back), browser.open(back)]);
    expect(both.map(({ status }) => status).sort()).toEqual([303, 400]);
    const late = await browser.consent(await start(browser, "lee", { server_id: "drive" }));
    await app.context.store.pool.query("update mcp_sign_ins set expires_at = now() - interval '1 second'");
    expect((await browser.open(late)).text).toContain("ten minutes");
    expect(await shown("lee")).toMatchObject({ status: "unauthenticated" });
  });

  it.each([
    ["a made-up state", (back: URL) => back.searchParams.set("state", "x".repeat(43))],
    ["no state", (back: URL) => back.searchParams.delete("state")],
    ["another code", (back: URL) => back.searchParams.set("code", "stolen")],
    ["no code", (back: URL) => back.searchParams.delete("code")],
    ["the name of another issuer", (back: URL) => back.searchParams.set("iss", "https://evil.example")],
  ])("is refused with %s, in plain words without the sign-in's own", async (_, spoil) => {
    const browser = new SignInBrowser(app);
    const back = new URL(await browser.consent(await start(browser, "kim", { server_id: "drive" })));
    spoil(back);
    const refused = await browser.open(back.href);
    expect(refused.status).toBe(400);
    expect(refused.text).toMatch(/<h1>.+<\/h1>/);
    expect(refused.text).not.toContain("stolen");
    expect(await shown("kim")).toMatchObject({ status: "unauthenticated" });
  });

  it("says so when the person refused there", async () => {
    drive.signInAs(null);
    const refused = await signIn("kim", { server_id: "drive" });
    expect(refused.text).toContain("Access was denied there");
    expect(refused.text).toContain('href="/mcp?server=drive"');
  });

  it("is refused for somebody who left the team meanwhile", async () => {
    const browser = new SignInBrowser(app);
    const back = await browser.consent(
      await start(browser, "lee", { server_id: "drive", team_id: "team_blue" }),
    );
    const { pool } = app.context.store;
    await pool.query("delete from team_members where team_id = 'team_blue' and user_id = 'user_lee'");
    expect((await browser.open(back)).status).toBe(400);
    await pool.query("insert into team_members values ('team_blue', 'user_lee')");
    expect(await shown("blue")).toMatchObject({ status: "unauthenticated" });
  });

  it("S-304: is refused for somebody who may only look on in the team meanwhile, or was deactivated", async () => {
    const { pool } = app.context.store;
    const lee = "where user_id = 'user_lee'";
    for (const [asks, there, back] of [
      [
        { team_id: "team_blue" },
        `update team_members set role = 'viewer' ${lee} and team_id = 'team_blue'`,
        `update team_members set role = 'editor' ${lee} and team_id = 'team_blue'`,
      ],
      [
        {},
        "update users set deactivated_at = now() where id = 'user_lee'",
        "update users set deactivated_at = null where id = 'user_lee'",
      ],
    ] as const) {
      const browser = new SignInBrowser(app);
      const returns = await browser.consent(await start(browser, "lee", { server_id: "drive", ...asks }));
      await pool.query(there);
      const { status } = await browser.open(returns);
      await pool.query(back);
      expect([there, status]).toEqual([there, 400]);
    }
  });
});

describe("S-20: what belongs to others", () => {
  const calls = [
    ["/mcp/oauth/start", {}],
    ["/mcp/oauth/disconnect", {}],
    ["/mcp/tools/approve", { tools: [{ tool_call_id: "drive__echo", definition_hash: "x" }] }],
  ] as const;
  it.each(calls)(
    "%s wants a credential, a team of one's own and a server that one may see",
    async (path, body) => {
      await signIn("lee", { server_id: "drive", team_id: "team_blue" });
      const ask = async (key: KeyName | null, more: object) => {
        return (await new SignInBrowser(app).post(key, path, { server_id: "drive", ...body, ...more }))
          .status;
      };
      expect(await ask(null, {})).toBe(401);
      expect(await ask("kim", { team_id: "team_blue" })).toBe(403);
      expect(await ask("red", { team_id: "team_blue" })).toBe(403);
      expect(await ask("kim", { server_id: "secret" })).toBe(404);
      expect(await ask("kim", { server_id: "nothing" })).toBe(404);
      expect(await ask("kim", { server_id: 7 })).toBe(400);
      expect((await fetch(app.service.url + path, { headers: { accept: "application/json" } })).status).toBe(
        404,
      );
      expect(await shown("blue")).toMatchObject({ status: "connected" });
    },
  );
});

it("a picture is served as what it is, from here, under a policy that lets nothing run", async () => {
  const answer = await fetch(`${app.service.url}/icons/mcp/open`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(Buffer.from(await answer.arrayBuffer()).equals(png)).toBe(true);
  const etag = answer.headers.get("etag") ?? "";
  for (const names of [etag, `W/${etag}`, `"older", ${etag}`]) {
    const headers = { "if-none-match": names };
    expect((await fetch(`${app.service.url}/icons/mcp/open`, { headers })).status, names).toBe(304);
  }
  for (const id of ["drive", "nothing", "..%2f..%2fetc"])
    expect((await fetch(`${app.service.url}/icons/mcp/${id}`)).status).toBe(404);
});

describe("what a server may say of its sign-in", () => {
  it("S-49: a resource that is another address is refused before anybody is sent anywhere", async () => {
    drive.lie({ resource: "https://other.example/mcp" });
    const { status, body } = await new SignInBrowser(app).post("kim", "/mcp/oauth/start", {
      server_id: "drive",
    });
    expect([status, body]).toMatchObject([
      502,
      { error: { message: expect.stringContaining("another address") } },
    ]);
  });

  it("S-40: a token endpoint on a private address is not asked", async () => {
    const canary = await startMcpServer();
    drive.lie({ tokenEndpoint: canary.url });
    expect((await signIn("kim", { server_id: "drive" })).status).toBe(400);
    expect(canary.requests()).toBe(0);
    await canary.close();
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "ms-msdt:/id"])(
    "an address that is no web page is no place to send a browser to: %s",
    async (authorizationEndpoint) => {
      drive.lie({ authorizationEndpoint });
      const { status, body } = await new SignInBrowser(app).post("kim", "/mcp/oauth/start", {
        server_id: "drive",
      });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(body)).not.toContain(authorizationEndpoint.split(":")[0]);
    },
  );
});

describe("S-49, S-50: secrets", () => {
  it("the caller's own key never reaches a server, and tokens are nowhere but sealed in their column", async () => {
    await signIn("kim", { server_id: "drive" });
    await tryEcho("kim");
    const tokens = [...drive.seen].map((header) => header.replace("Bearer ", ""));
    expect(tokens.length).toBeGreaterThan(0);
    for (const key of Object.values(app.keys)) expect(tokens.join()).not.toContain(key);
    for (const token of tokens) expect(token).toMatch(/^access-/);
    const { rows } = await app.context.store.pool.query(
      "select (select string_agg(t::text, '') from mcp_connections t) || (select coalesce(string_agg(t::text, ''), '') from mcp_sign_ins t) as all",
    );
    const stored = String(rows[0].all);
    const answers = JSON.stringify([
      await shown("kim"),
      (await app.call("kim", "GET", "/mcp/servers/drive/tools")).body,
    ]);
    for (const where of [stored, answers, lines.join("\n")]) {
      expect(where).not.toMatch(/access-|refresh-/);
      for (const form of drive.tokenRequests) {
        for (const name of ["code", "code_verifier"]) expect(where).not.toContain(form.get(name) ?? "-none-");
      }
    }
  });
});
