import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "vite";
import type { LogService } from "../e2e/log-service.ts";
import { logServiceKey } from "../e2e/log-service.ts";

const html = `<!doctype html><meta charset="utf-8"><title>rivals</title><style>
body{margin:0}.view{height:860px;width:1100px;overflow:auto;margin:0;font:12px/20px monospace;white-space:pre-wrap}
.row{position:absolute;top:0;left:0;width:100%;white-space:pre-wrap;overflow-wrap:anywhere}
</style><div id="root"></div><script type="module" src="/rivals.js"></script>`;

/** Serves the page of the rivals, with the run `id` of the log service as `/run`. @returns its address and its end */
export async function serveRivals(logs: LogService, id: () => string) {
  const built = await build({
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2023",
      rolldownOptions: {
        input: join(import.meta.dirname, "log-rivals.tsx"),
        output: { codeSplitting: false },
      },
    },
  });
  const output = Array.isArray(built) ? built[0]?.output : "output" in built ? built.output : undefined;
  const script = output?.find((one) => one.type === "chunk");
  if (script?.type !== "chunk") throw new Error("The rivals were not built");
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://rivals").pathname;
    if (path === "/run") {
      request.headers.authorization = `Bearer ${logServiceKey}`;
      delete request.headers["if-none-match"];
      void logs.answer(id(), request, response);
      return;
    }
    response.writeHead(200, { "content-type": path === "/rivals.js" ? "text/javascript" : "text/html" });
    response.end(path === "/rivals.js" ? script.code : html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
