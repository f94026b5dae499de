import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { callTool, signInTo } from "../../testing/mcp.ts";
import { signInTests } from "../../testing/sign-in-tests.ts";
import type { Mcp } from "./mcp.ts";

const { signal } = new AbortController();
const ann = { type: "user", id: "user_ann" } as const;
const tests = signInTests();
let mcp: Mcp;

beforeEach(() => {
  mcp = tests.start();
});
afterEach(() => {
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
  tests.drive.lie({ repeats: "\u009b2J\n{}" });
  expect(await signIn()).toMatchObject({ type: "refused", why: "failed" });
  tests.drive.lie({});
  expect(await signIn()).toMatchObject({ type: "connected" });
  tests.drive.expire();
  tests.drive.lie({ repeats: "\u009b2J\n{}" });
  await expect(echo()).rejects.toMatchObject({ failure: "unauthenticated" });
  expect(tests.drive.tokenRequests.length).toBeGreaterThan(2);
  expect(written()).not.toMatch(/\u009b|code_verifier|refresh-|2J/);
});

it.each(["metadata", "registration"] as const)(
  "S-342: a sign-in whose %s are megabytes is not begun, and nothing of it is kept",
  async (to) => {
    tests.drive.lie({ longAnswers: { to, length: 9_000_000 } });
    await expect(mcp.startSignIn("drive", ann, { person: ann.id }, signal)).rejects.toMatchObject({
      failure: "unreachable",
    });
    expect(await tests.store.db.selectFrom("mcp_sign_ins").select("state").execute()).toEqual([]);
  },
);

it("S-342: tokens that come with megabytes are not taken, at the sign-in or when they are renewed", async () => {
  const longAnswers = { to: "tokens", length: 9_000_000 } as const;
  tests.drive.lie({ longAnswers });
  expect(await signIn()).toMatchObject({ type: "refused", why: "failed" });
  tests.drive.lie({});
  expect(await signIn()).toMatchObject({ type: "connected" });
  tests.drive.expire();
  tests.drive.lie({ longAnswers });
  await expect(echo()).rejects.toMatchObject({ failure: "unreachable" });
});
