import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { callTool, variable } from "../../testing/mcp.ts";
import { startMcpServer } from "../../testing/mcp-server.ts";
import { startOAuthMcpServer } from "../../testing/oauth-mcp-server.ts";
import { signInTests } from "../../testing/sign-in-tests.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import { clientMetadataDocument } from "./client-metadata.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

const { signal } = new AbortController();
const kim: McpOwner = { type: "user", id: "user_kim" };
const tests = signInTests();

beforeAll(async () => {
  const person = { first_name: "Kim", last_name: "T", email: "kim@example.com", profile_picture: null };
  await tests.store.db
    .insertInto("users")
    .values({ id: "user_kim", plan: "pro", ...person })
    .execute();
});

async function signIn(mcp: Mcp): Promise<void> {
  const { authorizationUrl, state, browser } = await mcp.startSignIn(
    "drive",
    kim,
    { person: "user_kim" },
    signal,
  );
  const consent = await fetch(authorizationUrl, { redirect: "manual" });
  const code = new URL(consent.headers.get("location") ?? "").searchParams.get("code");
  const ended = await mcp.finishSignIn({ state, code, error: null, issuer: null, browser }, signal);
  expect(ended.type).toBe("connected");
}

const echo = (mcp: Mcp) =>
  callTool(mcp, "drive", kim, { tool: "echo", args: { text: "Ahoy" }, key: "k", signal });
const stateOf = async (mcp: Mcp, id = "drive") => (await mcp.states(kim)).get(id);

describe("two services on one database", () => {
  it("see one connection, whichever of them began, ended, used or lost it", async () => {
    const [one, two] = [tests.start(), tests.start()];
    expect(await stateOf(two)).toMatchObject({ auth: "unknown", status: "unauthenticated" });
    const { authorizationUrl, state, browser } = await one.startSignIn(
      "drive",
      kim,
      { person: "user_kim" },
      signal,
    );
    const consent = await fetch(authorizationUrl, { redirect: "manual" });
    const code = new URL(consent.headers.get("location") ?? "").searchParams.get("code");
    // The browser comes back to the other one.
    await two.finishSignIn({ state, code, error: null, issuer: null, browser }, signal);
    expect(await stateOf(one)).toMatchObject({ auth: "sign_in", status: "connected", toolCount: 5 });
    await echo(one);
    // A refresh token works once: whoever comes second takes what the first got.
    tests.drive.expire();
    const answers = await Promise.all([echo(one), echo(two), echo(one), echo(two)]);
    expect(answers.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    expect(
      tests.drive.tokenRequests.filter((form) => form.get("grant_type") === "refresh_token"),
    ).toHaveLength(1);
    await two.signOut("drive", kim);
    await expect(echo(one)).rejects.toMatchObject({ failure: "unauthenticated" });
    expect(await stateOf(one)).toMatchObject({ status: "unauthenticated" });
  });

  it("use a new sign-in at once, also where the old one is still open", async () => {
    const [one, two] = [tests.start(), tests.start()];
    await signIn(one);
    await echo(one);
    tests.drive.signInAs("other@example.com");
    await signIn(two);
    await echo(one);
    expect(tests.drive.calls.at(-1)?.account).toBe("other@example.com");
  });
});

describe("while a token is renewed", () => {
  /** A service that stops at its next renewal, in the middle of it. */
  function stopping(during: () => Promise<void>): Mcp {
    return tests.start(undefined, {
      outgoing: (own) => {
        const plain = createOutgoing({ allowPrivate: [...own] });
        const fetch: typeof globalThis.fetch = async (input, init) => {
          const isRenewal = String(init?.body).includes("grant_type=refresh_token");
          const response = await plain.fetch(input, init);
          if (isRenewal) await during();
          return response;
        };
        return { ...plain, fetch };
      },
    });
  }

  it("S-26: a sign-in that is taken back stays taken back", async () => {
    const one = tests.start();
    await signIn(one);
    const two = stopping(async () => void (await one.signOut("drive", kim)));
    tests.drive.expire();
    await expect(echo(two)).rejects.toMatchObject({ failure: "unauthenticated" });
    expect(await stateOf(one)).toMatchObject({ status: "unauthenticated" });
    await expect(echo(one)).rejects.toMatchObject({ failure: "unauthenticated" });
  });

  it("a new sign-in as somebody else stays", async () => {
    const one = tests.start();
    await signIn(one);
    const two = stopping(async () => {
      tests.drive.signInAs("other@example.com");
      await signIn(one);
    });
    tests.drive.expire();
    await echo(two);
    await echo(one);
    expect(tests.drive.calls.at(-1)?.account).toBe("other@example.com");
  });
});

describe("S-45: a server whose address changed", () => {
  it("never gets the tokens of the other address, and they are gone", async () => {
    await signIn(tests.start());
    const thief = await startOAuthMcpServer();
    const moved = tests.start({ drive: { url: thief.url } });
    expect(await stateOf(moved)).toMatchObject({
      status: "unauthenticated",
      auth: "unknown",
      signedInAt: null,
    });
    await expect(echo(moved)).rejects.toMatchObject({ failure: "unauthenticated" });
    expect([...thief.seen]).toEqual([]);
    const rows = await tests.store.db.selectFrom("mcp_connections").selectAll().execute();
    expect(rows.filter(({ secrets }) => secrets !== null)).toEqual([]);
    // Back at the first address the person signs in again.
    await expect(echo(tests.start())).rejects.toMatchObject({ failure: "unauthenticated" });
    await thief.close();
  });

  it("does not finish a sign-in that was begun for the other address", async () => {
    const mcp = tests.start();
    const { authorizationUrl, state, browser } = await mcp.startSignIn(
      "drive",
      kim,
      { person: "user_kim" },
      signal,
    );
    const consent = await fetch(authorizationUrl, { redirect: "manual" });
    const code = new URL(consent.headers.get("location") ?? "").searchParams.get("code");
    const moved = tests.start({ drive: { url: `${tests.drive.url}?moved` } });
    const back = { state, code, error: null, issuer: null, browser };
    expect(await moved.finishSignIn(back, signal)).toMatchObject({ type: "refused" });
    expect(tests.drive.tokenRequests).toEqual([]);
  });
});

it("S-50: tokens that another secret sealed count as none", async () => {
  await signIn(tests.start());
  const other = tests.start(undefined, { secret: "another secret that only tests have" });
  await expect(echo(other)).rejects.toMatchObject({ failure: "unauthenticated" });
  expect(await stateOf(other)).toMatchObject({ status: "unauthenticated" });
});

it("S-22: a box of one row does not open in another", async () => {
  await signIn(tests.start());
  await tests.store.db
    .insertInto("users")
    .values({
      id: "user_lee",
      first_name: "Lee",
      last_name: "T",
      email: "lee@example.com",
      profile_picture: null,
      plan: "pro",
    })
    .execute();
  await tests.store.pool.query(`
    insert into mcp_connections (server_id, owner, user_id, address, secrets, signed_in_at)
    select server_id, 'user:user_lee', 'user_lee', address, secrets, signed_in_at from mcp_connections where owner = 'user:user_kim'`);
  const lee: McpOwner = { type: "user", id: "user_lee" };
  const call = { tool: "echo", args: { text: "a" }, key: "k", signal };
  await expect(callTool(tests.start(), "drive", lee, call)).rejects.toMatchObject({
    failure: "unauthenticated",
  });
});

it("the operator's own client is used where servers register none", async () => {
  tests.drive.lie({ noRegistration: true });
  const oauth = { client_id: "operator", client_secret: variable("SECRET"), scope: "files" };
  const lacking = tests.start({ drive: { url: tests.drive.url, oauth } });
  expect(await stateOf(lacking)).toMatchObject({ failure: expect.stringContaining("SECRET") });
  const mcp = tests.start({ drive: { url: tests.drive.url, oauth } }, { environment: { SECRET: "s" } });
  expect(await stateOf(mcp)).toMatchObject({ auth: "sign_in" });
  const { authorizationUrl } = await mcp.startSignIn("drive", kim, { person: "user_kim" }, signal);
  const { searchParams } = new URL(authorizationUrl);
  expect([searchParams.get("client_id"), searchParams.get("scope")]).toEqual(["operator", "files"]);
  expect(tests.drive.registered).toEqual([]);
});

it("a sign-in that reads documents knows the service by its public address; others get a registration", async () => {
  tests.drive.lie({ readsDocuments: true });
  const before = tests.drive.registered.length;
  const clientOf = async (publicUrl: string) => {
    const mcp = tests.start(undefined, { publicUrl });
    const { authorizationUrl } = await mcp.startSignIn("drive", kim, { person: "user_kim" }, signal);
    return new URL(authorizationUrl).searchParams.get("client_id");
  };
  const address = "https://wheelhouse.example/mcp/oauth/client.json";
  expect(await clientOf("https://wheelhouse.example")).toBe(address);
  expect(tests.drive.registered).toHaveLength(before);
  expect(clientMetadataDocument("https://wheelhouse.example")).toMatchObject({
    ...{ client_id: address, application_type: "web", token_endpoint_auth_method: "none" },
    redirect_uris: ["https://wheelhouse.example/mcp/oauth/callback"],
  });
  // Nobody could read it there.
  expect(await clientOf("http://localhost:1234")).toMatch(/^client-/);
  expect(tests.drive.registered.at(-1)).toMatchObject({ application_type: "native" });
  expect(clientMetadataDocument("http://localhost:1234")).toBeNull();
  tests.drive.lie({});
  expect(await clientOf("https://wheelhouse.example")).toMatch(/^client-/);
  expect(tests.drive.registered.at(-1)).toMatchObject({ application_type: "web" });
});

it("a server that wants somebody is not asked for nobody", async () => {
  const mcp = tests.start();
  await signIn(mcp);
  await expect(mcp.listTools("drive", null, signal)).rejects.toMatchObject({ failure: "no_owner" });
});

describe("the picture of a server", () => {
  const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");
  const serve = async (body: Buffer, type = "image/png", status = 200) => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.writeHead(status, { "content-type": type }).end(body);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { host, asked: () => asked, close: () => server.close() };
  };

  it("is fetched once, and is what its bytes say", async () => {
    const pictures = await serve(png, "text/html");
    const mcp = tests.start(
      { drive: { url: tests.drive.url, icon_url: `http://${pictures.host}/x.png` } },
      { allowPrivate: [pictures.host] },
    );
    const all = await Promise.all([mcp.icon("drive"), mcp.icon("drive"), mcp.icon("drive")]);
    for (const icon of all)
      expect(icon).toMatchObject({ mediaType: "image/png", bytes: new Uint8Array(png) });
    expect(pictures.asked()).toBe(1);
    expect(await mcp.icon("nothing")).toBeNull();
    pictures.close();
  });

  it.each([
    [
      "a drawing that could run",
      Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>"),
      "image/svg+xml",
    ],
    ["a page that calls itself a picture", Buffer.from("<html><script>alert(1)</script>"), "image/png"],
    ["more than 256 kB", Buffer.concat([png, Buffer.alloc(300_000)]), "image/png"],
    ["nothing", Buffer.alloc(0), "image/png"],
  ])("is not shown where it is %s", async (_, body, type) => {
    const pictures = await serve(body, type);
    const mcp = tests.start(
      { drive: { url: tests.drive.url, icon_url: `http://${pictures.host}/x` } },
      { allowPrivate: [pictures.host] },
    );
    expect(await mcp.icon("drive")).toBeNull();
    pictures.close();
  });

  it("S-40: is not fetched from a private address that nobody allowed", async () => {
    const canary = await startMcpServer();
    const mcp = tests.start({ drive: { url: tests.drive.url, icon_url: canary.url } });
    expect(await mcp.icon("drive")).toBeNull();
    expect(canary.requests()).toBe(0);
    await canary.close();
  });
});
