import { expect, it } from "vitest";
import { signInTo } from "../../testing/mcp.ts";
import { signInTests } from "../../testing/sign-in-tests.ts";
import { until } from "../../testing/until.ts";
import { deferred } from "../deferred.ts";
import type { Mcp } from "./mcp.ts";

const ann = { type: "user", id: "user_ann" } as const;
const tests = signInTests();
const clientOf = (url: string) => new URL(url).searchParams.get("client_id");
const begin = async (mcp: Mcp, signal = new AbortController().signal, person: string = ann.id) =>
  clientOf(
    (await mcp.startSignIn("drive", { type: "user", id: person }, { person }, signal)).authorizationUrl,
  );
const many = (mcp: Mcp) => Array.from({ length: 12 }, () => begin(mcp));

it("S-385: sign-ins that one person begins in the same moment register three clients, as one after the other do", async () => {
  const mcp = tests.start();
  const clients = await Promise.all(many(mcp));
  expect(new Set(clients).size).toBe(3);
  expect(tests.drive.registered).toHaveLength(3);
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
});

it("S-385: so do those of two processes, each of which may register one before it knows of the other's", async () => {
  await Promise.all([...many(tests.start()), ...many(tests.start())]);
  expect(tests.drive.registered.length).toBeLessThanOrEqual(4);
});

it("S-385: where none can register each of them hears why, and the next sign-in is begun", async () => {
  const mcp = tests.start();
  tests.drive.lie({ noRegistration: true });
  const refusals = await Promise.allSettled(many(mcp));
  for (const refusal of refusals)
    expect(refusal).toMatchObject({ status: "rejected", reason: { failure: "no_sign_in" } });
  tests.drive.lie({});
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
});

it("S-385: a registration that is not answered keeps nobody else, nor who gives up waiting", async () => {
  const mcp = tests.start();
  const answered = deferred();
  tests.drive.lie({ registration: answered.promise });
  const first = begin(mcp);
  await until("its registration", () => tests.drive.registered.length === 1);
  const leaving = new AbortController();
  const second = begin(mcp, leaving.signal);
  leaving.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  tests.drive.lie({});
  await begin(mcp, undefined, "user_ben");
  answered.resolve();
  const clients = [await first, await begin(mcp)];
  expect(new Set(clients).size).toBe(2);
});
