/**
 * The process that loads a server: a fixed number of keep-alive connections, each with one request on its way. Written on
 * sockets, as a full HTTP client costs more than the servers that are measured. Told by messages of `Load`.
 */
import { connect } from "node:net";

/** One round: these requests in turn, for so long; each answer must have this status. */
export interface Load {
  readonly port: number;
  readonly connections: number;
  readonly milliseconds: number;
  readonly status: number;
  /** Whole requests as they go over the wire. */
  readonly requests: readonly string[];
}

/** How many answers came within the time, how long it was, and how long each took, all in milliseconds. */
export type Loaded =
  | { readonly answers: number; readonly milliseconds: number; readonly took: readonly number[] }
  | { readonly error: string };

const endOfHead = Buffer.from("\r\n\r\n");

/** @returns how many bytes the first whole answer has, 0 where it is not there yet */
function answerLength(received: Buffer, status: number): number {
  const end = received.indexOf(endOfHead);
  if (end === -1) return 0;
  const head = received.toString("latin1", 0, end);
  if (!head.startsWith(`HTTP/1.1 ${status} `)) throw new Error(`Not ${status}: ${head}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== 304) throw new Error(`An answer without a length: ${head}`);
  const whole = end + endOfHead.length + Number(length ?? 0);
  return received.length >= whole ? whole : 0;
}

function load({ port, connections, milliseconds, status, requests }: Load): Promise<Loaded> {
  const heads = requests.map((text) => Buffer.from(text, "latin1"));
  return new Promise((resolve) => {
    let next = 0;
    let answers = 0;
    const took: number[] = [];
    const began = performance.now();
    const send = () => heads[next++ % heads.length] ?? Buffer.alloc(0);
    const sockets = Array.from({ length: connections }, () => {
      let received: Buffer = Buffer.alloc(0);
      let askedAt = began;
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      socket.on("connect", () => {
        askedAt = performance.now();
        socket.write(send());
      });
      socket.on("error", (error) => end(error));
      socket.on("data", (chunk) => {
        received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
        try {
          const length = answerLength(received, status);
          if (length === 0) return;
          received = received.subarray(length);
        } catch (error) {
          return end(error);
        }
        answers++;
        const now = performance.now();
        took.push(now - askedAt);
        askedAt = now;
        socket.write(send());
      });
      return socket;
    });
    const timer = setTimeout(() => end(null), milliseconds);
    const end = (error: unknown) => {
      clearTimeout(timer);
      const all = performance.now() - began;
      for (const socket of sockets)
        socket
          .removeAllListeners("error")
          .on("error", () => {})
          .destroy();
      resolve(error === null ? { answers, milliseconds: all, took } : { error: String(error) });
    };
  });
}

process.on("message", (message) => {
  void load(message as Load).then((loaded) => process.send?.(loaded));
});
