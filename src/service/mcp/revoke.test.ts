import { beforeEach, expect, it } from "vitest";
import type { Misbehaviour } from "../../testing/oauth-mcp-server.ts";
import { signInTests } from "../../testing/sign-in-tests.ts";
import { until } from "../../testing/until.ts";
import type { Mcp } from "./mcp.ts";
import { revokeTokens } from "./revoke.ts";
import type { SignedInSecrets } from "./secrets.ts";

const { signal } = new AbortController();
const ann = { type: "user", id: "user_ann" } as const;
const tests = signInTests();
let mcp: Mcp;
/** What was told of tokens that could not be given back. */
let faults: unknown[];

beforeEach(() => {
  faults = [];
  const onNotRevoked = (_: string, error: unknown) => void faults.push(error);
  mcp = tests.start(undefined, { onNotRevoked });
});

/** The whole way, through discovery, registration and consent. @returns the access token, as the server saw it */
async function signIn(): Promise<string> {
  const { authorizationUrl, state, browser } = await mcp.startSignIn(
    "drive",
    ann,
    { person: ann.id },
    signal,
  );
  const back = (await fetch(authorizationUrl, { redirect: "manual" })).headers.get("location") ?? "";
  const code = new URL(back).searchParams.get("code");
  const came = await mcp.finishSignIn({ state, code, error: null, issuer: null, browser }, signal);
  expect(came.type).toBe("connected");
  return [...tests.drive.seen].at(-1)?.replace(/^Bearer /, "") ?? "";
}

const status = async () => (await mcp.states(ann)).get("drive")?.status;

it("disconnecting gives the tokens back to the sign-in that gave them, which takes them no more", async () => {
  const access = await signIn();
  const asAnn = { method: "POST", headers: { authorization: `Bearer ${access}` } };
  expect((await fetch(tests.drive.url, asAnn)).status).not.toBe(401);
  expect(await mcp.signOut("drive", ann)).toBe(true);
  await until("both are given back", () => tests.drive.givenBack.length === 2);
  const [refresh, last] = tests.drive.givenBack.map((form) => Object.fromEntries(form));
  expect(refresh).toMatchObject({
    token: expect.stringMatching(/^refresh-/),
    token_type_hint: "refresh_token",
  });
  expect(last).toEqual({
    token: access,
    token_type_hint: "access_token",
    client_id: expect.stringMatching(/^client-/),
  });
  await until("it is refused", async () => (await fetch(tests.drive.url, asAnn)).status === 401);
  expect(faults).toEqual([]);
  // Nobody is signed in any more: there is nothing to give back.
  expect(await mcp.signOut("drive", ann)).toBe(false);
  expect(tests.drive.givenBack).toHaveLength(2);
});

it.each<[string, Misbehaviour]>([
  ["refuses", { revocation: 503 }],
  ["sends the tokens to another address", { revocation: 307 }],
  ["names a private address that the operator did not", { revocationEndpoint: "https://127.0.0.2:9/revoke" }],
  ["names no web address", { revocationEndpoint: "ftp://127.0.0.1/revoke" }],
])(
  "disconnecting works all the same where the sign-in %s, and whoever runs the service is told",
  async (_, lies) => {
    tests.drive.lie(lies);
    await signIn();
    expect(await mcp.signOut("drive", ann)).toBe(true);
    expect(await status()).toBe("unauthenticated");
    await until("the operator is told", () => faults.length === 1);
    expect(String(faults[0])).not.toMatch(/refresh-|access-/);
    expect(tests.drive.givenBack.length).toBe(lies.revocation === undefined ? 0 : 1);
  },
);

it("disconnecting waits for no sign-in that never answers, and closing the service ends the waiting", async () => {
  tests.drive.lie({ revocation: "never" });
  await signIn();
  expect(await mcp.signOut("drive", ann)).toBe(true);
  expect(await status()).toBe("unauthenticated");
  await until("it was asked", () => tests.drive.givenBack.length === 1);
  expect(faults).toEqual([]);
  await mcp.close();
  await until("the waiting is over", () => faults.length === 1);
});

it("gives nothing back where the sign-in names no place for it", async () => {
  tests.drive.lie({ revocation: null });
  const access = await signIn();
  expect(await mcp.signOut("drive", ann)).toBe(true);
  const asAnn = { method: "POST", headers: { authorization: `Bearer ${access}` } };
  expect((await fetch(tests.drive.url, asAnn)).status).not.toBe(401);
  expect([tests.drive.givenBack, faults]).toEqual([[], []]);
});

const opens = async (access: string) => {
  const headers = { authorization: `Bearer ${access}` };
  return (await fetch(tests.drive.url, { method: "POST", headers })).status !== 401;
};

it("signing in again gives the tokens of before back once the new ones are kept, and the new ones go on", async () => {
  const before = await signIn();
  const after = await signIn();
  expect(after).not.toBe(before);
  await until("both are given back", () => tests.drive.givenBack.length === 2);
  const hints = tests.drive.givenBack.map((form) => form.get("token_type_hint"));
  expect([hints, tests.drive.givenBack[1]?.get("token")]).toEqual([
    ["refresh_token", "access_token"],
    before,
  ]);
  await until("they are refused", async () => !(await opens(before)));
  expect([await opens(after), await status(), faults]).toEqual([true, "connected", []]);
  await mcp.listTools("drive", ann, signal);
});

it.each<[string, Misbehaviour, number]>([
  ["never answers", { revocation: "never" }, 1],
  ["refuses", { revocation: 503 }, 1],
  ["names a private address that the operator did not", { revocationEndpoint: "https://127.0.0.2:9/r" }, 0],
  ["names no place for it", { revocation: null }, 0],
])("signing in again connects all the same where the sign-in of before %s", async (_, lies, asked) => {
  tests.drive.lie(lies);
  await signIn();
  await signIn();
  expect(await status()).toBe("connected");
  await until("it was asked", () => tests.drive.givenBack.length === asked);
  await mcp.close();
  await until("the operator is told", () => faults.length === (lies.revocation === null ? 0 : 1));
});

it("signing in again as a client that the operator registered gives nothing back: it might end the new sign-in", async () => {
  const redirect_uris = ["http://localhost:1234/mcp/oauth/callback"];
  const body = JSON.stringify({ redirect_uris });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(new URL("/register", tests.drive.url), { method: "POST", headers, body });
  const { client_id }: { client_id: string } = await answer.json();
  await mcp.close();
  mcp = tests.start({ drive: { url: tests.drive.url, oauth: { client_id } } });
  const before = await signIn();
  const after = await signIn();
  expect([await opens(before), await opens(after), tests.drive.givenBack]).toEqual([true, true, []]);
  // Disconnecting takes back what is kept.
  expect(await mcp.signOut("drive", ann)).toBe(true);
  await until("it is given back", () => tests.drive.givenBack.length === 2);
});

it("of two sign-ins that end at once the tokens of one are kept, and those of the other given back", async () => {
  await Promise.all([signIn(), signIn()]);
  await until("one's are given back", () => tests.drive.givenBack.length === 2);
  await mcp.listTools("drive", ann, signal);
  expect([await status(), faults]).toEqual(["connected", []]);
});

it.each<[string, () => Promise<unknown>, number]>([
  ["somebody signs in again", signIn, 2],
  ["somebody disconnects", () => mcp.signOut("drive", ann), 0],
])("tokens that are renewed while %s are given back when their answer comes", async (_, act, left) => {
  await signIn();
  // The access token ends, and what uses the connection renews it; the answer takes its time.
  tests.drive.expire();
  let answer = () => {};
  tests.drive.lie({
    renewal: new Promise((resolve) => {
      answer = resolve;
    }),
  });
  const using = mcp.listTools("drive", ann, signal).catch((error: unknown) => error);
  await until(
    "the renewal is asked for",
    () => tests.drive.tokenRequests.at(-1)?.get("grant_type") === "refresh_token",
  );
  await act();
  answer();
  await using;
  await until(`${left} tokens are good`, () => tests.drive.good().length <= left);
  expect(faults).toEqual([]);
  if (left === 0) return;
  // Those of the sign-in, which go on.
  expect((await mcp.listTools("drive", ann, signal)).length).toBeGreaterThan(0);
  expect([await status(), tests.drive.good().length]).toEqual(["connected", left]);
});

it("tokens of a kind that cannot be used are given back", async () => {
  tests.drive.lie({ tokenType: "mac" });
  const { authorizationUrl, state, browser } = await mcp.startSignIn(
    "drive",
    ann,
    { person: ann.id },
    signal,
  );
  const back = (await fetch(authorizationUrl, { redirect: "manual" })).headers.get("location") ?? "";
  const code = new URL(back).searchParams.get("code");
  const came = await mcp.finishSignIn({ state, code, error: null, issuer: null, browser }, signal);
  expect(came).toMatchObject({ type: "refused", why: "failed" });
  await until("none is good", () => tests.drive.good().length === 0);
  expect(faults).toEqual([]);
});

it("S-354: tokens are given back nowhere where others could read them on the way", async () => {
  const asked: unknown[] = [];
  const giveBack = async (revocation_endpoint: string) => {
    const discovery = {
      authorizationServerUrl: "https://as.test",
      authorizationServerMetadata: {
        ...{ issuer: "https://as.test", response_types_supported: ["code"], revocation_endpoint },
        ...{ authorization_endpoint: "https://as.test/a", token_endpoint: "https://as.test/t" },
      },
    };
    const tokens = { access_token: "x", token_type: "Bearer" };
    const secrets = { tokens, client: { client_id: "a" }, discovery, expiresAt: null };
    return await revokeTokens(secrets, async (input) => {
      asked.push(input);
      return new Response(null, { status: 200 });
    });
  };
  await expect(giveBack("http://as.test/r")).rejects.toThrow(/https/);
  expect(asked).toEqual([]);
  const taken = ["https://as.test/r", "http://127.0.0.1:9/r", "http://localhost:9/r", "http://[::1]:9/r"];
  for (const endpoint of taken) expect([endpoint, await giveBack(endpoint)]).toEqual([endpoint, true]);
});

it.each([
  [undefined, { authorization: "Basic YSUzQWI6cyUyNnQ=" }, {}],
  [["client_secret_post"], {}, { client_id: "a:b", client_secret: "s&t" }],
])(
  "proves who it is by a secret, where the client has one, as the sign-in wants it: %j",
  async (methods, headers, fields) => {
    const secrets: SignedInSecrets = {
      tokens: { access_token: "x", token_type: "Bearer" },
      client: { client_id: "a:b", client_secret: "s&t" },
      discovery: {
        authorizationServerUrl: "https://as.test",
        authorizationServerMetadata: {
          ...{ issuer: "https://as.test", response_types_supported: ["code"] },
          ...{ authorization_endpoint: "https://as.test/a", token_endpoint: "https://as.test/t" },
          revocation_endpoint: "https://as.test/r",
          ...(methods && { revocation_endpoint_auth_methods_supported: methods }),
        },
      },
      expiresAt: null,
    };
    const sent: Request[] = [];
    const took = await revokeTokens(secrets, async (input, init) => {
      sent.push(new Request(input, init));
      return new Response(null, { status: 200 });
    });
    expect([took, sent.map(({ url }) => url)]).toEqual([true, ["https://as.test/r"]]);
    const [request] = sent;
    expect(request?.headers.get("authorization")).toBe(
      "authorization" in headers ? headers.authorization : null,
    );
    const body = new URLSearchParams(await request?.text());
    expect(Object.fromEntries(body)).toEqual({ token: "x", token_type_hint: "access_token", ...fields });
  },
);
