import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { largeAnswers, patientReaders } from "../../testing/large-answers.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, readers: patientReaders });
});
afterAll(() => service.stop());

const { pool, get, tagNow, readAsTaken } = largeAnswers(() => service);

interface Agents {
  readonly count: number;
  readonly prompt?: string;
  readonly metadata?: object;
}

/** Agents of Ada's that this word finds, named by their number. */
async function addAgents(word: string, { count, prompt = "Be brief.", metadata = {} }: Agents) {
  await pool().query(
    `insert into agents (id, owner_id, name, model_name, system_prompt, metadata, tools, created_at)
     select $1 || '_' || at, 'user_ada', $1 || ' ' || to_char(at, 'fm00000'), 'm', $3, $4,
            jsonb_build_array(jsonb_build_object('type', repeat('t', 1000))), now() + at * interval '1 ms'
       from generate_series(1, $2::integer) as at`,
    [word, count, prompt, JSON.stringify(metadata)],
  );
  return `/agents?search=${word}&sort_order=name_asc`;
}

const numbers = (count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => String(first + at).padStart(5, "0"));
const namesOf = (word: string, count: number, first?: number) =>
  numbers(count, first).map((number) => `${word} ${number}`);
const names = (agents: readonly { readonly name: string }[]) => agents.map(({ name }) => name);

const awkward = '🙂é"\\\n';

describe("a long list of agents", () => {
  test("S-263: is answered whole, to each encoding, and without the tools that it does not show", async () => {
    const [prompt, metadata] = [awkward.repeat(4_000), { more: awkward.repeat(20_000) }];
    const address = await addAgents("whole", { count: 30, prompt, metadata });
    for (const encoding of ["identity", "gzip", "br, gzip"]) {
      const answer = await get(address, { "accept-encoding": encoding });
      expect(answer.headers.get("content-length")).toBeNull();
      const { agents, next_cursor } = await answer.json();
      expect(names(agents)).toEqual(namesOf("whole", 30));
      expect(next_cursor).toBeNull();
      expect(agents[29]).toMatchObject({
        ...{ id: "whole_30", system_prompt: prompt, metadata, creator: { id: "user_ada" } },
      });
      expect(agents[29]).not.toHaveProperty("tools");
    }
  });

  test("S-263: of thousands of short ones is answered whole", async () => {
    const address = await addAgents("many", { count: 2_500 });
    const { agents } = await (await get(address)).json();
    expect(names(agents)).toEqual(namesOf("many", 2_500));
  });

  test("S-263: has pages that are as long", async () => {
    const address = await addAgents("paged", { count: 150, prompt: "p".repeat(50_000) });
    const first = await (await get(`${address}&page_size=100`)).json();
    expect(names(first.agents)).toEqual(namesOf("paged", 100));
    const rest = await (await get(`${address}&page_size=100&cursor=${first.next_cursor}`)).json();
    expect(names(rest.agents)).toEqual(namesOf("paged", 50, 101));
    expect(rest.next_cursor).toBeNull();
  });

  test("S-263: is 304 until one of them or whoever made them is another", async () => {
    const address = await addAgents("tagged", { count: 20, prompt: "p".repeat(50_000) });
    const { tag } = await tagNow(address);
    expect(tag).toMatch(/^W\//);
    expect((await tagNow(address, tag)).status).toBe(304);
    await pool().query("update agents set description = 'new' where id = 'tagged_7'");
    const second = await tagNow(address, tag);
    expect(second.status).toBe(200);
    await pool().query("update users set first_name = 'Augusta' where id = 'user_ada'");
    expect((await tagNow(address, second.tag)).status).toBe(200);
  });

  test("S-263: is read from the database only as fast as the client takes it", async () => {
    const address = await addAgents("huge", { count: 200, prompt: "y".repeat(150_000) });
    const text = await readAsTaken(address, "octet_length(system_prompt)", 100);
    expect(JSON.parse(text).agents).toHaveLength(200);
  });

  test("S-263: leaves out what is retired while it is read", async () => {
    const address = await addAgents("retired", { count: 200, prompt: "y".repeat(150_000) });
    const answer = await get(address, { "accept-encoding": "identity" });
    await pool().query(
      "update agents set is_active = false where name > 'retired 00150' and name like 'retired %'",
    );
    expect(names((await answer.json()).agents)).toEqual(namesOf("retired", 150));
  });

  test("S-287: leaves out what is moved to another team while it is read", async () => {
    await addAgents("moved", { count: 200, prompt: "y".repeat(150_000) });
    const move = (to: string, after: string) =>
      pool().query("update agents set team_id = $1 where name > $2 and name like 'moved %'", [to, after]);
    await move("team_harbor", "");
    const harbor = "/agents?search=moved&sort_order=name_asc&team_id=team_harbor";
    const answer = await service.call(service.keys.grace, "GET", harbor, undefined, {
      "accept-encoding": "identity",
    });
    // Grace is in both teams.
    await move("team_annex", "moved 00150");
    expect(names((await answer.json()).agents)).toEqual(namesOf("moved", 150));
  });
});

test("a short list of agents has its length", async () => {
  const address = await addAgents("short", { count: 3 });
  const answer = await get(address, { "accept-encoding": "identity" });
  expect(answer.headers.get("content-length")).not.toBeNull();
  expect(names((await answer.json()).agents)).toEqual(namesOf("short", 3));
});
