import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type AgentService, asOwner, freshAgent, startAgentService } from "../../testing/agents.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
let id = "";
beforeAll(async () => {
  app = await startAgentService({ work: false });
  id = await freshAgent(app.context);
  const source = { source_type: "direct_file_uploads", status: "active" as const, team_id: null };
  const { db } = app.context.store;
  await db
    .insertInto("knowledge_sources")
    .values([
      { ...source, id: "source_kim", name: "Kim's", scope: "personal", created_by_user_id: "user_kim" },
      { ...source, id: "source_lee", name: "Lee's", scope: "personal", created_by_user_id: "user_lee" },
    ])
    .execute();
  const flow = { name: "F", team_id: null, definition: toJson({ nodes: [] }), removed_at: null };
  await db
    .insertInto("saved_items")
    .values({ ...flow, id: "flow_kim", user_id: "user_kim" })
    .execute();
});
afterAll(() => app.stop());

const patch = (tools: readonly object[]) =>
  app.call("kim", "PATCH", `/agents/${id}`, { tools }, asOwner("kim"));
const refusal = async (answer: ReturnType<typeof patch>) => {
  const { status, body } = await answer;
  return status === 200 ? "200" : `${status} ${body.error.code} ${body.error.param}`;
};
const search = (...source_ids: readonly string[]) => ({ type: "search_knowledge", source_ids });

it("S-22: an agent is given one's own sources, and none that one may not read", async () => {
  expect(await refusal(patch([search("source_kim")]))).toBe("200");
  expect(await refusal(patch([search("source_kim"), search("source_lee")]))).toBe(
    "404 not_found tools.1.source_ids",
  );
  expect(await refusal(patch([search("source_none")]))).toBe("404 not_found tools.0.source_ids");
});

it("what a colleague gave to the team's agent stays, though one may not read it oneself", async () => {
  const red = await freshAgent(app.context, { team_id: "team_red", tools: toJson([search("source_lee")]) });
  const change = { tools: [search("source_lee"), { type: "http_get" }] };
  expect((await app.call("kim", "PATCH", `/agents/${red}`, change, asOwner("kim"))).status).toBe(200);
});

it("S-44: more sources than a tool may name are refused before one is looked for", async () => {
  const many = Array.from({ length: 70_000 }, (_, at) => `source_${at}`);
  expect(await refusal(patch([search(...many)]))).toBe("400 invalid_body tools.0.source_ids");
});

it("S-44: a flow that is named by every tool is looked for once", async () => {
  const asked = vi.spyOn(app.context.store.pool, "connect");
  const tools = Array.from({ length: 128 }, () => ({ type: "flow", saved_item_id: "flow_kim" }));
  expect(await refusal(patch(tools))).toBe("200");
  expect(asked.mock.calls.length).toBeLessThan(20);
  asked.mockRestore();
});
