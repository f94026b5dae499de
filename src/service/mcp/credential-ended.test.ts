import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { SignInBrowser } from "../../testing/mcp-sign-in.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";

const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-credential-ended-"));
const person = "  - { id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
let drive: OAuthMcpServer;
let app: AgentService;

beforeAll(async () => {
  drive = await startOAuthMcpServer();
  const mcpServers = { drive: { url: drive.url } };
  writeFileSync(join(workspace, "mcp.json"), JSON.stringify({ mcpServers }));
  writeFileSync(join(workspace, "wheelhouse.yaml"), `people:\n${person}\n`);
  app = await startAgentService({ workspace, empty: false });
});
afterAll(async () => {
  await app.stop();
  await drive.close();
  rmSync(workspace, { recursive: true, force: true });
});

it.each([
  ["a person's", "kim", "user_id = 'user_kim'"],
  ["a team's", "red", "kind = 'team' and team_id = 'team_red'"],
] as const)(
  "S-343: a sign-in that was begun with %s credential, which has ended since, connects nobody",
  async (_, key, whose) => {
    const { pool } = app.context.store;
    const begin = async (): Promise<[SignInBrowser, string]> => {
      const browser = new SignInBrowser(app);
      const begun = await browser.post(key, "/mcp/oauth/start", { server_id: "drive" });
      return [browser, await browser.consent(String(begun.body.authorization_url))];
    };
    const before = drive.tokenRequests.length;
    const [browser, back] = await begin();
    await pool.query(`update credentials set revoked_at = now() where ${whose}`);
    const ended = await browser.open(back);
    await pool.query(`update credentials set revoked_at = null where ${whose}`);
    expect([ended.status, ended.location]).toEqual([400, null]);
    expect(ended.text).toContain("cannot be finished");
    expect(await app.context.store.db.selectFrom("mcp_connections").select("owner").execute()).toEqual([]);
    expect(drive.tokenRequests).toHaveLength(before);
    const [again, returns] = await begin();
    expect((await again.open(returns)).status).toBe(303);
    await again.post(key, "/mcp/oauth/disconnect", { server_id: "drive" });
    await app.context.store.db.deleteFrom("mcp_connections").execute();
  },
);
