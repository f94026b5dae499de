/** A bare `node:http` server as its own process: the same body as the service's, nothing else. Port by message. */
import { createServer } from "node:http";

const body = process.env.BARE_BODY ?? "";
const tag = 'W/"1"';

const server = createServer((request, response) => {
  if (request.headers["if-none-match"] === tag) response.writeHead(304, { etag: tag }).end();
  else {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      etag: tag,
    };
    response.writeHead(200, headers).end(body);
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : 0);
});
