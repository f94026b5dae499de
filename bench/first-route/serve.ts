/**
 * Serves a built folder as the service serves its console: its own file code, compression, cache rules and headers. A
 * process of its own; the port goes out by message. What is not a file is passed to the service, or answered by the peer's
 * stub.
 */
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { compress } from "../../src/service/http/compress.ts";
import { createStaticFiles } from "../../src/service/http/static.ts";
import { peerAnswer } from "./peer-answers.ts";

const { SERVE_FOLDER = "", SERVE_API = "", SERVE_LATE_MS = "0" } = process.env;
const files = createStaticFiles(SERVE_FOLDER, [], [], () => ({}));
const agent = new Agent({ keepAlive: true });

const server = createServer((incoming, outgoing) => {
  if (!incoming.url?.startsWith("/api/")) void file(incoming, outgoing);
  else if (SERVE_API === "") void send(outgoing, incoming, 200, peerAnswer(incoming.url));
  else pass(incoming, outgoing);
});
server.keepAliveTimeout = 15_000;

async function file(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  try {
    const asked = await files(new Request(`http://localhost${incoming.url}`, { headers }));
    const answer = await compress(asked, headers.get("accept-encoding"));
    // For the bench's test of itself.
    if (answer.headers["content-type"]?.startsWith("text/javascript")) await wait(Number(SERVE_LATE_MS));
    const policy = "content-security-policy";
    const { [policy]: rule, ...rest } = answer.headers;
    // The peer's page has styles of its own in it, which our policy forbids.
    outgoing.writeHead(
      answer.status,
      SERVE_API === "" || rule === undefined ? rest : { ...rest, [policy]: rule },
    );
    outgoing.end(answer.body);
  } catch {
    outgoing.writeHead(404).end();
  }
}

async function send(outgoing: ServerResponse, incoming: IncomingMessage, status: number, body: unknown) {
  const headers = { "content-type": "application/json", "cache-control": "no-store" };
  const accepted = String(incoming.headers["accept-encoding"] ?? "");
  const answer = await compress({ status, headers, body: JSON.stringify(body) }, accepted);
  outgoing.writeHead(answer.status, answer.headers).end(answer.body);
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host: _, ...headers } = incoming.headers;
  const asked = request(
    `${SERVE_API}${incoming.url}`,
    { method: incoming.method, headers, agent },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  asked.on("error", () => outgoing.destroy());
  incoming.pipe(asked);
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : 0);
});
