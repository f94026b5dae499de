import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { mcpFor } from "../../testing/mcp.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";
import { addPeople } from "../../testing/people.ts";

const { signal } = new AbortController();
const ann = { type: "user", id: "user_ann" } as const;
let fresh: FreshStore;
let drive: OAuthMcpServer;

beforeAll(async () => {
  fresh = await freshStore();
  await addPeople(fresh.store);
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  drive = await startOAuthMcpServer();
});
afterEach(() => drive.close());

/** Begins a sign-in with a client that the operator registered there. */
async function begin(issuer: string | undefined) {
  const oauth = { client_id: "ours", client_secret: "a secret of ours", issuer };
  const mcp = mcpFor(fresh.store, { drive: { name: "Drive", url: drive.url, oauth } });
  try {
    return new URL(
      (await mcp.startSignIn("drive", ann, { person: ann.id }, signal)).authorizationUrl,
    ).searchParams.get("client_id");
  } finally {
    await mcp.close();
  }
}

it("S-345: a registered client goes to no other sign-in than its own, whatever the server names", async () => {
  await expect(begin("https://login.example")).rejects.toMatchObject({
    failure: "unreachable",
    message:
      "The MCP server Drive names another sign-in than the issuer in mcp.json, so nothing was started.",
  });
  expect(drive.registered).toEqual([]);
  const { origin } = new URL(drive.url);
  for (const own of [origin, `${origin}/`, undefined]) expect(await begin(own)).toBe("ours");
});
