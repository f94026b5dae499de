import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import type { Mcp } from "./mcp.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Answers with so many letters or empty lists; where it is `abrupt` it ends at what it does not know. */
const sayer = `
const result = (method, { arguments: args = {} } = {}) => ({
  initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "sayer", version: "1" } },
  "tools/list": { tools: [{ name: "say", description: "Says it", inputSchema: { type: "object" } }] },
  "tools/call": { content: [{ type: "text", text: "x".repeat(args.letters) }], structuredContent: { all: Array(args.lists).fill([]) } },
})[method];
console.log("It begins.");
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const said = result(method, params);
  if (!said && id !== undefined && process.argv[1] === "abrupt") process.exit(1);
  const answer = said ? { result: said } : { error: { code: -32601, message: "no" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...answer }) + "\\n");
});`;

let fresh: FreshStore;
let mcp: Mcp;
beforeAll(async () => {
  fresh = await freshStore();
});
afterAll(() => fresh.drop());
afterEach(() => mcp.close());

const { signal } = new AbortController();
const say = (letters: number, lists = 0, server = "sayer") =>
  callTool(mcp, server, null, { tool: "say", args: { letters, lists }, key: "k", signal });
const sayers = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`sayer${at}`, { command: "node", args: ["-e", sayer] }]),
  );

it("S-404: of the long answers of commands nothing is held once they have been read", async () => {
  mcp = mcpFor(fresh.store, sayers(4));
  const held = () => {
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  for (const { id } of mcp.servers) await say(1, 0, id);
  const before = held();
  for (const { id } of mcp.servers) expect((await say(5_000_000, 0, id)).content).toHaveLength(1);
  expect(held() - before).toBeLessThan(5_000_000);
});

it("S-404: an answer of a command with more values than can be read at once is too much, and the next call is answered", async () => {
  mcp = mcpFor(fresh.store, { sayer: { name: "Sayer", command: "node", args: ["-e", sayer] } });
  await expect(say(1, 500_001)).rejects.toMatchObject({
    failure: "too_large",
    message:
      "The MCP server Sayer answered with more than 10 MB, 500,000 values or 20,000 different keys, which is too much.",
  });
  expect((await say(1, 1_000)).structured).toEqual({ all: Array(1_000).fill([]) });
});

it("a command that ends at a question of a later revision is begun with once more, as one of an earlier", async () => {
  mcp = mcpFor(fresh.store, { sayer: { command: "node", args: ["-e", sayer, "abrupt"] } });
  expect((await say(3)).content).toEqual([{ type: "text", text: "xxx" }]);
});
