import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Below the ports that a system hands out by itself, and without those that browsers refuse to call. */
const first = 11_000;
const last = 15_999;

/**
 * A port of the loopback interface that nobody listens on now, and that nobody gets by listening on port 0 or by calling
 * somewhere: what listened on it can be away for a while and come back.
 * @throws what the system says where no port can be had at all
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(first, last + 1);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(false) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
