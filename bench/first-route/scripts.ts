import { get } from "node:http";
import type { Asked } from "./visit.ts";

/** What the scripts of a visit are. */
export interface Scripts {
  readonly count: number;
  /** Their bodies as gzip, in bytes: what a service without brotli sends. */
  readonly gzip: number;
  /** Those that the page's HTML does not name, so that they could not be on their way before another one had run. */
  readonly unnamed: readonly string[];
}

/** Reads what a server sends; each file once. */
export function createScripts(origin: string) {
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = (path: string) => {
    const size = sizes.get(path) ?? read(origin + path, "gzip").then((body) => body.length);
    sizes.set(path, size);
    return size;
  };
  return async (page: string, asked: readonly Asked[]): Promise<Scripts> => {
    const html = (await read(origin + page, "identity")).toString();
    const scripts = asked.filter((one) => one.isScript);
    const bytes = await Promise.all(scripts.map((one) => sizeOf(one.path)));
    return {
      count: scripts.length,
      gzip: bytes.reduce((sum, one) => sum + one, 0),
      // A worker is started by a script, whatever the HTML says.
      unnamed: scripts
        .filter(({ path, isWorker }) => !isWorker && !html.includes(path.replace(/^\//, "")))
        .map((one) => one.path),
    };
  };
}

/** The body as it is sent. `fetch` would unpack it, and tells the server that it is no navigation. */
function read(url: string, encoding: "gzip" | "identity"): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": encoding, accept: "text/html, */*" };
    const asking = get(url, { headers }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("end", () => resolve(Buffer.concat(pieces)));
      answer.on("error", reject);
    });
    asking.on("error", reject);
  });
}
