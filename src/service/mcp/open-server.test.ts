import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor, signInTo } from "../../testing/mcp.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";
import { addPeople } from "../../testing/people.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

const { signal } = new AbortController();
const ann = { type: "user", id: "user_ann" } as const;
const ben = { type: "user", id: "user_ben" } as const;
let fresh: FreshStore;
let drive: OAuthMcpServer;
let mcp: Mcp;

beforeAll(async () => {
  fresh = await freshStore();
  await addPeople(fresh.store);
});
afterAll(() => fresh.drop());
beforeEach(async () => {
  drive = await startOAuthMcpServer();
  mcp = mcpFor(fresh.store, { drive: { name: "Drive", url: drive.url } });
});
afterEach(async () => {
  await mcp.close();
  await drive.close();
  for (const table of ["mcp_connections", "mcp_servers", "mcp_tools"] as const)
    await fresh.store.db.deleteFrom(table).execute();
});

const echo = (owner: McpOwner | null) =>
  callTool(mcp, "drive", owner, { tool: "echo", args: { text: "Ahoy" }, key: "1-0-turn_x", signal });
const stateOf = async (owner: McpOwner) => (await mcp.states(owner)).get("drive");

it("S-344: who signs in to a server that wants nothing uses it as themselves, and shuts nobody else out", async () => {
  drive.lie({ isOpen: true });
  await echo(ben);
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
  for (const owner of [ben, null]) {
    await echo(owner);
    expect(drive.calls.at(-1)).toEqual({ tool: "echo", account: undefined });
  }
  await echo(ann);
  expect(drive.calls.at(-1)).toEqual({ tool: "echo", account: "ada@example.com" });
  expect(await stateOf(ann)).toMatchObject({ auth: "sign_in", status: "connected" });
  expect(await stateOf(ben)).toMatchObject({ auth: "none", status: "connected" });
});

it("S-344: nor does one refusal while others are signed in", async () => {
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
  await expect(echo(ben)).rejects.toMatchObject({ failure: "unauthenticated" });
  expect(await stateOf(ben)).toMatchObject({ auth: "sign_in", status: "unauthenticated" });
  drive.lie({ isOpen: true });
  await echo(ben);
  expect(drive.calls.at(-1)?.account).toBeUndefined();
  await echo(ann);
  expect(drive.calls.at(-1)?.account).toBe("ada@example.com");
});
