import { Agent, get, type IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { App } from "./app.ts";
import { type Listening, listen } from "./server.ts";

/** Requests for /slow, until they are let go. */
let waiting: (() => void)[] = [];
const app: App = {
  answer(incoming, outgoing) {
    if (incoming.url === "/slow") waiting.push(() => outgoing.end("slow"));
    else outgoing.end("quick");
    return true;
  },
  fetch: () => Promise.reject(new Error("all is answered")),
};
/** As a load balancer: one connection, kept. */
let agent: Agent;
let listening: Listening;
beforeEach(async () => {
  waiting = [];
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  listening = await listen(app, "127.0.0.1", 0);
});
afterEach(async () => {
  agent.destroy();
  await listening.close(0);
});

interface Heard {
  readonly connection: string | undefined;
  /** How long it is kept; undefined: it is not. */
  readonly kept: string | string[] | undefined;
  readonly port: number;
  readonly text: string;
}

function ask(path: string): Promise<Heard> {
  return new Promise((resolve, reject) => {
    const heard = async (incoming: IncomingMessage) => {
      let text = "";
      for await (const piece of incoming) text += piece;
      const { localPort: port = 0 } = socket ?? {};
      const { connection, "keep-alive": kept } = incoming.headers;
      resolve({ connection, kept, port, text });
    };
    const asked = get({ host: "127.0.0.1", port: listening.port, path, agent }, heard);
    let socket: IncomingMessage["socket"] | null = null;
    asked.once("socket", (given) => {
      socket = given;
    });
    asked.once("error", reject);
  });
}

test("a connection is kept for longer than the minute after which proxies close theirs", async () => {
  const { kept } = await ask("/");
  expect(Number(/^timeout=(\d+)$/.exec(String(kept))?.[1])).toBeGreaterThan(60);
});

test("S-125: while it drains, requests on kept connections are answered, and each answer says that its connection ends", async () => {
  const before = await ask("/");
  expect(before).toMatchObject({ connection: "keep-alive", text: "quick" });
  listening.drain();
  const during = await ask("/");
  expect(during).toEqual({ connection: "close", kept: undefined, text: "quick", port: before.port });
  expect(await ask("/")).toMatchObject({ connection: "close", text: "quick" });
});

test("S-125: what is in flight when it closes is answered, and its kept connection holds up nothing", async () => {
  const slow = ask("/slow");
  await expect.poll(() => waiting.length).toBe(1);
  const closed = listening.close(600_000);
  const begun = performance.now();
  for (const go of waiting) go();
  expect(await slow).toMatchObject({ text: "slow" });
  await closed;
  // By itself it would rest for more than a minute.
  expect(performance.now() - begun).toBeLessThan(10_000);
  agent.destroy();
  await expect(ask("/")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
