import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { freePort } from "../../testing/free-port.ts";
import { callTool, mcpFor } from "../../testing/mcp.ts";
import { until } from "../../testing/until.ts";
import type { Mcp } from "./mcp.ts";
import type { McpOwner } from "./owner.ts";

/** Servers that others wrote, as their packages start them. */
const packages = resolve(import.meta.dirname, "../../../node_modules/@modelcontextprotocol");
const packaged = (name: string) => join(packages, `server-${name}/dist/index.js`);
const example = join(packages, "sdk/dist/esm/examples/server/simpleStreamableHttp.js");

const { signal } = new AbortController();
const kim: McpOwner = { type: "user", id: "user_kim" };
const folder = mkdtempSync(join(tmpdir(), "wheelhouse-real-"));
let fresh: FreshStore;
const open: Mcp[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  fresh = await freshStore();
  const person = { first_name: "Kim", last_name: "T", email: "kim@example.com", profile_picture: null };
  await fresh.store.db
    .insertInto("users")
    .values({ id: "user_kim", plan: "pro", ...person })
    .execute();
});
afterAll(async () => {
  await fresh.drop();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((mcp) => mcp.close()));
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
});

function make(servers: object, allowPrivate: readonly string[] = []): Mcp {
  const mcp = mcpFor(fresh.store, servers, { allowPrivate });
  open.push(mcp);
  return mcp;
}
const call = (mcp: Mcp, id: string, tool: string, args = {}) =>
  callTool(mcp, id, kim, { tool, args, key: "1-0-turn_x", signal });

/** Starts one in a process of its own, and waits until it answers at all. */
async function run(
  script: string,
  args: readonly string[],
  env: Record<string, string>,
  url: string,
): Promise<void> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  children.push(child);
  await until(`an answer of ${script}`, () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
}

describe("server-everything", () => {
  it("over streamable HTTP, also after it was started again", async () => {
    const port = await freePort();
    const url = `http://localhost:${port}/mcp`;
    const start = () => run(packaged("everything"), ["streamableHttp"], { PORT: String(port) }, url);
    await start();
    const mcp = make({ everything: { url } });
    const tools = await mcp.listTools("everything", kim, signal);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "get-sum"]));
    expect((await call(mcp, "everything", "echo", { message: "Ahoy" })).content).toEqual([
      { type: "text", text: "Echo: Ahoy" },
    ]);
    expect(JSON.stringify(await call(mcp, "everything", "get-sum", { a: 2, b: 3 }))).toContain("5");
    const structured = await call(mcp, "everything", "get-structured-content", { location: "Chicago" });
    expect(structured.structured).toMatchObject({ conditions: expect.any(String) });
    expect(await call(mcp, "everything", "get-sum", { a: "two" })).toMatchObject({ isError: true });

    // Killed in the middle of a call that takes a minute.
    const long = call(mcp, "everything", "trigger-long-running-operation", { duration: 60, steps: 60 });
    const refused = expect(long).rejects.toMatchObject({ failure: "unreachable" });
    const [child] = children.splice(0);
    await until("the call to be under way", async () => {
      const beside = await call(mcp, "everything", "echo", { message: "beside" });
      return !beside.isError;
    });
    child?.kill("SIGKILL");
    await refused;
    expect((await mcp.states(kim)).get("everything")?.failure).toMatch(
      /stopped responding|cannot be reached/,
    );
    await start();
    expect((await call(mcp, "everything", "echo", { message: "back" })).isError).toBe(false);
    expect((await mcp.states(kim)).get("everything")).toMatchObject({ status: "connected", failure: null });
  }, 300_000);

  it("as a command", async () => {
    const mcp = make({ everything: { command: "node", args: [packaged("everything"), "stdio"] } });
    const pictures = await call(mcp, "everything", "get-tiny-image");
    expect(pictures.content).toEqual(expect.arrayContaining([expect.objectContaining({ type: "image" })]));
  }, 300_000);
});

it("server-filesystem reads and writes in its folder and nowhere else", async () => {
  writeFileSync(join(folder, "notes.md"), "Mooring lines checked.");
  const mcp = make({ files: { command: "node", args: [packaged("filesystem"), folder] } });
  const read = (path: string) => call(mcp, "files", "read_text_file", { path });
  expect(JSON.stringify(await read(join(folder, "notes.md")))).toContain("Mooring lines checked.");
  expect(await read("/etc/passwd")).toMatchObject({ isError: true });
  await call(mcp, "files", "write_file", { path: join(folder, "new.md"), content: "Fog." });
  expect(readFileSync(join(folder, "new.md"), "utf8")).toBe("Fog.");
  expect((await mcp.states(kim)).get("files")).toMatchObject({ status: "connected", auth: "none" });
}, 300_000);

it("server-memory keeps what it was told", async () => {
  const path = join(folder, "memory.jsonl");
  const mcp = make({
    memory: { command: "node", args: [packaged("memory")], env: { MEMORY_FILE_PATH: path } },
  });
  const entities = [{ name: "Pilot boat", entityType: "boat", observations: ["has a red hull"] }];
  await call(mcp, "memory", "create_entities", { entities });
  expect(JSON.stringify(await call(mcp, "memory", "search_nodes", { query: "red hull" }))).toContain(
    "Pilot boat",
  );
}, 300_000);

it("S-49: the SDK's OAuth example, which takes only tokens for itself, lets the person in", async () => {
  const [port, authPort] = [await freePort(), await freePort()];
  const url = `http://localhost:${port}/mcp`;
  const env = { MCP_PORT: String(port), MCP_AUTH_PORT: String(authPort) };
  await run(
    example,
    ["--oauth", "--oauth-strict"],
    env,
    `http://localhost:${authPort}/.well-known/oauth-authorization-server`,
  );
  await until("the resource server", () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  // Its sign-in is on another port, which nobody allowed: it is not asked.
  const strict = make({ example: { url } });
  await expect(strict.startSignIn("example", kim, { person: "user_kim" }, signal)).rejects.toMatchObject({
    failure: "unreachable",
  });
  const mcp = make({ example: { url } }, [`localhost:${authPort}`]);
  await expect(mcp.listTools("example", kim, signal)).rejects.toMatchObject({ failure: "unauthenticated" });
  const { authorizationUrl, state, browser } = await mcp.startSignIn(
    "example",
    kim,
    { person: "user_kim" },
    signal,
  );
  const consent = await fetch(authorizationUrl, { redirect: "manual" });
  const back = new URL(consent.headers.get("location") ?? "");
  expect(back.searchParams.get("state")).toBe(state);
  const code = back.searchParams.get("code");
  const ended = await mcp.finishSignIn({ state, code, error: null, issuer: null, browser }, signal);
  expect(ended).toMatchObject({ type: "connected", serverId: "example", owner: kim });
  expect((await call(mcp, "example", "greet", { name: "Kim" })).content).toEqual([
    { type: "text", text: "Hello, Kim!" },
  ]);
  expect((await mcp.states(kim)).get("example")).toMatchObject({ status: "connected", auth: "sign_in" });
}, 300_000);
