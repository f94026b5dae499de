import { afterAll, beforeAll, expect, it } from "vitest";
import type { SearchHit } from "../../contract/search.ts";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
  // Four of them are longer than one read.
  await app.context.store.pool.query(
    `insert into agents
     select (jsonb_populate_record(agent, jsonb_build_object(
              'id', 'agent_long_' || n, 'alias', null, 'created_at', agent.created_at + n * interval '1 minute',
              'system_prompt', repeat(chr(1078) || chr(1091) || chr(1082) || ' ', 49000) || 'Quay ' || n))).*
       from agents agent, generate_series(1, 4) n where agent.id = 'agent_kim'`,
  );
});
afterAll(() => app.stop());

async function search(more: Record<string, string>) {
  const query = new URLSearchParams({ q: "quay", kinds: "agent", ...more });
  const { status, body } = await app.call("kim", "GET", `/search?${query}`);
  expect(status).toBe(200);
  const hits: readonly SearchHit[] = body.hits;
  return {
    found: hits.map(({ id, places }) => [id, places[0]?.in, places[0]?.match]),
    next: body.next_cursor,
  };
}

it("S-347: finds agents by instructions that are too long to be read together", async () => {
  const all = [4, 3, 2, 1].map((n) => [`agent_long_${n}`, "instructions", "Quay"]);
  expect((await search({})).found).toEqual(all);
  const seen: unknown[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = await search({ page_size: "1", ...(cursor !== "" && { cursor }) });
    seen.push(...page.found);
    cursor = page.next;
  }
  expect(seen).toEqual(all);
});
