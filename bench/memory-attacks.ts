import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Where the service is, and with which key it is asked. */
export interface Target {
  readonly port: number;
  readonly key: string;
}

const many = (count: number, one: (at: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)));

const drop = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection with the beginning of a request on it. @param reads whether it takes what is answered */
async function open({ port }: Target, head: string, reads: boolean): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  if (reads) socket.resume();
  else socket.pause();
  await once(socket, "connect");
  socket.write(`${head}\r\nhost: localhost\r\n`);
  return socket;
}

/** Resolves when there is room to write again, or nobody to write to: the service may close what it does not want. */
const drained = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.once("drain", resolve);
    socket.once("close", () => resolve());
  });

const piece = Buffer.alloc(990_000, " ");

/** Bodies of ten megabytes without a credential, almost all at once and then a byte a second. */
export function openBodies(target: Target, path: string, clients: number): Promise<unknown> {
  return many(clients, async () => {
    const socket = await open(target, `POST ${path} HTTP/1.1`, true);
    socket.write("content-length: 10000000\r\n\r\n");
    for (let at = 0; at < 10 && !socket.closed; at++) {
      if (!socket.write(piece)) await drained(socket);
    }
    while (!socket.closed) {
      socket.write(" ");
      await drop(1_000);
    }
  });
}

/** Asks for something and reads nothing of it for three quarters of a minute. */
export function unread(target: Target, address: string, clients: number): Promise<unknown> {
  return many(clients, async () => {
    const socket = await open(target, `GET ${address} HTTP/1.1`, false);
    socket.write(`authorization: Bearer ${target.key}\r\n\r\n`);
    await drop(45_000);
    socket.destroy();
  });
}

/** Reads an answer to its end, which must be 200. @returns bytes of each */
export async function readAll(target: Target, address: string, clients: number): Promise<readonly number[]> {
  const sizes: number[] = [];
  await many(clients, async () => {
    const headers = { authorization: `Bearer ${target.key}`, "accept-encoding": "identity" };
    const answer = await fetch(`http://127.0.0.1:${target.port}${address}`, { headers });
    if (answer.status !== 200) throw new Error(`${address}: ${answer.status}`);
    let size = 0;
    for await (const chunk of answer.body ?? []) size += chunk.length;
    sizes.push(size);
  });
  return sizes;
}

/** Sends a body. @returns the statuses */
export async function send(
  target: Target,
  path: string,
  body: string,
  clients: number,
): Promise<readonly number[]> {
  const statuses: number[] = [];
  await many(clients, async () => {
    const headers = { authorization: `Bearer ${target.key}`, "x-auth-key": "user_ada" };
    const answer = await fetch(`http://127.0.0.1:${target.port}${path}`, { method: "POST", headers, body });
    await answer.arrayBuffer();
    statuses.push(answer.status);
  });
  return statuses;
}
