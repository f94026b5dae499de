import type { RequestListener } from "node:http";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { outgoingTests } from "../../testing/outgoing.ts";

const { serve, client, get } = outgoingTests();

describe("S-40 a request to an address that is not public", () => {
  let port = 0;
  let hits = 0;
  beforeAll(async () => {
    const canary: RequestListener = (_, response) => {
      hits++;
      response.end("canary");
    };
    port = await serve(canary, "::");
  });
  beforeEach(() => {
    hits = 0;
  });

  const hosts = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0x7f.0x0.0x0.0x1",
    "127.0.0.1.",
    "%31%32%37.0.0.1",
    "①②⑦.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "0",
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.255.255",
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "169.254.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:169.254.169.254]",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:10.0.0.1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::a00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::]",
    "[2001:0:7f00:1::]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[2001:db8::1]",
    "[100::1]",
    "[3fff::1]",
    "[5f00::1]",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "ip6-localhost",
  ];

  test("is never sent, whatever the address looks like", async () => {
    expect(new Set(hosts).size).toBeGreaterThanOrEqual(60);
    const outgoing = client();
    for (const host of hosts) {
      const answer = await get(outgoing, `http://${host}:${port}/`).catch((error: unknown) => error);
      expect(answer, host).toMatchObject({ name: "OutgoingError" });
      // A name may simply not be known here; an address must be refused as what it is.
      if (!/^[a-z]/i.test(host)) expect((answer as { kind: string }).kind, host).toMatch(/refused|invalid/);
    }
    expect(hits).toBe(0);
  });

  test("is never sent to names that resolve inward, not even beside a public address", async () => {
    const inward: Record<string, string[]> = {
      "inward.example": ["127.0.0.1"],
      "six.example": ["::1"],
      "mapped.example": ["::ffff:127.0.0.1"],
      "both.example": ["93.184.215.14", "127.0.0.1"],
      "meta.example": ["169.254.169.254"],
    };
    const outgoing = client({ lookup: async (host) => inward[host] ?? [] });
    for (const host of Object.keys(inward)) {
      await expect(get(outgoing, `http://${host}:${port}/`)).rejects.toMatchObject({ kind: "refused" });
    }
    await expect(get(outgoing, `http://none.example:${port}/`)).rejects.toMatchObject({
      kind: "unreachable",
    });
    expect(hits).toBe(0);
  });

  test("S-41 is decided by the one look-up that is connected to, so a name that changes gains nothing", async () => {
    let asked = 0;
    const lookup = async () => [++asked === 1 ? "192.0.2.1" : "127.0.0.1"];
    const outgoing = client({ lookup });
    await expect(get(outgoing, `http://flip.example:${port}/`)).rejects.toMatchObject({ kind: "refused" });
    await expect(get(outgoing, `http://flip.example:${port}/`)).rejects.toMatchObject({ kind: "refused" });
    expect(hits).toBe(0);
  });

  test("is sent where the operator allows this host and port, and no other port", async () => {
    const outgoing = client({ allowPrivate: [`LocalHost:${port}`] });
    await expect(get(outgoing, `http://localhost:${port}/`)).resolves.toMatchObject({
      status: 200,
      text: "canary",
    });
    await expect(get(outgoing, `http://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: "refused" });
    expect(hits).toBe(1);
  });

  test("S-41 does not go through a proxy of the environment", async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      http_proxy: `http://127.0.0.1:${port}`,
      HTTP_PROXY: `http://127.0.0.1:${port}`,
    });
    try {
      const outgoing = client({ lookup: async () => ["192.0.2.1"] });
      await expect(get(outgoing, "http://somewhere.example/")).rejects.toMatchObject({ kind: "refused" });
    } finally {
      process.env = before;
    }
    expect(hits).toBe(0);
  });

  test.each([
    "file:///etc/passwd",
    "ftp://example.com/",
    "javascript:1",
    "http://",
    "http://user:pw@example.com/",
    "nonsense",
    "//x",
  ])("takes no address such as %s", async (url) => {
    await expect(get(client(), url)).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("S-41 a redirect", () => {
  test.each([301, 302, 303, 307, 308])("%d is checked again at each hop", async (status) => {
    let hits = 0;
    const canary = await serve((_, response) => {
      hits++;
      response.end();
    });
    const from = await serve((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${canary}/` }).end();
    });
    const outgoing = client({ allowPrivate: [`localhost:${from}`] });
    await expect(get(outgoing, `http://localhost:${from}/`)).rejects.toMatchObject({ kind: "refused" });
    expect(hits).toBe(0);
  });

  test("is followed five times and not six", async () => {
    const port = await serve((request, response) => {
      const left = Number(request.url?.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const outgoing = client({ allowPrivate: [`localhost:${port}`] });
    expect((await get(outgoing, `http://localhost:${port}/5`)).text).toBe("there");
    await expect(get(outgoing, `http://localhost:${port}/6`)).rejects.toMatchObject({ kind: "redirects" });
  });

  test("to another host carries no header but accept, and never a request with a body", async () => {
    const seen: unknown[] = [];
    const to = await serve((request, response) => {
      seen.push(request.headers);
      response.end("ok");
    });
    const from = await serve((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${to}/` }).end();
    });
    const outgoing = client({ allowPrivate: [`localhost:${from}`, `127.0.0.1:${to}`] });
    const headers = { authorization: "Bearer s", "x-api-key": "s", cookie: "s", accept: "text/plain" };
    await get(outgoing, `http://localhost:${from}/`, { headers });
    expect(JSON.stringify(seen)).not.toContain('"s"');
    expect(seen).toMatchObject([{ accept: "text/plain" }]);
    const post = { method: "POST", body: "secret", headers };
    await expect(get(outgoing, `http://localhost:${from}/`, post)).rejects.toMatchObject({
      kind: "redirects",
    });
    expect(seen).toHaveLength(1);
  });

  test("is handed out as it is to a client that has rules of its own for it", async () => {
    const port = await serve((_, response) => response.writeHead(302, { location: "/there" }).end());
    const outgoing = client({ allowPrivate: [`localhost:${port}`] });
    const answer = await outgoing.fetch(`http://localhost:${port}/`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/there"]);
  });

  test("303 after a POST becomes a GET without the body", async () => {
    const seen: string[] = [];
    const port = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        seen.push(`${request.method} ${request.url} ${body}`);
        if (request.url === "/a") response.writeHead(303, { location: "/b" }).end();
        else response.end();
      });
    });
    const outgoing = client({ allowPrivate: [`localhost:${port}`] });
    await get(outgoing, `http://localhost:${port}/a`, { method: "POST", body: "x" });
    expect(seen).toEqual(["POST /a x", "GET /b "]);
  });
});

describe("S-312 a redirect of what changes something", () => {
  test.each([
    ["POST", 301, "GET"],
    ["POST", 308, "POST"],
    ["PUT", 301, "PUT"],
    ["PATCH", 302, "PATCH"],
    ["DELETE", 302, "DELETE"],
    ["DELETE", 303, "GET"],
  ])("%s with %d asks the same host by %s", async (method, status, asked) => {
    const seen: unknown[] = [];
    const port = await serve((request, response) => {
      seen.push(request.method);
      if (request.url === "/a") response.writeHead(status, { location: "/a/" }).end();
      else response.end();
    });
    const outgoing = client({ allowPrivate: [`localhost:${port}`] });
    await get(outgoing, `http://localhost:${port}/a`, { method });
    expect(seen).toEqual([method, asked]);
  });

  test.each([301, 302])(
    "DELETE with %d to another host fails, and deletes and reads nothing",
    async (status) => {
      let hits = 0;
      const to = await serve((_, response) => {
        hits++;
        response.end("ok");
      });
      const from = await serve((_, response) => {
        response.writeHead(status, { location: `http://127.0.0.1:${to}/` }).end();
      });
      const outgoing = client({ allowPrivate: [`localhost:${from}`, `127.0.0.1:${to}`] });
      await expect(get(outgoing, `http://localhost:${from}/`, { method: "DELETE" })).rejects.toMatchObject({
        kind: "redirects",
        message: `localhost:${from} redirects a DELETE to another host`,
      });
      expect(hits).toBe(0);
    },
  );
});

describe("S-42 an answer", () => {
  async function answering(listener: RequestListener) {
    const port = await serve(listener);
    const outgoing = client({ allowPrivate: [`localhost:${port}`] });
    return { outgoing, url: `http://localhost:${port}/` };
  }

  test.each([
    ["text/html; charset=ISO-8859-1", "latin1", "Kai für Öl"],
    ["text/html; charset=windows-1252", Buffer.from([0x93, 0x35, 0xa0, 0x80, 0x94]), "“5\u00a0€”"],
    ['text/plain; format=flowed; Charset="utf-16le"', "utf16le", "港 für Öl"],
    ["text/html", "utf8", "港 für Öl"],
    ["text/html; charset=nobody-knows", "utf8", "港 für Öl"],
  ] as const)("is read in the encoding that it has: %s", async (type, encoding, words) => {
    const { outgoing, url } = await answering((_, response) => {
      response
        .writeHead(200, { "content-type": type })
        .end(typeof encoding === "string" ? Buffer.from(words, encoding) : encoding);
    });
    expect((await get(outgoing, url)).text).toBe(words);
  });

  test("of more than 10 MB is cut off, also when it is endless", async () => {
    const { outgoing, url } = await answering((_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on("drain", write);
      write();
    });
    await expect(get(outgoing, url)).rejects.toMatchObject({ kind: "too_large" });
  });

  test("that is small but unpacks to more than 10 MB is cut off", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    const { outgoing, url } = await answering((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    await expect(get(outgoing, url)).rejects.toMatchObject({ kind: "too_large" });
  });

  test("with more than 64 KB of headers is refused", async () => {
    const { outgoing, url } = await answering((_, response) => {
      response.setHeader(
        "x-big",
        Array.from({ length: 100 }, () => "v".repeat(1_000)),
      );
      response.end();
    });
    await expect(get(outgoing, url)).rejects.toMatchObject({ kind: "too_large" });
  });

  test("that drips for ever ends with the caller's time limit", async () => {
    const { outgoing, url } = await answering((_, response) => {
      const timer = setInterval(() => response.write("."), 10);
      response.on("close", () => clearInterval(timer));
    });
    const signal = AbortSignal.timeout(200);
    await expect(get(outgoing, url, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  test("that breaks in the middle is an error that names the host", async () => {
    const { outgoing, url } = await answering((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    await expect(get(outgoing, url)).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining("localhost"),
    });
  });

  test("keeps no cookies and reads compressed text", async () => {
    const { outgoing, url } = await answering((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "set-cookie": "a=b", "x-kind": "t" });
      response.end(gzipSync("größe"));
    });
    const answer = await get(outgoing, url);
    expect(answer.text).toBe("größe");
    expect(answer.headers).toMatchObject({ "x-kind": "t" });
    expect(answer.headers).not.toHaveProperty("set-cookie");
  });
});

test("The fetch for clients streams a body through the same guard", async () => {
  const port = await serve((request, response) => {
    request.pipe(response);
  });
  const outgoing = client({ allowPrivate: [`localhost:${port}`] });
  const answer = await outgoing.fetch(`http://localhost:${port}/`, {
    method: "POST",
    body: "hello",
    headers: { a: "b" },
  });
  expect(await answer.text()).toBe("hello");
  const request = new Request(`http://localhost:${port}/`, { method: "POST", body: "again" });
  expect(await (await outgoing.fetch(request)).text()).toBe("again");
  await expect(outgoing.fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ kind: "refused" });
});
