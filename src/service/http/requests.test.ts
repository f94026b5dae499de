import { request as rawRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { endpoints } from "../../contract/endpoints.ts";
import { addPeople, keyOf } from "../../testing/people.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { allHandlers } from "../areas/handlers.ts";
import { bodyLimit } from "./body.ts";

let service: TestService;
let ann: string;
let teamOne: string;
const lines: string[] = [];

beforeAll(async () => {
  service = await startService({ empty: true, work: false, logTo: (line) => lines.push(line) });
  await addPeople(service.context.store);
  ann = await keyOf(service.context.store, { kind: "person", id: "user_ann" });
  teamOne = await keyOf(service.context.store, { kind: "team", id: "team_one" });
});
afterAll(() => service.stop());

/** `address` has its path parameters filled in, so that an endpoint can be called with nothing that exists. */
const addressOf = (path: string) => path.replaceAll(/\{\w+\}/g, "nothing_here");
const all = Object.values(endpoints).map((one) => ({ ...one, address: addressOf(one.base + one.path) }));
/** All that have a function. */
const table = all.filter(({ name }) => name in allHandlers);

describe("every endpoint of the table", () => {
  test.each(table.filter(({ auth }) => auth === "credential"))(
    "S-27: $method $path refuses a request without a credential before it looks at anything",
    async ({ method, address, errorShape }) => {
      const answer = await service.send(
        null,
        method,
        `${address}?a=1&a=2`,
        method === "GET" ? undefined : "{not json",
      );
      expect(answer.status).toBe(401);
      const body = await answer.json();
      const value = "Authorization header with Bearer token or api_key query parameter is required";
      expect(errorShape === "flat" ? body.error : body.error.code).toBe(
        errorShape === "flat" ? value : "missing_credential",
      );
      expect(answer.headers.get("www-authenticate")).toMatch(/^Bearer resource_metadata="http/);
    },
  );

  test.each(table.filter(({ body }) => body !== null))(
    "S-13: $method $path answers 4xx to every body that is not what it wants, and stays up",
    async ({ method, address, auth }) => {
      const bodies = [
        "",
        "null",
        "[]",
        '"text"',
        "1",
        "{",
        '{"\u0000":1}',
        '{"a":"\\u0000"}',
        '{"team_id":{"a":[]},"message":7}',
      ];
      for (const body of bodies) {
        const answer = await service.send(auth === "none" ? null : ann, method, address, body, {
          "x-auth-key": "user_ann",
        });
        expect(answer.status, `${body} → ${await answer.clone().text()}`).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
        expect(answer.headers.get("content-type")).toContain("application/json");
      }
    },
  );

  test.each(table.filter(({ auth }) => auth === "credential"))(
    "S-25: $method $path takes api_key in the query on start_pipeline alone",
    async ({ method, address, name }) => {
      const answer = await service.send(
        null,
        method,
        `${address}?api_key=${ann}`,
        method === "GET" ? undefined : {},
      );
      if (name === "startPipeline") expect(answer.status).not.toBe(401);
      else expect(answer.status).toBe(401);
    },
  );

  test.each(table)("$method $path names what it takes instead of another method", async ({ address }) => {
    const allowed = table.filter((one) => one.address === address).map(({ method }) => method as string);
    const wrong = ["PUT", "DELETE", "PATCH", "POST"].find((method) => !allowed.includes(method)) ?? "GET";
    const answer = await service.send(ann, wrong, address);
    expect(answer.status).toBe(405);
    for (const method of allowed) expect(answer.headers.get("allow")).toContain(method);
  });
});

describe("credentials at the door", () => {
  test("S-25: the scheme may be written in any case, and an access token is as good as a key", async () => {
    const lower = await service.call(null, "GET", "/teams", undefined, { authorization: `bearer ${ann}` });
    expect(await lower.json()).toEqual({ teams: [{ id: "team_one", name: "One" }] });
  });

  test("S-25: header and query that disagree are refused, the same in both is fine", async () => {
    const both = await service.call(ann, "POST", `/start_pipeline?api_key=${teamOne}&saved_item_id=x`, {});
    expect(both.status).toBe(400);
    expect((await both.json()).message).toContain("two different credentials");
    const same = await service.call(
      ann,
      "POST",
      `/start_pipeline?api_key=${ann}&user_id=user_ann&saved_item_id=x`,
      {},
    );
    expect(same.status).toBe(404);
  });

  test("S-25: two Authorization headers that disagree are refused", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = [
        "authorization",
        `Bearer ${ann}`,
        "authorization",
        `Bearer ${teamOne}`,
        "host",
        "localhost",
      ];
      rawRequest(`${service.url}/api/v1/teams`, { headers }, (answer) => resolve(answer.resume().statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(400);
  });

  test("§7.1: an invalid key is 403 Unauthorized on start_agent and 401 elsewhere, also before the fields", async () => {
    const start = await service.call("wrong", "POST", "/start_agent", {});
    expect([start.status, (await start.json()).error]).toEqual([403, "Unauthorized"]);
    const status = await service.call("wrong", "GET", "/agent_status/x");
    expect([status.status, (await status.json()).error]).toEqual([401, "invalid_credentials"]);
  });

  test("§7.1: start_agent names the missing field in the interface's own words", async () => {
    const errorOf = async (body: object) =>
      (await (await service.call(ann, "POST", "/start_agent", body)).json()).error;
    expect(await errorOf({})).toBe("gummie_id is required");
    expect(await errorOf({ gummie_id: "a" })).toBe("message is required");
    expect(await errorOf({ gummie_id: "a", message: "" })).toBe("message is required");
    expect(await errorOf({ gummie_id: "a", message: "b" })).toBe("project_id or user_id is required");
  });

  test("§5.6: changing an agent with a personal key needs x-auth-key with one's own id", async () => {
    const patch = (headers: HeadersInit) =>
      service.call(ann, "PATCH", "/agents/agent_x", { name: "x" }, headers);
    expect((await patch({})).status).toBe(401);
    expect((await patch({ "x-auth-key": "user_ben" })).status).toBe(401);
    expect((await patch({ "x-auth-key": "user_ann" })).status).toBe(404);
  });
});

describe("the body", () => {
  const post = (body: string | Uint8Array<ArrayBuffer> | ReadableStream, headers: HeadersInit = {}) =>
    fetch(`${service.url}/api/v1/kill_pipeline`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${ann}`, "content-type": "application/json", ...headers },
      ...(body instanceof ReadableStream ? { duplex: "half" } : {}),
    } as RequestInit);

  // What `curl -d`, a script and a form of a page send by themselves.
  const types = [
    ...["application/json; charset=utf-8", "application/x-www-form-urlencoded", "text/plain;charset=UTF-8"],
    ...["multipart/form-data; boundary=x", "application/octet-stream", "nonsense"],
  ];

  test.each(types)("a body that is JSON is read as JSON where it is called %s", async (type) => {
    const body = '{"run_id":"r","user_id":"user_ann"}';
    expect((await post(body, { "content-type": type })).status).toBe(404);
    const form = await post("run_id=r&user_id=user_ann", { "content-type": type });
    expect([form.status, (await form.json()).message]).toEqual([400, "The body is not valid JSON."]);
  });

  test("a compressed body is refused", async () => {
    expect((await post("{}", { "content-encoding": "gzip" })).status).toBe(400);
  });

  test.each(types)(
    "S-28: what a page elsewhere can make a browser send, called %s, is nobody's without a credential",
    async (type) => {
      const headers = {
        ...{ origin: "https://evil.example", "sec-fetch-site": "cross-site", "content-type": type },
        // A browser adds cookies and what it was told at a password prompt by itself: neither counts.
        ...{ cookie: `key=${ann}; access_token=${ann}`, authorization: `Basic ${btoa(`user_ann:${ann}`)}` },
      };
      for (const { method, address, path, auth } of table) {
        if (auth === "none") continue;
        const sent = method === "GET" ? undefined : "{}";
        const answer = await service.send(null, method, address, sent, headers);
        expect([method, path, [401, 403].includes(answer.status)]).toEqual([method, path, true]);
      }
    },
  );

  test("S-28: no other origin is allowed, and a preflight gets nothing", async () => {
    for (const origin of ["null", "https://evil.example", service.url]) {
      const answer = await service.call(ann, "GET", "/teams", undefined, { origin });
      const headers = [...answer.headers.keys()].filter((name) => name.startsWith("access-control"));
      expect(headers).toEqual([]);
    }
    const preflight = await service.call(null, "OPTIONS", "/teams", undefined, {
      origin: "https://evil.example",
      "access-control-request-method": "GET",
    });
    expect(preflight.status).toBe(405);
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("S-44: a body of more than ten megabytes is refused at once, with and without a length", async () => {
    const declared = await post(`{"run_id":"${"x".repeat(bodyLimit)}"}`);
    expect(declared.status).toBe(413);
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(120));
      },
    });
    const chunked = await post(endless).catch((error: unknown) => error);
    // The connection may be cut while the client is still sending; it must never take what it is sent.
    if (chunked instanceof Response) expect(chunked.status).toBe(413);
    expect(sent).toBeLessThan(60_000_000);
    expect((await service.call(ann, "GET", "/teams")).status).toBe(200);
  });

  test("S-44: bytes that are no UTF-8 are refused by name", async () => {
    const answer = await post(new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    expect([answer.status, (await answer.json()).message]).toEqual([400, "The body is not valid UTF-8."]);
  });

  test("S-27: an unauthenticated body of ten megabytes is refused before it is read", async () => {
    const started = performance.now();
    const answer = await fetch(`${service.url}/api/v1/kill_pipeline`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "x".repeat(9_000_000),
    });
    expect(answer.status).toBe(401);
    // Far less on a machine of its own.
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe("every answer", () => {
  test("carries a request id of its own, and headers that keep browsers careful", async () => {
    const answers = await Promise.all([
      service.call(ann, "GET", "/teams"),
      service.call(ann, "GET", "/nothing"),
      service.call(null, "GET", "/teams"),
      fetch(`${service.url}/healthz`),
    ]);
    const ids = answers.map((answer) => answer.headers.get("x-request-id"));
    expect(new Set(ids).size).toBe(4);
    for (const answer of answers) {
      expect(answer.headers.get("x-request-id")).toMatch(/^req_\w{22}$/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  test("an unknown address is 404 in JSON, with and without a credential", async () => {
    for (const key of [null, ann]) {
      const answer = await service.call(key, "GET", "/nothing");
      expect([answer.status, (await answer.json()).error.code]).toEqual([404, "not_found"]);
    }
  });

  test("HEAD is GET without the body", async () => {
    const answer = await service.call(ann, "HEAD", "/teams");
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  test("the capabilities are those of endpoints that have a function", async () => {
    const { extensions, service: name } = await (await service.call(ann, "GET", "/capabilities")).json();
    expect(name).toBe("wheelhouse");
    expect(extensions).toContain("teams");
    for (const { capability, address, method } of all.filter((endpoint) => !table.includes(endpoint))) {
      expect(extensions).not.toContain(capability);
      expect([404, 405]).toContain((await service.send(ann, method, address)).status);
    }
  });

  test("whoever asks what the service has is told whom their key acts for, and of nobody else", async () => {
    const callerOf = async (key: string) =>
      (await (await service.call(key, "GET", "/capabilities")).json()).caller;
    expect(await callerOf(ann)).toEqual({
      kind: "personal",
      user: { id: "user_ann", first_name: "ann", last_name: "Test", email: "ann@example.com" },
      team: null,
    });
    expect(await callerOf(teamOne)).toEqual({
      kind: "team",
      user: null,
      team: { id: "team_one", name: "One" },
    });
  });

  test("the OpenAPI document has every endpoint with its parameters and errors", async () => {
    const document = await (await fetch(`${service.url}/api/v1/openapi.json`)).json();
    expect(document.openapi).toBe("3.1.0");
    for (const { name, path, method, status } of table) {
      const operation = document.paths[path][method.toLowerCase()];
      expect(operation.operationId).toBe(name);
      expect(operation.responses).toHaveProperty(String(status));
      const named = (operation.parameters ?? [])
        .filter((one: { in: string }) => one.in === "path")
        .map((one: { name: string }) => one.name);
      expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
    }
    expect(document.paths["/start_agent"].post.responses["400"].description).toContain(
      "gummie_id is required",
    );
  });
});

describe("probes", () => {
  test("a service that starts or stops is alive but not ready", async () => {
    const probe = async () => (await fetch(`${service.url}/readyz`)).status;
    expect(await probe()).toBe(200);
    for (const phase of ["starting", "draining"] as const) {
      service.setPhase(phase);
      expect(await probe()).toBe(503);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    }
    service.setPhase("ready");
    expect(await probe()).toBe(200);
  });
});

describe("the wire", () => {
  const send = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1", () => socket.write(text));
      let answer = "";
      socket.on("data", (data) => {
        answer += data.toString("latin1");
      });
      // Cut off with something unread: what was heard until then is the answer.
      socket.on("error", () => {});
      socket.on("close", () => resolve(answer));
    });

  test.each([
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["two lengths", "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\ncontent-length: 5\r\n\r\nabcde"],
    ["a folded header", "GET / HTTP/1.1\r\nhost: x\r\nx-a: 1\r\n 2: 3\r\n\r\n"],
    ["a bare line feed", "GET / HTTP/1.1\nhost: x\nx-a : 1\n\n"],
    ["no host", "GET /healthz HTTP/1.1\r\n\r\n"],
  ])("S-52: a request with %s is refused and the connection closed", async (_, text) => {
    expect(await send(text)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test("S-51: headers of more than 16 KB are refused", async () => {
    expect(await send(`GET / HTTP/1.1\r\nhost: x\r\nx-a: ${"a".repeat(17_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });

  test("S-44: a length of more than ten megabytes is refused before a byte of the body was sent", async () => {
    const head = `authorization: Bearer ${ann}\r\ncontent-type: application/json\r\ncontent-length: ${bodyLimit + 1}`;
    const answer = await send(`POST /api/v1/kill_pipeline HTTP/1.1\r\nhost: localhost\r\n${head}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("an address that cannot be read is 400 in our words", async () => {
    const answer = await send("GET /a\\b HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("invalid_parameter");
  });
});

test("S-50: nothing secret is in the log: no key, no query, no path of a link", async () => {
  await service.call(ann, "GET", "/agents?search=needle-in-query", undefined, {
    "x-auth-key": "needle-in-header",
  });
  await service.call(null, "POST", `/start_pipeline?api_key=${ann}&saved_item_id=x&user_id=user_ann`, {
    a: "needle-in-body",
  });
  await service.call(null, "GET", "/shared/needle-in-path");
  await service.call(null, "POST", "/console/sessions", { token: "needle-in-token" });
  const log = lines.join("");
  expect(log).toContain('"route":"startPipeline"');
  expect(log).not.toContain(ann);
  expect(log).not.toContain("needle");
  const last = JSON.parse(lines.at(-1) ?? "{}");
  expect(last).toMatchObject({ route: "createConsoleSession", status: 401, error: "sign_in_link_invalid" });
  expect(last.requestId).toMatch(/^req_/);
});
