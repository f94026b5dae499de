import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addPeople } from "../../testing/people.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { createSignInToken } from "../credentials/sign-in.ts";

const inPage = "document.title = 1;";
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-console-"));
const built = join(folder, "dist");
let service: TestService;
let other: Server;
let seen: { url: string; method: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  mkdirSync(join(built, "assets"), { recursive: true });
  const page = `<meta name="wheelhouse-connections" content="__CONNECTIONS__"><meta name="wheelhouse-reads" content="__READS__"><script nonce="__NONCE__">${inPage}</script><script type="module" src="/assets/app-1a2b.js"></script><!-- __ROUTE_SCRIPTS__ --><meta nonce="__NONCE__"><style nonce="__NONCE__">`;
  writeFileSync(join(built, "index.html"), page);
  writeFileSync(join(built, "shared.html"), `<title>For strangers</title><meta nonce="__NONCE__">`);
  writeFileSync(join(built, "assets", "app-1a2b.js"), "export const app = 1;");
  writeFileSync(join(built, "assets", "app-1a2b.js.br"), brotliCompressSync("export const app = 1;"));
  writeFileSync(join(built, "assets", "reader-3c4d.mjs"), "postMessage(1)");
  writeFileSync(join(built, "icon.svg"), "<svg/>");
  const routes = [
    { route: "/", scripts: ["/assets/overview-1.js"], reads: ["/runs?page_size=100", "/agents"] },
    { route: "/$", scripts: ["/assets/not-found-1.js"], reads: [] },
    { route: "/runs", scripts: [], reads: ["/list_saved_items?user_id={user}"] },
    { route: "/runs/$runId", scripts: ["/assets/run-1.js", "/assets/log-1.js"], reads: ["/runs/{runId}"] },
    { route: "/runs/new", scripts: ["/assets/start-1.js"], reads: [] },
  ];
  writeFileSync(join(built, "console-routes.json"), JSON.stringify(routes));
  writeFileSync(join(folder, "secret.txt"), "not for anybody");
  other = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      seen.push({ url: request.url ?? "", method: request.method ?? "", headers: request.headers, body });
      if (request.url?.includes("redirect")) {
        response.writeHead(307, { location: "http://127.0.0.1:9/steal" }).end();
        return;
      }
      const headers = {
        "content-type": request.url?.includes("page") ? "text/html" : "application/json",
        "set-cookie": "session=theirs",
        "access-control-allow-origin": "*",
        "content-security-policy": "default-src *",
        "x-request-id": "theirs-1",
        etag: '"v1"',
      };
      if (request.url?.includes("teapot")) response.writeHead(418, headers).end('{"error":"teapot"}');
      else if (request.headers["if-none-match"]) response.writeHead(304, headers).end();
      else response.writeHead(200, headers).end('{"agents":[]}');
    });
  });
  // The service lets go of idle connections: were it also this side, one could be cut just when it is used again.
  other.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const port = (other.address() as AddressInfo).port;
  service = await startService({
    empty: true,
    work: false,
    consoleDirectory: built,
    upstreams: [
      { name: "theirs", url: `http://127.0.0.1:${port}/base/api/v1` },
      { name: "gone", url: "http://127.0.0.1:9/api/v1" },
      { name: 'R"D', url: "http://127.0.0.1:9/api/v1" },
    ],
  });
  await addPeople(service.context.store);
});
afterAll(async () => {
  await service.stop();
  await new Promise((resolve) => other.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: HeadersInit = {}) =>
  fetch(service.url + path, { headers, redirect: "manual" });

describe("the console's page", () => {
  test("C-34: goes out under the strict policy, with a fresh nonce each time", async () => {
    const [one, two] = await Promise.all([get("/"), get("/")]);
    const html = await one.text();
    const nonce = /<style nonce="([\w-]{20,})">/.exec(html)?.[1];
    expect(one.headers.get("content-security-policy")).toBe(
      `default-src 'none'; script-src 'self' 'sha256-${createHash("sha256").update(inPage).digest("base64")}'; ` +
        `style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' blob: data:; media-src 'self'; font-src 'self'; ` +
        "worker-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types wheelhouse",
    );
    expect(one.headers.get("cache-control")).toBe("no-store");
    expect(one.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(one.headers.get("referrer-policy")).toBe("no-referrer");
    // Links in what models wrote: a host's name is looked up when somebody follows one.
    expect(one.headers.get("x-dns-prefetch-control")).toBe("off");
    expect(one.headers.get("x-content-type-options")).toBe("nosniff");
    // Of what the page has places for none is left.
    expect(html).not.toMatch(/__[A-Z_]+__/);
    expect(await two.text()).not.toContain(nonce);
  });

  test("names the connections that this process offers, safely inside an attribute", async () => {
    const html = await (await get("/")).text();
    const content = /content="([^"]*)"/.exec(html)?.[1] ?? "";
    expect(JSON.parse(content.replaceAll("&quot;", '"').replaceAll("&amp;", "&"))).toEqual([
      { name: "Wheelhouse", path: "/api/v1", kind: "own", extensions: expect.arrayContaining(["runs"]) },
      { name: "theirs", path: "/upstream/theirs/api/v1", kind: "upstream" },
      { name: "gone", path: "/upstream/gone/api/v1", kind: "upstream" },
      { name: 'R"D', path: '/upstream/R"D/api/v1', kind: "upstream" },
    ]);
  });

  test("answers every address that a browser navigates to, and nothing that looks like a file or a call", async () => {
    const navigate = (path: string) =>
      rawGet(path, "accept: text/html,*/*;q=0.8\r\nsec-fetch-mode: navigate\r\n");
    for (const path of ["/", "/runs", "/runs/run_1?tab=log", "/agents/agent_x/", "/index.html"]) {
      expect(await navigate(path), path).toMatch(/^HTTP\/1.1 200 [\s\S]*content-type: text\/html/);
    }
    for (const path of [
      "/assets/gone-1234.js",
      "/favicon.ico",
      "/api/v2/agents",
      "/upstream/x",
      "/upstream",
    ]) {
      expect(await navigate(path), path).toMatch(/^HTTP\/1.1 404 [\s\S]*content-type: application\/json/);
    }
    expect(await navigate("/shared/tok_1")).toContain("For strangers");
    expect(await navigate("/runs")).not.toContain("For strangers");
    expect(await navigate("/shared.html"), "only under its address").toMatch(/^HTTP\/1.1 404 /);
    expect(await rawGet("/runs", "sec-fetch-mode: cors\r\n")).toMatch(/^HTTP\/1.1 404 /);
    expect((await get("/runs", { accept: "application/json" })).status).toBe(404);
    expect((await fetch(`${service.url}/runs`, { method: "POST" })).status).toBe(405);
  });
});

describe("the scripts of the asked route", () => {
  const page = (path: string) => rawGet(path, "accept: text/html\r\nsec-fetch-mode: navigate\r\n");
  const preloaded = async (path: string) =>
    [...(await page(path)).matchAll(/rel="modulepreload" crossorigin href="([^"]+)"/g)].map(
      ([, script]) => script,
    );

  test("are named in the page, so that they come along with its first ones", async () => {
    expect(await preloaded("/")).toEqual(["/assets/overview-1.js"]);
    expect(await preloaded("/runs/run_1?tab=log")).toEqual(["/assets/run-1.js", "/assets/log-1.js"]);
    expect(await preloaded("/runs/new")).toEqual(["/assets/start-1.js"]);
    expect(await preloaded("/runs"), "needs none").toEqual([]);
    expect(await preloaded("/nowhere")).toEqual(["/assets/not-found-1.js"]);
  });

  test("are those of no route where the address is none, or is for strangers", async () => {
    for (const path of ["/no/where", "/runs/run_1/more", "/shared/tok_1"])
      expect(await preloaded(path), path).toEqual([]);
    expect(await page("/no/where")).toMatch(/^HTTP\/1.1 200 /);
    expect(await page("/no/where")).not.toContain("ROUTE_SCRIPTS");
  });
});

describe("the first reads of the asked route", () => {
  const readsAt = async (path: string) => {
    const page = await rawGet(path, "accept: text/html\r\nsec-fetch-mode: navigate\r\n");
    const content = /name="wheelhouse-reads" content="([^"]*)"/.exec(page)?.[1] ?? "";
    return JSON.parse(content.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  };

  test("are named in the page with the parameters of its address, and whose they are is left to the page", async () => {
    expect(await readsAt("/")).toEqual(["/runs?page_size=100", "/agents"]);
    expect(await readsAt("/runs")).toEqual(["/list_saved_items?user_id={user}"]);
    expect(await readsAt("/runs/run_1?tab=log")).toEqual(["/runs/run_1"]);
    expect(await readsAt("/no/where")).toEqual([]);
  });

  test("are none where a parameter is no plain id", async () => {
    for (const id of ["a%20b", "..%2f..%2fme", "%22%3E%3Cscript%3E", "__CONNECTIONS__%24%26", "{user}"])
      expect(await readsAt(`/runs/${id}`), id).toEqual([]);
    expect(await readsAt("/runs/__CONNECTIONS__")).toEqual(["/runs/__CONNECTIONS__"]);
  });
});

describe("the console's files", () => {
  test("with a hash in their name are kept for ever, others are asked for again", async () => {
    const app = await get("/assets/app-1a2b.js");
    expect(app.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(app.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect((await get("/icon.svg")).headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect((await get("/assets/reader-3c4d.mjs")).headers.get("content-type")).toBe(
      "text/javascript; charset=utf-8",
    );
  });

  test("cost nothing when the browser still has them", async () => {
    const first = await get("/icon.svg");
    const etag = first.headers.get("etag") ?? "";
    const again = await get("/icon.svg", { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect((await get("/icon.svg", { "if-none-match": '"older"' })).status).toBe(200);
    // As a proxy that compresses hands it back, and as one does that keeps several.
    for (const names of [`W/${etag}`, `"older", ${etag}`])
      expect((await get("/icon.svg", { "if-none-match": names })).status, names).toBe(304);
  });

  test("go out compressed as they were built, where the browser takes it", async () => {
    const compressed = await get("/assets/app-1a2b.js", { "accept-encoding": "gzip, br" });
    expect(compressed.headers.get("content-encoding")).toBe("br");
    expect(await compressed.text()).toBe("export const app = 1;");
    const plain = await get("/assets/app-1a2b.js", { "accept-encoding": "identity" });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe("export const app = 1;");
  });

  test.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/..\\secret.txt",
    "/%00/secret.txt",
    "//etc/passwd",
    "/etc/passwd%00.js",
  ])("no path leaves their folder: %s", async (path) => {
    const answer = await rawGet(path);
    expect(answer).not.toContain("not for anybody");
    expect(answer).not.toContain("root:");
  });
});

/** A client that does not tidy the path. */
function rawGet(path: string, headers = ""): Promise<string> {
  return new Promise((resolve) => {
    const request = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}\r\n`;
    const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write(request));
    let answer = "";
    socket.on("data", (data) => {
      answer += data.toString("latin1");
    });
    // Cut off with something unread: what was heard until then is the answer.
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

describe("an upstream", () => {
  const api = "/upstream/theirs/api/v1";

  test("gets path, query, body and credential, and neither cookies nor where the page is from", async () => {
    seen = [];
    const answer = await fetch(`${service.url}${api}/agents/a%2Fb?x=1&y=%20`, {
      method: "PATCH",
      body: '{"a":1}',
      headers: {
        authorization: "Bearer key-for-them",
        "x-auth-key": "user_x",
        cookie: "mine=1",
        origin: service.url,
        "x-forwarded-for": "1.2.3.4",
        "proxy-authorization": "Basic x",
        "content-type": "application/json",
      },
    });
    expect(await answer.json()).toEqual({ agents: [] });
    const [request] = seen;
    expect(request).toMatchObject({
      url: "/base/api/v1/agents/a%2Fb?x=1&y=%20",
      method: "PATCH",
      body: '{"a":1}',
    });
    expect(request?.headers).toMatchObject({ authorization: "Bearer key-for-them", "x-auth-key": "user_x" });
    expect(request?.headers["x-request-id"]).toMatch(/^req_/);
    for (const name of ["cookie", "origin", "x-forwarded-for", "proxy-authorization"]) {
      expect(request?.headers[name]).toBeUndefined();
    }
    expect(request?.headers.host).not.toBe(new URL(service.url).host);
  });

  test("sends back status, body and ETag, and no cookie, CORS header or policy of its own", async () => {
    const answer = await get(`${api}/teapot`);
    expect([answer.status, await answer.text()]).toEqual([418, '{"error":"teapot"}']);
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    expect(answer.headers.get("content-security-policy")).toBe(
      "sandbox; default-src 'none'; frame-ancestors 'none'",
    );
    expect(answer.headers.get("x-request-id")).toBe("theirs-1");
    expect((await get(`${api}/agents`, { "if-none-match": '"v1"' })).status).toBe(304);
  });

  test("is never followed to another place", async () => {
    seen = [];
    const answer = await get(`${api}/redirect`, { authorization: "Bearer key-for-them" });
    expect([answer.status, (await answer.json()).error.code]).toEqual([502, "upstream_failed"]);
    expect(seen).toHaveLength(1);
  });

  test("that does not answer is 502, one that nobody offered 404", async () => {
    expect((await get("/upstream/gone/api/v1/agents")).status).toBe(502);
    expect((await get("/upstream/nobody/api/v1/agents")).status).toBe(404);
    expect((await fetch(`${service.url}${api}/agents`, { method: "OPTIONS" })).status).toBe(405);
  });

  test("is not left through its path", async () => {
    seen = [];
    for (const path of ["/../../admin", "/%2e%2e/%2e%2e/admin", "/..\\..\\admin"]) await rawGet(api + path);
    for (const { url } of seen) expect(url).toMatch(/^\/base\/api\/v1\//);
  });
});

describe("a sign-in link", () => {
  test("is exchanged once, for a token that works and is not a key", async () => {
    const token = await createSignInToken(service.context.store, "user_ann");
    const first = await service.call(null, "POST", "/console/sessions", { token });
    expect(first.status).toBe(200);
    const session = await first.json();
    expect(session.user).toMatchObject({ id: "user_ann", email: "ann@example.com" });
    expect(session.teams).toEqual([{ id: "team_one", name: "One" }]);
    expect(session.access_token).toMatch(/^wh_token_/);
    expect((await service.call(session.access_token, "GET", "/teams")).status).toBe(200);
    const second = await service.call(null, "POST", "/console/sessions", { token });
    expect([second.status, (await second.json()).error.code]).toEqual([401, "sign_in_link_invalid"]);
  });
});
