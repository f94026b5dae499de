import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { until } from "../../testing/until.ts";
import { endSlowReaders } from "./slow-readers.ts";

const piece = Buffer.alloc(65_536, "x");
let server: Server;
/** As the service has them, in the order in which they came. */
let sockets: Socket[] = [];
let clients: Socket[] = [];

/** Looks are made by hand; everything else goes on by itself. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  sockets = [];
  clients = [];
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  await new Promise((resolve) => server.close(resolve));
  vi.useRealTimers();
});
const look = (times = 1) => vi.advanceTimersByTime(times * 1_000);

async function listen(limits: { looks: number; waitingBytes: number }): Promise<void> {
  // Writes without an end, as fast as it is taken.
  server = createServer((_, outgoing) => {
    const write = () => {
      while (!outgoing.destroyed && outgoing.write(piece));
    };
    outgoing.on("drain", write);
    write();
  });
  server.on("connection", (socket) => sockets.push(socket));
  endSlowReaders(server, { lookMs: 1_000, ...limits });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
}

/** Asks, and reads nothing of the answer. @returns once the service has more than the connection takes */
async function reader(): Promise<{ client: Socket; socket: Socket }> {
  const { port } = server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1").pause();
  clients.push(client);
  client.on("error", () => {});
  await once(client, "connect");
  const known = sockets.length;
  client.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
  await until("the connection", () => sockets.length >= Math.max(known, clients.length));
  const socket = sockets.at(-1);
  if (socket === undefined) throw new Error("no connection");
  await standsStill(socket);
  return { client, socket };
}

const sent = (socket: Socket) => socket.bytesWritten - socket.writableLength;

/** Until a while has passed in which nothing left. */
async function standsStill(socket: Socket): Promise<void> {
  let before = -1;
  let same = 0;
  await until("a full connection", () => {
    same = sent(socket) === before && socket.writableLength > 0 ? same + 1 : 0;
    before = sent(socket);
    return same > 20;
  });
}

describe("a client that does not read its answer", () => {
  test("S-94: is ended after so many looks without progress, and not before", async () => {
    await listen({ looks: 3, waitingBytes: 1e9 });
    const { socket } = await reader();
    look(3);
    expect(socket.destroyed, "the first look saw it move").toBe(false);
    look();
    expect(socket.destroyed).toBe(true);
  });

  test("S-94: keeps its connection for as long as it takes something now and then", async () => {
    await listen({ looks: 3, waitingBytes: 1e9 });
    const { client, socket } = await reader();
    look();
    for (let time = 0; time < 10; time++) {
      look(2);
      const before = sent(socket);
      client.resume();
      await until("progress", () => sent(socket) > before);
      client.pause();
      await standsStill(socket);
      look();
      expect(socket.destroyed).toBe(false);
    }
    look(3);
    expect(socket.destroyed).toBe(true);
  });

  test("S-94: goes at once when all together keep too much waiting; whoever reads stays", async () => {
    await listen({ looks: 1_000, waitingBytes: 3 * piece.length });
    const still = [await reader(), await reader(), await reader(), await reader(), await reader()];
    const reading = await reader();
    look();
    const before = sent(reading.socket);
    reading.client.resume();
    await until("progress", () => sent(reading.socket) > before);
    look();
    expect(still.some(({ socket }) => socket.destroyed)).toBe(true);
    expect(reading.socket.destroyed).toBe(false);
    const waiting = sockets.filter((socket) => !socket.destroyed).map((socket) => socket.writableLength);
    expect(waiting.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(3 * piece.length);
  });
});

test("a connection that is kept open without a request is not ended for it", async () => {
  await listen({ looks: 2, waitingBytes: 1e9 });
  const { port } = server.address() as AddressInfo;
  const client = connect(port, "127.0.0.1");
  clients.push(client);
  await until("the connection", () => sockets.length === 1);
  look(10);
  expect(sockets[0]?.destroyed).toBe(false);
});
