import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach } from "vitest";
import { createOutgoing, type Outgoing, type OutgoingOptions } from "../service/outgoing/outgoing.ts";

/** What the tests of one file about outgoing requests share: servers until its end, clients until the end of a test. */
export function outgoingTests() {
  const never = new AbortController().signal;
  const servers: Server[] = [];
  const clients: Outgoing[] = [];
  afterAll(() => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((made) => made.close()));
  });
  return {
    never,
    /** @returns the port of a server of this machine */
    async serve(listener: RequestListener, host = "127.0.0.1"): Promise<number> {
      const server = createServer({ maxHeaderSize: 1024 * 1024 }, listener);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, host, resolve));
      return (server.address() as AddressInfo).port;
    },
    client(options: Partial<OutgoingOptions> = {}): Outgoing {
      const made = createOutgoing({ allowPrivate: [], ...options });
      clients.push(made);
      return made;
    },
    get: (outgoing: Outgoing, url: string, more = {}) =>
      outgoing.request({ url, method: "GET", headers: {}, body: null, signal: never, ...more }),
  };
}
