import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { callTool, mcpFor, sampleWorkspace, variable } from "../../testing/mcp.ts";
import { mcpTools } from "../agents/tools/mcp-tools.ts";

const folder = mkdtempSync(join(tmpdir(), "wheelhouse-start-"));
const secret = "canary-of-the-environment";
const ofArguments = "canary-of-the-arguments";

/** A command that says much before it dies, and its secrets in every way in which a program may print them. */
const dying = `
const secret = process.env.PASSWORD;
for (let line = 1; line <= 100; line++) console.error("line", line, "of the start");
console.error("\\u001b[31mError: cannot reach the ledger\\u001b[0m\\u0000");
console.error("user", secret, encodeURIComponent(secret), JSON.stringify({ secret }));
console.error(Buffer.from(secret).toString("base64"), process.argv.at(-1));
console.error(process.env.KEY_FILE);
console.error("x".repeat(50_000));
console.error("the very last line");
process.exit(3);
`;
const keyFile = "-----BEGIN KEY-----\ncanary/first+line\ncanary/second+line\n-----END KEY-----";

let app: AgentService;
let fresh: FreshStore;
const log: string[] = [];

beforeAll(async () => {
  fresh = await freshStore();
  writeFileSync(join(folder, "dying.mjs"), dying);
  const mcpServers = {
    ledger: {
      name: "Ledger",
      command: "node",
      args: ["dying.mjs", variable("LEDGER_TOKEN")],
      env: { PASSWORD: variable("LEDGER_PASSWORD"), KEY_FILE: keyFile },
    },
    missing: { name: "Missing", command: "no-such-command-anywhere" },
    silent: { name: "Silent", command: "node", args: ["-e", "0"] },
  };
  writeFileSync(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const zoe = "{ id: user_zoe, email: zoe@example.org, first_name: Zoe, last_name: Test, plan: pro }";
  writeFileSync(join(folder, "wheelhouse.yaml"), `people:\n  - ${zoe}\n`);
  app = await startAgentService({
    workspace: folder,
    empty: false,
    environment: { LEDGER_PASSWORD: secret, LEDGER_TOKEN: ofArguments },
    logTo: (line) => log.push(line),
  });
});
afterAll(async () => {
  await app.stop();
  await fresh.drop();
  rmSync(folder, { recursive: true });
});

const tryTool = (server: string) => app.call("kim", "POST", `/mcp/servers/${server}/tools/book/call`, {});
const failureOf = async (server: string): Promise<string> =>
  (await app.call("kim", "GET", `/mcp/servers/${server}`)).body.server.connection.failure;

describe("a command that dies at its start", () => {
  it("says so with its last lines, in the tool's error, the catalogue and the log, and without a secret", async () => {
    const { status, body } = await tryTool("ledger");
    expect([status, body.error.code]).toEqual([502, "tool_call_failed"]);
    const failure = await failureOf("ledger");
    const logged = log.map((line) => JSON.parse(line)).find(({ server }) => server === "ledger");
    for (const said of [body.error.message, failure, `${logged?.msg}\n${logged?.output}`]) {
      expect(said).toMatch(/^The MCP server Ledger stopped while starting\./);
      expect(said).toContain("\nError: cannot reach the ledger\n");
      expect(said).toContain("\nuser [PASSWORD] [PASSWORD]");
      expect(said).toContain("[LEDGER_TOKEN]");
      expect(said).toMatch(/\nthe very last line$/);
      expect(said).not.toContain("line 1 of the start");
      expect(said.length).toBeLessThan(2_200);
    }
    const everything = JSON.stringify([body, failure, log]);
    expect(everything).not.toContain("canary");
    expect(everything).not.toContain(Buffer.from(secret).toString("base64").replaceAll("=", ""));
  });

  it("says so in the error of an agent's call and in the log of a flow", async () => {
    const { mcp, store } = app.context;
    const record = { serverId: "ledger", tool: "book", description: "", parameters: {}, hash: null };
    const [tool] = mcpTools(mcp, [{ ...record, credentials: "personal" }]);
    const facts = { executionId: "e", interactionId: "i", agentId: "a", userId: "user_kim", teamId: null };
    const { signal } = new AbortController();
    const call = { args: {}, facts, key: "key_of_call", answered: [], signal };
    expect(await tool?.run(call)).toMatchObject({
      type: "failed",
      error: expect.stringMatching(/\nthe very last line$/),
    });

    const nodes = [{ id: "call", node: { type: "mcp_tool", server: "ledger", tool: "book" } }];
    const flow = { id: "flow_book", user_id: "user_kim", team_id: null, name: "Book", removed_at: null };
    const definition = JSON.stringify({ nodes });
    await store.db
      .insertInto("saved_items")
      .values({ ...flow, definition })
      .execute();
    const started = await app.call(
      "kim",
      "POST",
      "/start_pipeline?user_id=user_kim&saved_item_id=flow_book",
      {},
    );
    const read = async () =>
      (await app.call("kim", "GET", `/get_pl_run?run_id=${started.body.run_id}&user_id=user_kim`)).body;
    await expect.poll(async () => (await read()).state, { timeout: 60_000 }).toBe("FAILED");
    expect((await read()).log.join("\n")).toContain(" the very last line");
  });

  it("gives the model no word of it in its instructions", async () => {
    const tools = [{ type: "mcp_server", server_id: "ledger" }];
    const owner = { "x-auth-key": "user_kim" };
    expect((await app.call("kim", "PATCH", "/agents/agent_kim", { tools }, owner)).status).toBe(200);
    const { body } = await app.start("Book it");
    await app.settled(body.interaction_id);
    const [system] = app.model.calls.at(-1)?.messages ?? [];
    expect(system?.content).toContain("The MCP server Ledger stopped while starting.");
    expect(JSON.stringify(app.model.calls)).not.toContain("the very last line");
  });

  it.each([
    ["missing", "The MCP server Missing cannot be started: there is no such command."],
    ["silent", "The MCP server Silent stopped while starting. It printed no error."],
  ])("says what is wrong where nothing was written: %s", async (server, words) => {
    expect((await tryTool(server)).body.error.message).toBe(words);
    expect(await failureOf(server)).toBe(words);
  });
});

it("the sample's own server starts in a copy of the workspace that lies anywhere", async () => {
  const copy = join(folder, "my-workspace");
  cpSync(sampleWorkspace, copy, { recursive: true });
  const { mcpServers } = JSON.parse(readFileSync(join(copy, "mcp.json"), "utf8"));
  const mcp = mcpFor(fresh.store, mcpServers, { directory: copy });
  const args = { date: "2026-11-20", days: 7 };
  const { signal } = new AbortController();
  const answer = await callTool(mcp, "almanac", null, { tool: "add_days", args, key: "k", signal });
  expect(answer).toMatchObject({ content: [{ text: "2026-11-27, a Friday." }], isError: false });
  await mcp.close();
});
