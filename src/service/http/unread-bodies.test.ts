import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { openBodyLimit } from "./body.ts";

let service: TestService;
let other: Server;
/** What the other service has of each body, as it comes. */
let passed: { request: IncomingMessage; bytes: number }[] = [];
beforeAll(async () => {
  other = createServer((request, response) => {
    const body = { request, bytes: 0 };
    passed.push(body);
    request.on("data", (chunk: Buffer) => {
      body.bytes += chunk.length;
    });
    request.on("end", () => response.end("{}"));
    request.on("error", () => {});
  }).listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const upstreams = [{ name: "theirs", url: `http://127.0.0.1:${port}/api/v1` }];
  service = await startService({ work: false, upstreams });
});
afterAll(async () => {
  await service.stop();
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
});

interface Sent {
  readonly socket: Socket;
  answer: string;
  closed: boolean;
}

/** Sends this beginning of a request and leaves the rest to the caller. */
async function begin(path: string, headers: string): Promise<Sent> {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  const sent: Sent = { socket, answer: "", closed: false };
  socket.on("data", (data) => {
    sent.answer += data.toString("latin1");
  });
  // It may be cut while something is on its way.
  socket.on("error", () => {});
  socket.on("close", () => {
    sent.closed = true;
  });
  await once(socket, "connect");
  socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`);
  return sent;
}

const lengths = { declared: "content-length: 9000000\r\n", chunked: "transfer-encoding: chunked\r\n" };

describe("a body before a credential", () => {
  test.each(["/api/v1/kill_pipeline", "/api/v1/start_pipeline", "/api/v1/nothing_here"])(
    "S-93: of %s is refused before it comes, and its connection closed while it still comes",
    async (path) => {
      const sent = await begin(path, lengths.declared);
      await until("the refusal", () => sent.answer.includes("\r\n\r\n"));
      expect(sent.answer).toMatch(/^HTTP\/1\.1 40[14] /);
      await until("the end", () => sent.closed);
    },
  );

  test("S-93: with a plain GET is not read either", async () => {
    const sent = await begin("/api/v1/teams", lengths.declared);
    const get = await begin("/", "");
    get.socket.write(`GET /api/v1/teams HTTP/1.1\r\nhost: localhost\r\n${lengths.declared}\r\n`);
    await until("both ends", () => sent.closed && get.closed);
    expect(get.answer).toContain("HTTP/1.1 401 ");
  });

  test("S-93: that comes whole in a moment costs nobody the connection", async () => {
    const sent = await begin("/api/v1/kill_pipeline", "content-length: 2\r\n");
    sent.socket.write("{}");
    await until(
      "the refusal",
      () => sent.answer.includes("missing_credential") || sent.answer.includes("401"),
    );
    sent.socket.write("GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await until("the next answer", () => sent.answer.includes("HTTP/1.1 200 "));
    sent.socket.destroy();
  });

  test("S-93: where none is needed has sixteen kilobytes at most, with and without a length", async () => {
    const most = JSON.stringify({ token: "x".repeat(openBodyLimit - 12) });
    expect(most).toHaveLength(openBodyLimit);
    const open = "/console/sessions";
    const { body } = { body: most };
    const fits = await service.call(null, "POST", open, body);
    expect(fits.status).not.toBe(413);
    expect((await service.call(null, "POST", open, ` ${body}`)).status).toBe(413);
    const chunked = await begin(`/api/v1${open}`, lengths.chunked);
    chunked.socket.write(`${(openBodyLimit + 1).toString(16)}\r\n${" ".repeat(openBodyLimit + 1)}\r\n`);
    await until("the refusal", () => chunked.answer.includes("\r\n\r\n"));
    expect(chunked.answer).toMatch(/^HTTP\/1\.1 413 /);
    await until("the end", () => chunked.closed);
  });

  test.each(Object.entries(lengths))(
    "S-93: for another service goes on as it comes, and none of it is kept (%s)",
    async (kind, headers) => {
      passed = [];
      const sent = await begin("/upstream/theirs/api/v1/things", headers);
      const piece = "y".repeat(100_000);
      sent.socket.write(kind === "declared" ? piece : `${piece.length.toString(16)}\r\n${piece}\r\n`);
      await until("the beginning, elsewhere", () => passed[0]?.bytes === piece.length);
      sent.socket.destroy();
      await until("its end, elsewhere", () => passed[0]?.request.destroyed === true);
    },
  );

  test("S-44: for another service is cut at ten megabytes where no length was said", async () => {
    passed = [];
    const sent = await begin("/upstream/theirs/api/v1/things", lengths.chunked);
    const piece = "y".repeat(1_000_000);
    for (let at = 0; at < 11; at++) sent.socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`);
    await until("the refusal", () => sent.answer.includes("\r\n\r\n") || sent.closed);
    expect(sent.answer).toMatch(/^(?:HTTP\/1\.1 413 |$)/);
    expect(passed[0]?.bytes).toBeLessThanOrEqual(10_000_000);
    await until("the end", () => sent.closed);
  });
});

test("S-51: a request with more than two hundred headers is refused", async () => {
  const headers = Array.from({ length: 200 }, (_, at) => `x-${at}: 1\r\n`).join("");
  const sent = await begin("/api/v1/teams", headers);
  await until("the refusal", () => sent.closed);
  expect(sent.answer).toMatch(/^HTTP\/1\.1 431 /);
});

test("a large body in chunks of a byte each is read whole", async () => {
  const text = JSON.stringify({ run_id: "x".repeat(100_000), user_id: "user_ada" });
  const sent = await begin(
    "/api/v1/kill_pipeline",
    `${lengths.chunked}authorization: Bearer ${service.keys.ada}\r\n`,
  );
  sent.socket.write(`${[...text].map((letter) => `1\r\n${letter}\r\n`).join("")}0\r\n\r\n`);
  await until("the answer", () => sent.answer.includes("\r\n\r\n"));
  expect(sent.answer).toMatch(/^HTTP\/1\.1 404 /);
  sent.socket.destroy();
});
