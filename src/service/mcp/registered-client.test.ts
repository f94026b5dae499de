import { describe, expect, it } from "vitest";
import { signInTo } from "../../testing/mcp.ts";
import { signInTests } from "../../testing/sign-in-tests.ts";

const { signal } = new AbortController();
const ann = { type: "user", id: "user_ann" } as const;
const tests = signInTests();

/** Begins a sign-in with a client that the operator registered there. */
async function begin(issuer: string | undefined) {
  const oauth = { client_id: "ours", client_secret: "a secret of ours", issuer };
  const mcp = tests.start({ drive: { name: "Drive", url: tests.drive.url, oauth } });
  const { authorizationUrl } = await mcp.startSignIn("drive", ann, { person: ann.id }, signal);
  return new URL(authorizationUrl).searchParams.get("client_id");
}

it("S-345: a registered client goes to no other sign-in than its own, whatever the server names", async () => {
  await expect(begin("https://login.example")).rejects.toMatchObject({
    failure: "unreachable",
    message:
      "The MCP server Drive names another sign-in than the issuer in mcp.json, so nothing was started.",
  });
  expect(tests.drive.registered).toEqual([]);
  const { origin } = new URL(tests.drive.url);
  for (const own of [origin, `${origin}/`, undefined]) expect(await begin(own)).toBe("ours");
});

it.each(["authorizationEndpoint", "tokenEndpoint", "registrationEndpoint"] as const)(
  "S-354: nothing is begun, and nothing registered, where the %s is reached by plain http",
  async (which) => {
    const mcp = tests.start();
    const begun = () => mcp.startSignIn("drive", ann, { person: ann.id }, signal);
    for (const address of ["http://login.example/there", "HTTP://login.example/there"]) {
      tests.drive.lie({ [which]: address });
      await expect(begun()).rejects.toMatchObject({
        failure: "unreachable",
        message: "The sign-in of Drive is not reached by https alone, so nothing was started.",
      });
    }
    expect(tests.drive.registered).toEqual([]);
    tests.drive.lie({});
    await begun();
  },
);

it("S-355: whoever begins a sign-in again and again registers three clients, and the last can still be finished", async () => {
  const mcp = tests.start();
  const begun = (person: string) =>
    mcp.startSignIn("drive", { type: "user", id: person }, { person }, signal);
  const clients = [];
  for (let n = 0; n < 6; n++)
    clients.push(new URL((await begun(ann.id)).authorizationUrl).searchParams.get("client_id"));
  expect(tests.drive.registered).toHaveLength(3);
  expect([clients[3], clients[5]]).toEqual([clients[2], clients[2]]);
  expect(await signInTo(mcp, "drive", ann)).toMatchObject({ type: "connected" });
  // Those of others are their own.
  await begun("user_ben");
  expect(tests.drive.registered).toHaveLength(4);
});

it("S-369: nor does it register more where each is ended at its callback, which works once all the same", async () => {
  const mcp = tests.start();
  const registered = tests.drive.registered.length;
  for (let n = 0; n < 6; n++) {
    const { state, browser } = await mcp.startSignIn(
      "drive",
      { type: "user", id: "user_ben" },
      { person: "user_ben" },
      signal,
    );
    const back = { ...{ state, browser, code: null, issuer: null }, error: "access_denied" };
    expect(await mcp.finishSignIn(back, signal)).toMatchObject({ type: "refused", why: "denied" });
    expect(await mcp.finishSignIn(back, signal)).toMatchObject({ type: "refused", why: "unknown" });
  }
  expect(tests.drive.registered).toHaveLength(registered + 3);
  expect(await signInTo(mcp, "drive", { type: "user", id: "user_ben" })).toMatchObject({ type: "connected" });
  expect(tests.drive.registered).toHaveLength(registered + 3);
});

it("S-375: a client that the server may have forgotten is used for ten minutes, however often somebody tries meanwhile", async () => {
  let aheadMs = 0;
  const mcp = tests.start(undefined, { clock: { now: () => new Date(Date.now() + aheadMs) } });
  const begun = async () => {
    const { authorizationUrl } = await mcp.startSignIn("drive", ann, { person: ann.id }, signal);
    return new URL(authorizationUrl).searchParams.get("client_id");
  };
  const first = [];
  for (let n = 0; n < 4; n++) first.push(await begun());
  // Each try waits for ten minutes itself.
  aheadMs = 9 * 60_000;
  expect(await begun()).toBe(first[2]);
  aheadMs = 11 * 60_000;
  const anew = await begun();
  expect(first).not.toContain(anew);
  expect(await begun()).toBe(anew);
  expect(tests.drive.registered).toHaveLength(4);
});

describe("A client that its server says it does not know", () => {
  const ben = { type: "user", id: "user_ben" } as const;
  const clientOf = (url: string) => new URL(url).searchParams.get("client_id") ?? "";
  const begun = async (mcp: ReturnType<typeof tests.start>) =>
    clientOf((await mcp.startSignIn("drive", ben, { person: ben.id }, signal)).authorizationUrl);

  it("S-379: is used no more after it was told so at the end of a sign-in, though its ten minutes are not over", async () => {
    const mcp = tests.start();
    let last = "";
    for (let n = 0; n < 4; n++) last = await begun(mcp);
    expect(tests.drive.registered).toHaveLength(3);
    tests.drive.lie({ forgets: (client) => client === last });
    expect(await signInTo(mcp, "drive", ben)).toMatchObject({ type: "refused", why: "failed" });
    expect(await signInTo(mcp, "drive", ben)).toMatchObject({ type: "connected" });
    expect(tests.drive.registered).toHaveLength(4);
  });

  it("S-379: nor after it was told so when a sign-in was renewed", async () => {
    const mcp = tests.start();
    for (let n = 0; n < 3; n++) await begun(mcp);
    expect(await signInTo(mcp, "drive", ben)).toMatchObject({ type: "connected" });
    const last = await begun(mcp);
    expect(tests.drive.registered).toHaveLength(3);
    tests.drive.lie({ forgets: (client) => client === last });
    tests.drive.expire();
    await expect(mcp.listTools("drive", ben, signal)).rejects.toMatchObject({ failure: "unauthenticated" });
    expect(await signInTo(mcp, "drive", ben)).toMatchObject({ type: "connected" });
    expect(tests.drive.registered).toHaveLength(4);
  });

  it("S-379: has three others at most in its place within ten minutes, where the server knows none of them", async () => {
    let aheadMs = 0;
    const mcp = tests.start(undefined, { clock: { now: () => new Date(Date.now() + aheadMs) } });
    tests.drive.lie({ forgets: () => true });
    const tries = async () => {
      for (let n = 0; n < 25; n++)
        expect(await signInTo(mcp, "drive", ben)).toMatchObject({ type: "refused", why: "failed" });
      return tests.drive.registered.length;
    };
    expect(await tries()).toBe(6);
    aheadMs = 11 * 60_000;
    expect(await tries()).toBe(10);
  });
});
