import type { Server } from "node:http";
import type { Socket } from "node:net";

/** When a client that does not read its answer loses its connection. */
export interface ReaderLimits {
  /** How often it is looked at what each connection has sent, in milliseconds. */
  readonly lookMs: number;
  /** So many looks without a byte on its way, and it is ended. */
  readonly looks: number;
  /** Bytes that may wait for all readers together; above that those who stand still are ended at once, the fullest first. */
  readonly waitingBytes: number;
}

/** Thirty seconds without any progress, as looks: a process that stood still itself blames nobody for that time. */
export const readerLimits: ReaderLimits = { lookMs: 1_000, looks: 30, waitingBytes: 64_000_000 };

interface Reading {
  /** Bytes that have left this process. */
  sent: number;
  /** Looks at which something waited and nothing had left since the one before. */
  still: number;
}

/**
 * Ends connections whose clients do not take what is sent to them, whatever the answer is. Whoever takes something now and
 * then keeps the connection, however slow: as bodies are written in small pieces, that can be seen.
 */
export function endSlowReaders(server: Server, { lookMs, looks, waitingBytes }: ReaderLimits): void {
  const connections = new Map<Socket, Reading>();
  server.on("connection", (socket) => {
    connections.set(socket, { sent: 0, still: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  const look = () => {
    let waiting = 0;
    const standing: Socket[] = [];
    for (const [socket, reading] of connections) {
      const sent = socket.bytesWritten - socket.writableLength;
      const moved = socket.writableLength === 0 || sent !== reading.sent;
      reading.still = moved ? 0 : reading.still + 1;
      reading.sent = sent;
      if (reading.still >= looks) socket.destroy();
      else {
        waiting += socket.writableLength;
        if (!moved) standing.push(socket);
      }
    }
    if (waiting <= waitingBytes) return;
    standing.sort((a, b) => b.writableLength - a.writableLength);
    for (const socket of standing) {
      if (waiting <= waitingBytes) break;
      waiting -= socket.writableLength;
      socket.destroy();
    }
  };
  const timer = setInterval(look, lookMs).unref();
  server.once("close", () => clearInterval(timer));
}
