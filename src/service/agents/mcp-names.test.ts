import { afterAll, beforeAll, expect, it } from "vitest";
import type { AgentService } from "../../testing/agents.ts";
import { startMcpHost } from "../../testing/mcp-host.ts";
import { startWire } from "../../testing/mcp-wire.ts";

/** Names that are the same once what no model takes is replaced, or once they are cut. */
const long = "a-tool-with-a-name-that-is-longer-than-any-model-takes-".repeat(2);
const names = ["x.y", "x_y", "x y", "x/y", `${long}1`, `${long}2`, "write_file", "港", "__proto__"];

/** What the servers were asked for, as `server tool`. */
const reached: string[] = [];
let backwards = false;
let servers: Awaited<ReturnType<typeof startWire>>[];
let app: AgentService;

beforeAll(async () => {
  const ids = ["harbor", "harbor_x"];
  servers = await Promise.all(
    ids.map((id) =>
      startWire(({ method, params }) => {
        const tools = names.map((name) => {
          return { name, description: `${id} ${name}`, inputSchema: { type: "object" } };
        });
        if (method === "tools/list") return { result: { tools: backwards ? tools.reverse() : tools } };
        reached.push(`${id} ${params?.name}`);
        return { result: { content: [{ type: "text", text: `This is ${id} ${params?.name}` }] } };
      }),
    ),
  );
  const mcpServers = Object.fromEntries(ids.map((id, at) => [id, { url: servers[at]?.url }]));
  app = await startMcpHost(mcpServers);
  const tools = [{ type: "write_file" }, ...ids.map((id) => ({ type: "mcp_server", server_id: id }))];
  const changed = await app.call(
    "kim",
    "PATCH",
    "/agents/agent_kim",
    { tools },
    { "x-auth-key": "user_kim" },
  );
  expect(changed.status).toBe(200);
});
afterAll(async () => {
  await app.stop();
  await Promise.all(servers.map((server) => server.close()));
});

/** One turn in which the model calls every tool of the servers, in the order in which it was given them. */
async function callAll(more: Readonly<Record<string, unknown>> = {}) {
  reached.length = 0;
  app.model.otherwise(({ messages, tools, described }) => {
    if (messages.at(-1)?.role !== "user") return { type: "text", text: "All are called." };
    const calls = tools.filter((name) => described[name]?.startsWith("harbor"));
    return { type: "tools", calls: calls.map((name) => ({ name, args: "{}" })) };
  });
  const { body } = await app.start("Call them all", more);
  const status = await app.settled(body.interaction_id);
  const asked = app.model.calls.at(-1);
  const nameOf = Object.fromEntries(Object.entries(asked?.described ?? {}).map(([name, id]) => [id, name]));
  return { id: body.interaction_id, status, asked, nameOf };
}

const all = ["harbor", "harbor_x"].flatMap((id) => names.map((name) => `${id} ${name}`));

it("tools whose names look alike to a model are all given to it, and each call reaches the tool that was meant", async () => {
  const { status, id, nameOf } = await callAll();
  expect(reached).toEqual(all);
  const { parts } = status.messages[1];
  const calls = parts.filter(({ type }: { type: string }) => type === "tool_invocation");
  // People see the names that the server gave, not those that were made for the model.
  expect(calls).toMatchObject(
    all.map((tool) => {
      const toolName = tool.replace(" ", "__");
      return { toolName, toolCallState: "completed", result: { result: `This is ${tool}` } };
    }),
  );

  backwards = true;
  const again = await callAll({ interaction_id: id });
  expect(again.nameOf).toEqual(nameOf);
  expect(reached.toSorted()).toEqual(all.toSorted());
  // The calls of the turn before are told under the same names.
  const earlier = again.asked?.messages.find(({ tool_calls }) => tool_calls !== undefined)?.tool_calls;
  expect(earlier).toMatchObject(all.map((tool) => ({ function: { name: nameOf[tool] } })));
});
