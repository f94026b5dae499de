import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { SearchHit } from "../../contract/search.ts";
import { type AgentService, startAgentService } from "../../testing/agents.ts";
import { callerOfPerson } from "../credentials/caller-by-id.ts";
import { findAgents, type NamesQuery } from "./search-names.ts";

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

/** The same without the rest of the service. @returns and the characters of the longest answer that the database gave */
async function findLong(after: NamesQuery["after"]) {
  const { store } = app.context;
  const kim = await callerOfPerson(store, "user_kim");
  if (kim === null) throw new Error("there is no user_kim");
  let longest = 0;
  const watched: typeof store = {
    ...store,
    async query(query) {
      const rows = await store.query<never>(query);
      longest = Math.max(longest, JSON.stringify(rows).length);
      return rows;
    },
  };
  const asked = { text: "quay", teamId: null, after, size: 10 };
  const page = await findAgents({ ...app.context, store: watched }, kim, asked);
  return { ...page, longest };
}

it("S-347: no more long instructions are in memory at a time than fit into one read", async () => {
  const { found, next, longest } = await findLong(null);
  expect([found.length, next]).toEqual([4, null]);
  // The longest alone is as long as that.
  expect(longest).toBeLessThan(250_000);
});

it("S-347: a search that has taken seconds answers what it has, and goes on where it was", async () => {
  // Whoever looks at the time a second time finds that it is up. It stays behind the real one: what was noted by it is past
  // afterwards, and not to come.
  let now = -1e12;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    now += 10_000;
    return now;
  });
  onTestFinished(() => clock.mockRestore());
  const seen: string[][] = [];
  for (let after: string | null = null; ; ) {
    const { found, next } = await findLong(after);
    seen.push(found.map(({ id }) => id));
    if (next === null) break;
    after = next;
  }
  expect(Math.max(...seen.map(({ length }) => length))).toBe(1);
  expect(seen.flat()).toEqual([4, 3, 2, 1].map((n) => `agent_long_${n}`));
});
