import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { createRequestGuard } from "./request-guard.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ empty: true, work: false, allowedHosts: ["wheelhouse.lan"] });
});
afterAll(() => service.stop());

interface Heard {
  readonly status: number;
  readonly text: string;
}

/** Sends a request with any Host, which `fetch` does not. */
function send(method: string, path: string, headers: Record<string, string>, body = ""): Promise<Heard> {
  const { hostname, port } = new URL(service.url);
  const all = { authorization: `Bearer ${service.keys.ada}`, "x-auth-key": "user_ada", ...headers };
  return new Promise((resolve, reject) => {
    request({ hostname, port, method, path, headers: all }, async (incoming) => {
      let text = "";
      for await (const chunk of incoming) text += String(chunk);
      resolve({ status: incoming.statusCode ?? 0, text });
    })
      .on("error", reject)
      .end(body);
  });
}

const own = (path: string, host: string) => send("GET", path, { host }).then(({ status }) => status);

/** One of each way in which a request is answered. */
const reads = [
  "/",
  "/api/v1/agents",
  "/api/v1/agents/none",
  "/api/v1/openapi.json",
  "/healthz",
  "/readyz",
  "/icons/mcp/x",
];

describe("S-82 a request for another host", () => {
  test.each(reads)(
    "is refused at %s, with what to set, also where the same was just answered",
    async (path) => {
      const answered = await own(path, "localhost:7700");
      expect(answered).not.toBe(421);
      const { status, text } = await send("GET", path, { host: "evil.example:7700" });
      expect(status).toBe(421);
      expect(JSON.parse(text).error.code).toBe("misdirected_request");
      expect(JSON.parse(text).error.message).toContain("--allowed-host evil.example");
      expect(await own(path, "localhost:7700")).toBe(answered);
    },
  );

  test("is refused in the shape of the endpoint, before its credential and body are looked at", async () => {
    const host = "evil.example";
    const flat = await send("GET", "/api/v1/get_pl_run?run_id=x", { host, authorization: "Bearer wrong" });
    expect([flat.status, JSON.parse(flat.text).error]).toEqual([421, "misdirected_request"]);
    const started = await send("POST", "/api/v1/start_pipeline", { host, authorization: "" }, "no json");
    expect(started.status).toBe(421);
  });

  test.each([
    ...[
      "localhost.evil.example",
      "evil-localhost",
      "127.0.0.1.nip.io",
      "xlocalhost",
      "localhost@evil.example",
    ],
    ...["evil.example:80#localhost", "10.0.0.5", "169.254.169.254", "[fe80::1]", "[::ffff:127.0.0.1]", "0"],
    ...["wheelhouse.lan.evil.example", "sub.wheelhouse.lan", "localhost:7700:1", "2130706433", "a b", "…"],
  ])("is refused for %s", (host) => {
    const guard = createRequestGuard({
      host: "127.0.0.1",
      publicUrl: null,
      allowedHosts: ["wheelhouse.lan"],
    });
    expect(guard.isOwnHost(host)).toBe(false);
    // The second time, too.
    expect(guard.isOwnHost(host)).toBe(false);
  });

  test.each([
    ...[
      "localhost",
      "LOCALHOST:80",
      "localhost.",
      "console.localhost:1",
      "127.0.0.1:7700",
      "127.1.2.3",
      "[::1]:7700",
    ],
    ...["wheelhouse.lan", "Wheelhouse.LAN:7700", "wheelhouse.lan."],
  ])("is not %s", (host) => {
    const guard = createRequestGuard({
      host: "127.0.0.1",
      publicUrl: null,
      allowedHosts: ["wheelhouse.lan"],
    });
    expect(guard.isOwnHost(host)).toBe(true);
  });

  test("is not the address that it listens on, nor that of --public-url, nor any address where it listens on all", () => {
    const publicUrl = "https://wheelhouse.example.com/";
    const one = createRequestGuard({ host: "10.1.2.3", publicUrl, allowedHosts: [] });
    expect(["10.1.2.3:7700", "10.1.2.4:7700", "wheelhouse.example.com"].map(one.isOwnHost)).toEqual([
      true,
      false,
      true,
    ]);
    for (const host of ["0.0.0.0", "::"]) {
      const all = createRequestGuard({ host, publicUrl: null, allowedHosts: [] });
      expect(["10.1.2.4:7700", "[fd00::1]:80", "mybox:7700"].map(all.isOwnHost)).toEqual([true, true, false]);
    }
  });

  test("is not one of a program of HTTP/1.0, which names none", async () => {
    const { port } = new URL(service.url);
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.write("GET /healthz HTTP/1.0\r\n\r\n"));
      let heard = "";
      socket.setEncoding("utf8").on("data", (part) => {
        heard += part;
      });
      socket.on("end", () => resolve(heard)).on("error", reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 200/);
  });
});

describe("S-83 a write that a page of another origin makes a browser send", () => {
  const name = { name: "New" };
  const create = (headers: Record<string, string>) =>
    send("POST", "/api/v1/evaluations", headers, JSON.stringify(name));
  const made = async () => {
    const { text } = await send("GET", "/api/v1/evaluations", {});
    return JSON.parse(text).evaluations.length;
  };

  test.each([
    ["cross-site, as browsers say", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    [
      "same-site, of another port or subdomain",
      { "sec-fetch-site": "same-site", origin: "http://localhost:3000" },
    ],
    ["of a browser that says only the origin", { origin: "https://evil.example" }],
    ["of an origin that is hidden", { origin: "null" }],
    ["of an origin on another port", { origin: "http://127.0.0.1:1" }],
    ["of an origin that begins like ours", { origin: "http://127.0.0.1.evil.example" }],
    ["of an origin that is no address", { origin: "x" }],
  ])("is refused: %s", async (_, headers) => {
    const before = await made();
    const { status, text } = await create(headers);
    expect([status, JSON.parse(text).error.code]).toEqual([403, "cross_site_request"]);
    expect(await made()).toBe(before);
  });

  test.each(["PUT", "PATCH", "DELETE", "POST"])("is refused as %s wherever it goes", async (method) => {
    const evil = { "sec-fetch-site": "cross-site" };
    for (const path of [
      "/api/v1/console/sessions",
      "/mcp/oauth/start",
      "/upstream/x/api/v1/agents",
      "/api/v1/files/x",
      "/",
    ]) {
      const { status } = await send(method, path, evil, method === "DELETE" ? "" : "{}");
      expect([path, status]).toEqual([path, 403]);
    }
  });

  test("is none of a program, of the console itself, or of it behind a proxy", async () => {
    const { host } = new URL(service.url);
    expect((await create({})).status).toBe(200);
    expect((await create({ "sec-fetch-site": "same-origin", origin: "http://localhost:5173" })).status).toBe(
      200,
    );
    expect((await create({ "sec-fetch-site": "none" })).status).toBe(200);
    expect((await create({ origin: `http://${host}` })).status).toBe(200);
    const guard = createRequestGuard({
      ...{ host: "127.0.0.1", allowedHosts: [] },
      publicUrl: "https://wheelhouse.example.com",
    });
    const headers = new Headers({ host: "127.0.0.1:7700", origin: "https://wheelhouse.example.com" });
    expect(() => guard.check("POST", (name) => headers.get(name))).not.toThrow();
  });

  test("is no read, which tells nothing to a page that may not see the answer", async () => {
    const { status } = await send("GET", "/api/v1/agents", { "sec-fetch-site": "cross-site" });
    expect(status).toBe(200);
  });
});
