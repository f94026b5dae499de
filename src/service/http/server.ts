import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ServiceError } from "../service-error.ts";
import { jsonAnswer } from "./answer.ts";
import type { App } from "./app.ts";
import { errorAnswer } from "./errors.ts";

/** An open port. */
export interface Listening {
  readonly port: number;
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

/**
 * Serves the app. Slow and broken clients are cut off: headers within 10 s, the whole request within 30 s, headers of
 * at most 16 KB.
 * @param port 0 for any
 * @throws ListenError
 */
export async function listen(app: App, host: string, port: number): Promise<Listening> {
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
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 15_000,
      connectionsCheckingInterval: 2_000,
      maxHeaderSize: 16_384,
      requireHostHeader: true,
      // Of a header that comes twice both are seen, as `fetch` shows them, instead of the first alone.
      joinDuplicateHeaders: true,
    },
    (incoming, outgoing) => {
      if (!app.answer(incoming, outgoing)) void fetching(incoming, outgoing);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new ListenError(error)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close: (graceMs) => closeServer(server, graceMs),
  };
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
