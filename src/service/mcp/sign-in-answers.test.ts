import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor, signInTo } from "../../testing/mcp.ts";
import { type OAuthMcpServer, startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";
import { addPeople } from "../../testing/people.ts";
import type { Mcp } from "./mcp.ts";

const { signal } = new AbortController();
const ann = { type: "user", id: "user_ann" } as const;
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
  for (const table of ["mcp_connections", "mcp_sign_ins"] as const)
    await fresh.store.db.deleteFrom(table).execute();
  vi.restoreAllMocks();
});

const signIn = () => signInTo(mcp, "drive", ann);
const echo = () =>
  callTool(mcp, "drive", ann, { tool: "echo", args: { text: "Ahoy" }, key: "1-0-turn_x", signal });

it("S-341: what a sign-in says of a refusal, secrets that it was sent among it, is written nowhere", async () => {
  const said = (["debug", "log", "info", "warn", "error"] as const).map((method) =>
    vi.spyOn(console, method).mockImplementation(() => {}),
  );
  const written = () => said.flatMap(({ mock }) => mock.calls.flat()).join("\n");
  drive.lie({ repeats: "\u009b2J\n{}" });
  expect(await signIn()).toMatchObject({ type: "refused", why: "failed" });
  drive.lie({});
  expect(await signIn()).toMatchObject({ type: "connected" });
  drive.expire();
  drive.lie({ repeats: "\u009b2J\n{}" });
  await expect(echo()).rejects.toMatchObject({ failure: "unauthenticated" });
  expect(drive.tokenRequests.length).toBeGreaterThan(2);
  expect(written()).not.toMatch(/\u009b|code_verifier|refresh-|2J/);
});

it.each(["metadata", "registration"] as const)(
  "S-342: a sign-in whose %s are megabytes is not begun, and nothing of it is kept",
  async (to) => {
    drive.lie({ longAnswers: { to, length: 9_000_000 } });
    await expect(mcp.startSignIn("drive", ann, { person: ann.id }, signal)).rejects.toMatchObject({
      failure: "unreachable",
    });
    expect(await fresh.store.db.selectFrom("mcp_sign_ins").select("state").execute()).toEqual([]);
  },
);

it("S-342: tokens that come with megabytes are not taken, at the sign-in or when they are renewed", async () => {
  const longAnswers = { to: "tokens", length: 9_000_000 } as const;
  drive.lie({ longAnswers });
  expect(await signIn()).toMatchObject({ type: "refused", why: "failed" });
  drive.lie({});
  expect(await signIn()).toMatchObject({ type: "connected" });
  drive.expire();
  drive.lie({ longAnswers });
  await expect(echo()).rejects.toMatchObject({ failure: "unreachable" });
});
