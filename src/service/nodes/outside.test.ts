import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FlowHarness, flowHarness } from "../../testing/flows.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";

/** A downstream with a ledger: every request that reached it. */
interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}
let ledger: Call[] = [];
let answer: (call: Call, response: ServerResponse) => void = (_, response) => response.end();
let server: Server;
let harness: FlowHarness;
let url = "";

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const call = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    ledger.push(call);
    answer(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://localhost:${port}`;
  harness = await flowHarness({ outgoing: createOutgoing({ allowPrivate: [`localhost:${port}`] }) });
});
afterAll(async () => {
  await harness.stop();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  ledger = [];
});

const send =
  (status: number, body = "", headers = {}) =>
  (_: Call, response: ServerResponse) => {
    response.writeHead(status, headers).end(body);
  };

describe("An http node", () => {
  test("sends what the flow says and gives status, headers and the JSON that came", async () => {
    answer = send(200, '{"ok": [1]}', { "content-type": "application/json; charset=utf-8", "x-kind": "k" });
    const { outputs, log } = await harness.run(
      `
  who: { type: input }
  call:
    type: http
    method: POST
    url: "${url}/things/{{ who.value | url_encode }}?token=secret"
    headers: { X-Who: "{{ who.value }}" }
    body: { name: "{{ who.value }}", list: [1, "{{ who.value }}"] }
  out: { type: output, value: ["{{ call.value.ok }}", "{{ call.status }}", "{{ call.headers['x-kind'] }}"] }
`,
      { who: "A&B" },
    );
    expect(outputs).toEqual({ out: [[1], 200, "k"] });
    expect(ledger).toMatchObject([
      {
        method: "POST",
        url: "/things/A%26B?token=secret",
        headers: { "x-who": "A&B" },
      },
    ]);
    expect(JSON.parse(ledger[0]?.body ?? "")).toEqual({ name: "A&B", list: [1, "A&B"] });
    expect(ledger[0]?.headers["content-type"]).toBe("application/json");
    expect(log.join("\n")).toMatch(/\[call\] POST localhost:\d+ answered 200/);
    expect(log.join("\n")).not.toContain("secret");
  });

  test("S-399: asks no host of three hundred thousand dots, and nobody waits for that", async () => {
    const { execution } = await harness.run(`
  dots: { type: template, text: "{% for i in (1..100000) %}...{% endfor %}" }
  call: { type: http, url: "http://a{{ dots.value }}x/" }
`);
    expect(execution.error).toMatch(/^The node "call" failed: a/);
  }, 10_000);

  test("S-19 fails on an error answer with its node's name, after as many attempts as it may make", async () => {
    answer = send(503);
    const { execution, log } = await harness.run(`
  call: { type: http, url: "${url}/", retries: { times: 2, delay_s: 0.02 } }
`);
    expect(execution.error).toMatch(/^The node "call" failed: localhost:\d+ answered 503\.$/);
    expect(ledger).toHaveLength(3);
    expect(log.filter((line) => line.includes("tries again"))).toHaveLength(2);
    ledger = [];
    answer = send(404);
    await harness.run(`  call: { type: http, url: "${url}/", retries: { times: 2, delay_s: 0.02 } }`);
    expect(ledger).toHaveLength(1);
  });

  test("goes on after a fault that passes", async () => {
    answer = (_, response) => {
      if (ledger.length < 3) response.destroy();
      else response.end("at last");
    };
    const { outputs } = await harness.run(`
  call: { type: http, url: "${url}/", retries: { times: 3, delay_s: 0.02 } }
  out: { type: output, value: "{{ call.value }}" }
`);
    expect(outputs).toEqual({ out: "at last" });
  });

  test("says once that it has started, and how long it took with all attempts", async () => {
    answer = (_, response) => response.writeHead(ledger.length < 2 ? 503 : 200).end();
    const { log } = await harness.run(`
  call: { type: http, url: "${url}/", retries: { times: 1, delay_s: 0.5 } }
`);
    expect(log.filter((line) => line.endsWith("[call] started"))).toHaveLength(1);
    expect(log.at(-1)).toMatch(/\[call\] finished in \d\.\d s$/);
  });

  test("S-315 sends the same again, also where a filter draws or reads the clock", async () => {
    answer = (_, response) => response.writeHead(ledger.length < 6 ? 503 : 200).end();
    const { execution } = await harness.run(`
  call:
    type: http
    url: "${url}/"
    method: POST
    headers: { Idempotency-Key: order-7 }
    body: { drawn: "{{ '0,1,2,3,4,5,6,7,8,9' | split: ',' | sample: 10 | join }}", at: "{{ 'now' | date: '%s.%L' }}" }
    retries: { times: 5, delay_s: 0.02 }
`);
    expect(execution.error).toBeNull();
    expect(ledger).toHaveLength(6);
    expect(new Set(ledger.map(({ body }) => body)).size).toBe(1);
  });

  test.each(["GET", "HEAD"])("says that %s takes no body, of which an empty text is none", async (method) => {
    answer = send(200);
    const run = (value: string) =>
      harness.run(
        `
  value: { type: input }
  call:
    { type: http, url: "${url}/", method: ${method}, body: "{{ value.value }}", retries: { times: 1, delay_s: 0.02 } }
`,
        { value },
      );
    const { execution, log } = await run("x");
    expect(execution.error).toBe(`The node "call" failed: a ${method} request cannot have a body.`);
    expect(log.join("\n")).not.toContain("tries again");
    expect(ledger).toEqual([]);
    expect((await run("")).execution.error).toBeNull();
    expect(ledger).toMatchObject([{ method, body: "" }]);
  });

  test("S-42 ends at its time limit when nothing comes, and nothing happens after", async () => {
    answer = () => {};
    const { execution } = await harness.run(`  call: { type: http, url: "${url}/", timeout_s: 0.2 }`);
    expect(execution.error).toBe('The node "call" failed: it took longer than 0.2 s.');
  });

  test("is aborted when the run is killed", async () => {
    const closed = new Promise<void>((resolve) => {
      answer = (_, response) => response.on("close", () => resolve());
    });
    await harness.add(
      `id: flow_hang\nname: H\nowner: user_ada\nnodes:\n  call: { type: http, url: "${url}/" }\n`,
    );
    const id = await harness.start("flow_hang");
    await expect.poll(() => ledger.length).toBe(1);
    const killed = Date.now();
    await harness.engine.kill(id);
    await closed;
    expect(Date.now() - killed).toBeLessThan(20_000);
    expect((await harness.end(id)).execution.state).toBe("terminated");
  });

  test.each(["a\r\nX-Evil: 1", "a\nb", "a\u0000", "é€"])(
    "S-43 sends no header with %j in it",
    async (value) => {
      const { execution } = await harness.run(
        `
  value: { type: input }
  call: { type: http, url: "${url}/", headers: { x-value: "{{ value.value }}" } }
`,
        { value },
      );
      expect(execution.error).toContain("the header x-value holds a character that headers cannot hold");
      expect(ledger).toEqual([]);
    },
  );

  test.each(["Host", "content-length", "Transfer-Encoding", "connection"])(
    "S-43 may not set %s",
    async (name) => {
      const { execution } = await harness.run(
        `  call: { type: http, url: "${url}/", headers: { ${name}: "1" } }`,
      );
      expect(execution.error).toContain(`the header ${name} cannot be set`);
      expect(ledger).toEqual([]);
    },
  );

  test("S-40 reaches no address of this machine that the operator did not name", async () => {
    const { port } = new URL(url);
    for (const address of [
      `http://127.0.0.1:${port}/`,
      `http://[::ffff:7f00:1]:${port}/`,
      "http://169.254.169.254/",
    ]) {
      const { execution } = await harness.run(
        "  u: { type: input }\n  call: { type: http, url: '{{ u.value }}' }\n",
        {
          u: address,
        },
      );
      expect(execution.error).toContain("is not a public address");
    }
    expect(ledger).toEqual([]);
  });

  test("S-260: an answer of more values than can be read at once fails by how many; text is not counted", async () => {
    const json = { "content-type": "application/json" };
    answer = send(200, `[${Array(500_001).fill("[]").join()}]`, json);
    const { execution } = await harness.run(`  call: { type: http, url: "${url}/" }`);
    expect(execution.error).toContain("the answer has more than 500,000 values");
    answer = send(200, JSON.stringify({ csv: '\\",[{'.repeat(200_000) }), json);
    const { execution: other } = await harness.run(`  call: { type: http, url: "${url}/" }`);
    expect(other).toMatchObject({ state: "done" });
  });

  test("S-282: an answer of more different keys than can be read at once fails by how many", async () => {
    const json = { "content-type": "application/json" };
    const keys = (count: number) =>
      JSON.stringify(Array.from({ length: count }, (_, at) => ({ [`k${at}`]: at })));
    answer = send(200, keys(20_001), json);
    const { execution } = await harness.run(`  call: { type: http, url: "${url}/" }`);
    expect(execution.error).toContain("the answer has more than 20,000 different keys: ask for a part of it");
    answer = send(200, keys(20_000), json);
    const { execution: other } = await harness.run(`  call: { type: http, url: "${url}/" }`);
    expect(other).toMatchObject({ state: "done" });
  });

  test.each([
    ["HEAD", 200],
    ["DELETE", 200],
    ["PUT", 204],
  ])(
    "takes an answer to %s without a body for an empty text, whatever its type is",
    async (method, status) => {
      answer = send(status, "", { "content-type": "application/json" });
      const { execution, outputs } = await harness.run(`
  call: { type: http, url: "${url}/", method: ${method} }
  out: { type: output, value: ["{{ call.status }}", "{{ call.value }}"] }
`);
      expect(execution.error).toBeNull();
      expect(outputs).toEqual({ out: [status, ""] });
    },
  );

  test("S-402: an answer whose packed data are spoilt fails by that, and not as if it had never come", async () => {
    const packed = gzipSync(JSON.stringify(Array.from({ length: 20_000 }, (_, at) => at * at)));
    packed.fill(0xff, packed.length >> 1, (packed.length >> 1) + 500);
    answer = (_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(packed);
    const { execution } = await harness.run(`
  call: { type: http, url: "${url}/" }
`);
    expect(execution.error).toBe(
      `The node "call" failed: ${new URL(url).host} sent an answer that cannot be unpacked.`,
    );
  });

  test.each(["{broken", '{"broken'])(
    "says so when the answer is no JSON although it says that it is: %s",
    async (text) => {
      answer = send(200, text, { "content-type": "application/json" });
      const { execution } = await harness.run(`  call: { type: http, url: "${url}/" }`);
      expect(execution.error).toContain("the answer says that it is JSON, but is not");
    },
  );
});

describe("An each node with http inside", () => {
  test("calls once for each item, never more at once than it may, and tries each again by itself", async () => {
    let now = 0;
    let most = 0;
    const failedOnce = new Set<string>();
    answer = (call, response) => {
      now++;
      most = Math.max(most, now);
      setTimeout(() => {
        now--;
        const first = call.url === "/3" && !failedOnce.has(call.url);
        failedOnce.add(call.url);
        response.writeHead(first ? 500 : 200).end(call.url);
      }, 10);
    };
    const { outputs, log } = await harness.run(`
  all:
    type: each
    items: [1, 2, 3, 4, 5, 6]
    concurrency: 2
    do: { type: http, url: "${url}/{{ item }}", retries: { times: 1, delay_s: 0.01 } }
  out: { type: output, value: "{{ all.value }}" }
`);
    expect(outputs).toEqual({ out: ["/1", "/2", "/3", "/4", "/5", "/6"] });
    expect(ledger.map((call) => call.url).sort()).toEqual(["/1", "/2", "/3", "/3", "/4", "/5", "/6"]);
    expect(most).toBeLessThanOrEqual(2);
    expect(log.some((line) => line.includes("[all] 2: tries again"))).toBe(true);
  });
});
