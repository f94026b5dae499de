import { beforeEach, expect, it } from "vitest";
import { callTool, signInTo } from "../../testing/mcp.ts";
import { signInTests } from "../../testing/sign-in-tests.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

const { signal } = new AbortController();
const ann = { type: "user", id: "user_ann" } as const;
const ben = { type: "user", id: "user_ben" } as const;
const tests = signInTests();
let mcp: Mcp;

beforeEach(() => {
  mcp = tests.start();
});

const echo = (owner: McpOwner | null) =>
  callTool(mcp, "drive", owner, { tool: "echo", args: { text: "Ahoy" }, key: "1-0-turn_x", signal });
const stateOf = async (owner: McpOwner) => (await mcp.states(owner)).get("drive");

it("S-344: who signs in to a server that wants nothing uses it as themselves, and shuts nobody else out", async () => {
  tests.drive.lie({ isOpen: true });
  await echo(ben);
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
  for (const owner of [ben, null]) {
    await echo(owner);
    expect(tests.drive.calls.at(-1)).toEqual({ tool: "echo", account: undefined });
  }
  await echo(ann);
  expect(tests.drive.calls.at(-1)).toEqual({ tool: "echo", account: "ada@example.com" });
  expect(await stateOf(ann)).toMatchObject({ auth: "sign_in", status: "connected" });
  expect(await stateOf(ben)).toMatchObject({ auth: "none", status: "connected" });
});

it("S-344: nor does one refusal while others are signed in", async () => {
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
  await expect(echo(ben)).rejects.toMatchObject({ failure: "unauthenticated" });
  expect(await stateOf(ben)).toMatchObject({ auth: "sign_in", status: "unauthenticated" });
  tests.drive.lie({ isOpen: true });
  await echo(ben);
  expect(tests.drive.calls.at(-1)?.account).toBeUndefined();
  await echo(ann);
  expect(tests.drive.calls.at(-1)?.account).toBe("ada@example.com");
});
