import { createServer, type IncomingMessage, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ServiceError } from "../service-error.ts";
import { jsonAnswer } from "./answer.ts";
import type { App } from "./app.ts";
import { errorAnswer } from "./errors.ts";
import { endSlowReaders, type ReaderLimits, readerLimits } from "./slow-readers.ts";

/** An open port. */
export interface Listening {
  readonly port: number;
  /**
   * Goes on answering, but says with each answer that its connection ends with it: whoever keeps connections makes new ones,
   * and a load balancer makes them elsewhere once it knows. None is closed under a request that is on its way.
   */
  drain(): void;
  /** Takes no new connection, lets requests in flight end, and after `graceMs` cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** The port cannot be had. `inUse`: another process has it. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  readonly inUse: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(cause.message, { cause });
    this.inUse = cause.code === "EADDRINUSE";
  }
}

/** What all connections together and each request may have. */
const limits = {
  /** Each costs some twenty kilobytes, before anything is known of who it is. More are closed as they come. */
  connections: 5_000,
  headers: 200,
  /** How long the body of a request that is answered already may still come, unread, in milliseconds. */
  unreadMs: 500,
} as const;

/**
 * Serves the app. Slow and broken clients are cut off: headers within 10 s, the whole request within 30 s, at most 200
 * headers with 16 KB, no progress in reading the answer for 30 s. At most 5,000 connections; there is no limit for each
 * address, as behind a proxy all clients have one.
 * @param port 0 for any
 * @param readers for tests, which cannot wait so long
 * @throws ListenError
 */
export async function listen(
  app: App,
  host: string,
  port: number,
  readers: ReaderLimits = readerLimits,
): Promise<Listening> {
  const fetching = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: "localhost",
    // Only a request line or Host that is no address comes here: the app itself never throws.
    errorHandler: () => {
      const error = new ServiceError("invalid_parameter", {
        message: "The request's address cannot be read.",
      });
      const { status, headers, body } = errorAnswer(error, "nested");
      return new Response(body, { status, headers: { ...jsonAnswer(status, body).headers, ...headers } });
    },
  });
  let isDraining = false;
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Longer than the minute for which proxies keep theirs: they close first, and send nothing on one that is about to end.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: true,
      // Of a header that comes twice both are seen, as `fetch` shows them, instead of the first alone.
      joinDuplicateHeaders: true,
    },
    (incoming, outgoing) => {
      outgoing.once("finish", () => {
        endUnread(incoming);
        // Its answer had begun before anybody knew that none follows.
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
      if (isDraining) outgoing.setHeader("connection", "close");
      if (incoming.rawHeaders.length > 2 * limits.headers) {
        outgoing.writeHead(431, { connection: "close" }).end();
      } else if (!app.answer(incoming, outgoing)) void fetching(incoming, outgoing);
    },
  );
  server.maxConnections = limits.connections;
  endSlowReaders(server, readers);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new ListenError(error)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    drain() {
      isDraining = true;
    },
    close: (graceMs) => closeServer(server, graceMs),
  };
}

/**
 * Of a request that was answered before its body had come, as without a credential: what still comes is thrown away, for
 * long enough that the client can read why, and then its connection is closed.
 */
function endUnread(incoming: IncomingMessage): void {
  if (incoming.complete) return;
  setTimeout(() => incoming.complete || incoming.socket.destroy(), limits.unreadMs).unref();
}

function closeServer(server: Server, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(cut);
      resolve();
    });
    server.closeIdleConnections();
  });
}
