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

const odd = (client: object) => ({ status: 201, body: JSON.stringify(client) });
it("S-405: a registration that is answered otherwise each time, and then well, refuses those whose answer was none alone", async () => {
  const mcp = tests.start();
  const redirect_uris = ["http://localhost:1234/mcp/oauth/callback"];
  const none = [
    ...[503, 500, 429].map((status) => ({ status, body: "" })),
    { status: 400, body: '{"error":"invalid_client_metadata"}' },
    { status: 201, body: "no JSON" },
    ...[{}, { client_id: 7, redirect_uris }, { client_id: null, redirect_uris }, []].map(odd),
  ];
  const others = [
    odd({ client_id: "other", redirect_uris: ["https://elsewhere.example/"], client_name: "Another" }),
    odd({
      client_id: "third",
      redirect_uris,
      token_endpoint_auth_method: "client_secret_post",
      client_secret: "s",
    }),
  ];
  tests.drive.lie({ registrations: [...none, ...others] });
  const begun = await Promise.allSettled(many(mcp));
  const refused = begun.filter(({ status }) => status === "rejected");
  for (const refusal of refused)
    expect(refusal).toMatchObject({
      reason: { name: "McpError", message: expect.stringMatching(/^The sign-in of Drive /) },
    });
  expect(refused).toHaveLength(none.length);
  const clients = begun.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  expect(clients).toEqual(expect.arrayContaining(["other", "third"]));
  expect(tests.drive.registered).toHaveLength(none.length + 3);
  expect(await signInTo(mcp, "drive", { type: "user", id: "user_ben" })).toMatchObject({ type: "connected" });
});

it.each([429, 500, 503])(
  "S-405: a sign-in that answers a registration with %i is not one that lets nobody register",
  async (status) => {
    const mcp = tests.start();
    tests.drive.lie({ registrations: [{ status, body: "" }] });
    await expect(begin(mcp)).rejects.toMatchObject({
      failure: "unreachable",
      message: `The sign-in of Drive answered with the status ${status} when Wheelhouse registered itself.`,
    });
    expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
  },
);
