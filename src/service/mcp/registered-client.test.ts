import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { mcpFor, signInTo } from "../../testing/mcp.ts";
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
afterEach(async () => {
  await drive.close();
  await fresh.store.db.deleteFrom("mcp_sign_ins").execute();
});

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

it.each(["authorizationEndpoint", "tokenEndpoint", "registrationEndpoint"] as const)(
  "S-354: nothing is begun, and nothing registered, where the %s is reached by plain http",
  async (which) => {
    const mcp = mcpFor(fresh.store, { drive: { name: "Drive", url: drive.url } });
    const begun = () => mcp.startSignIn("drive", ann, { person: ann.id }, signal);
    drive.lie({ [which]: "http://login.example/there" });
    await expect(begun()).rejects.toMatchObject({
      failure: "unreachable",
      message: "The sign-in of Drive is not reached by https alone, so nothing was started.",
    });
    expect(drive.registered).toEqual([]);
    drive.lie({});
    await begun();
    await mcp.close();
  },
);

it("S-355: whoever begins a sign-in again and again registers three clients, and the last can still be finished", async () => {
  const mcp = mcpFor(fresh.store, { drive: { url: drive.url } });
  const begun = (person: string) =>
    mcp.startSignIn("drive", { type: "user", id: person }, { person }, signal);
  const clients = [];
  for (let n = 0; n < 6; n++)
    clients.push(new URL((await begun(ann.id)).authorizationUrl).searchParams.get("client_id"));
  expect(drive.registered).toHaveLength(3);
  expect([clients[3], clients[5]]).toEqual([clients[2], clients[2]]);
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
  // Those of others are their own.
  await begun("user_ben");
  expect(drive.registered).toHaveLength(4);
  await mcp.close();
});
