import { createServer } from "node:http";

/**
 * The world outside of a test, as a process of its own: `POST /effect` happens at once, and is answered after WAIT_MS;
 * `GET /effects` gives the bodies of all, in their order.
 */
const effects: string[] = [];
const waitMs = Number(process.env.WAIT_MS ?? 0);
const server = createServer(async (incoming, outgoing) => {
  if (incoming.method === "GET") return void outgoing.end(JSON.stringify(effects));
  let body = "";
  for await (const piece of incoming) body += piece;
  effects.push(body);
  setTimeout(() => outgoing.end("done"), waitMs);
});
server.listen(Number(process.env.PORT), "0.0.0.0", () => process.stdout.write("ready\n"));
