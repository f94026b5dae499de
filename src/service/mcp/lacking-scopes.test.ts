import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentService } from "../../testing/agents.ts";
import { startMcpHost } from "../../testing/mcp-host.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";
import type { McpOwner } from "./mcp.ts";

const kim: McpOwner = { type: "user", id: "user_kim" };
const { signal } = new AbortController();
let drive: OAuthMcpServer;
let app: AgentService;
beforeAll(async () => {
  drive = await startOAuthMcpServer();
  app = await startMcpHost({ drive: { name: "Drive", url: drive.url } });
});
afterAll(async () => {
  await app.stop();
  await drive.close();
});

const begin = () => app.context.mcp.startSignIn("drive", kim, { person: "user_kim" }, signal);
const scopeOf = async () => new URL((await begin()).authorizationUrl).searchParams.get("scope");

async function signIn(): Promise<void> {
  const { authorizationUrl, state, browser } = await begin();
  const { headers } = await fetch(authorizationUrl, { redirect: "manual" });
  const { searchParams } = new URL(headers.get("location") ?? "");
  const code = searchParams.get("code");
  const ended = await app.context.mcp.finishSignIn(
    { state, code, error: null, issuer: null, browser },
    signal,
  );
  expect(ended.type).toBe("connected");
}

it("S-214: asks for the scopes that the server said were lacking, once, and for nothing that is no scope", async () => {
  await signIn();
  expect(await scopeOf()).toBeNull();
  for (const lacks of ["files:write files:admin", 'a\\"b', "x".repeat(2_000)]) {
    drive.lie({ lacks });
    const body = { arguments: { text: "Ahoy" } };
    const refused = await app.call("kim", "POST", "/mcp/servers/drive/tools/echo/call", body);
    expect(refused.body.error).toMatchObject({
      code: "not_connected",
      message: "The MCP server Drive requires more rights than the sign-in has given: sign in to it again.",
    });
  }
  expect(await scopeOf()).toBe("files:write files:admin");
  drive.lie({});
  await signIn();
  expect(await scopeOf()).toBeNull();
});

it("S-214: keeps what the sign-in before asked for, also where the server does not say what it gave, and renewed it since", async () => {
  const use = () =>
    app.call("kim", "POST", "/mcp/servers/drive/tools/echo/call", { arguments: { text: "Ahoy" } });
  await signIn();
  drive.lie({ lacks: "files:write" });
  expect((await use()).status).not.toBe(200);
  drive.lie({});
  await signIn();
  drive.expire();
  expect((await use()).status).toBe(200);
  drive.lie({ lacks: "files:admin" });
  expect((await use()).status).not.toBe(200);
  expect(await scopeOf()).toBe("files:write files:admin");
  drive.lie({});
  await signIn();
});

it("S-214: asks for the scope that a server names where anybody may open a session, and wants a sign-in for the rest", async () => {
  drive.lie({ scopeInSession: "files:read" });
  expect(await scopeOf()).toBe("files:read");
  drive.lie({});
  expect(await scopeOf()).toBeNull();
});
