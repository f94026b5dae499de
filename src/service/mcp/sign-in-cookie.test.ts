import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { SignInBrowser } from "../../testing/mcp-sign-in.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";

const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-sign-in-cookie-"));
const publicUrl = "https://wheelhouse.example";
const person = "  - { id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
let drive: OAuthMcpServer;
let app: AgentService;

beforeAll(async () => {
  drive = await startOAuthMcpServer();
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers: { drive: { url: drive.url } } }));
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n${person}\n`);
  app = await startAgentService({ workspace, empty: false, publicUrl });
});
afterAll(async () => {
  await app.stop();
  await drive.close();
  rmSync(workspace, { recursive: true, force: true });
});

it("S-346: no other host of the domain can have a browser finish a sign-in that somebody else began", async () => {
  const mine = new SignInBrowser(app);
  const begun = await mine.post("kim", "/mcp/oauth/start", { server_id: "drive" });
  const cookie = begun.response.headers.get("set-cookie") ?? "";
  const [, prefix, name, value] = /^(__Host-)?(wheelhouse_mcp_\w+)=([^;]+);/.exec(cookie) ?? [];
  const away = await mine.consent(String(begun.body.authorization_url));
  const back = away.replace(publicUrl, app.service.url);
  // Browsers let only the host itself set a cookie of this name, for all of it and over TLS.
  expect(prefix).toBe("__Host-");
  expect(cookie).toMatch(/; Path=\/;.*; HttpOnly; SameSite=Lax; Secure$/);
  const tossed = await fetch(back, { redirect: "manual", headers: { cookie: `${name}=${value}` } });
  expect([tossed.status, await tossed.text()]).toEqual([
    400,
    expect.stringContaining("belongs to another browser"),
  ]);
  expect((await mine.open(back)).status).toBe(303);
});
