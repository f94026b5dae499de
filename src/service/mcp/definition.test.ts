import { setImmediate } from "node:timers/promises";
import { Client, InMemoryTransport, type Tool } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it } from "vitest";
import { listDefinitions } from "./definition.ts";

const { signal } = new AbortController();
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const tool = (name: string, more: Partial<Tool> = {}): Tool => {
  return { name, description: "Says it", inputSchema: { type: "object" }, ...more };
};

/** What a server says of itself in pages. @param page by number, from 0; null: there is none */
async function list(page: (number: number) => readonly Tool[] | null) {
  let asked = 0;
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", ({ params }) => {
    asked++;
    const number = Number(params?.cursor ?? 0);
    const next = page(number + 1) === null ? {} : { nextCursor: String(number + 1) };
    return { tools: [...(page(number) ?? [])], ...next };
  });
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await server.connect(theirs);
  await client.connect(ours);
  open.push(client, server);
  return { tools: await listDefinitions(client, signal), asked };
}
const only = (...tools: readonly Tool[]) => list((number) => (number === 0 ? tools : null));

describe("the tools of a server", () => {
  it("are those of all its pages; of two of one name the first counts", async () => {
    const pages = [
      [tool("a"), tool("b")],
      [tool("a", { description: "Another" }), tool("c")],
    ];
    const { tools } = await list((number) => pages[number] ?? null);
    expect(tools.map(({ name, description }) => `${name}: ${description}`)).toEqual([
      "a: Says it",
      "b: Says it",
      "c: Says it",
    ]);
  });

  it("are read to the end where pages go on for ever: nothing new, or more than five hundred", async () => {
    expect(await list(() => [tool("a")])).toMatchObject({ tools: [{ name: "a" }], asked: 2 });
    expect(await list(() => [])).toMatchObject({ tools: [], asked: 1 });
    const many = await list((number) => Array.from({ length: 90 }, (_, at) => tool(`t${number}x${at}`)));
    expect([many.tools.length, many.asked]).toEqual([500, 6]);
    const unreadable = await list((number) => [tool(`\u0007${number}`)]);
    expect([unreadable.tools.length, unreadable.asked]).toEqual([0, 500]);
  });

  it("are not those whose name is none, or whose definition is no description", async () => {
    const { tools } = await only(
      tool("good"),
      tool("line\nbreak"),
      tool("bidi\u202e"),
      tool("x".repeat(129)),
      tool("long", { inputSchema: { type: "object", description: "x".repeat(100_000) } }),
    );
    expect(tools.map(({ name }) => name)).toEqual(["good"]);
  });

  it("S-47: have a hash of all that is said of them, in whatever order", async () => {
    const hashOf = async (more: Partial<Tool>) => (await only(tool("a", more))).tools[0]?.hash;
    const one = await hashOf({
      inputSchema: { type: "object", properties: { a: {}, b: {} }, required: ["a"] },
    });
    expect(
      await hashOf({ inputSchema: { required: ["a"], properties: { b: {}, a: {} }, type: "object" } }),
    ).toBe(one);
    const others = await Promise.all(
      [
        { inputSchema: { type: "object" as const, properties: { a: {}, b: {} }, required: ["b"] } },
        { description: "Says it again" },
        { description: `${"x".repeat(5_000)}1` },
        { description: `${"x".repeat(5_000)}2` },
        { title: "A" },
        { annotations: { destructiveHint: false } },
        { outputSchema: { type: "object" as const } },
      ].map(hashOf),
    );
    expect(new Set([one, ...others]).size).toBe(8);
  });
});

it("S-281: of many tools that a server names at once one is read at a time, and all else comes between", async () => {
  let turns = 0;
  let isOver = false;
  const count = async () => {
    for (; !isOver; turns++) await setImmediate();
  };
  const counting = count();
  const { tools } = await list((page) => {
    return page === 0 ? Array.from({ length: 200 }, (_, at) => tool(`tool_${at}`)) : null;
  });
  isOver = true;
  await counting;
  expect(tools).toHaveLength(200);
  expect(turns).toBeGreaterThanOrEqual(200);
});
