import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SearchHit } from "../../contract/search.ts";
import { type AgentService, type KeyName, outsideTeam, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";
import { eraseDeleted } from "../agents/erase-conversations.ts";
import { indexBatch } from "../search/index-batch.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
  const node = (id: string, node: object) => ({ id, node });
  const says = node("says", {
    type: "code",
    source:
      "for (const line of inputs.says.split('|')) console.log(line.replace('HALF', '\\ud800')); return null;",
    inputs: { says: "{{ log.value }}" },
  });
  const nodes = [
    node("log", { type: "input", name: "says", default: "" }),
    node("cargo", { type: "input", name: "cargo", default: "" }),
    says,
    node("result", { type: "output", name: "manifest", value: "{{ cargo.value }} was landed" }),
  ];
  await app.context.store.db
    .insertInto("saved_items")
    .values(
      [null, "team_red"].map((team_id) => ({
        ...{
          id: team_id === null ? "flow_kim" : "flow_red",
          name: "Unload the barge",
          user_id: "user_kim",
          team_id,
        },
        ...{ definition: toJson({ nodes }), removed_at: null },
      })),
    )
    .execute();
});
afterAll(() => app.stop());

let made = 0;
/** A word that stands nowhere else. */
let word: string;
beforeEach(() => {
  made += 1;
  word = `quay${made}ropes`;
});

interface Found {
  readonly hits: readonly SearchHit[];
  readonly next_cursor: string | null;
  readonly indexed_until: string | null;
  readonly searched_to: string | null;
}

const ask = (q: string, more: Record<string, string> = {}, key: KeyName = "kim") =>
  app.call(key, "GET", `/search?${new URLSearchParams({ q, ...more })}`);

async function search(q: string, more: Record<string, string> = {}, key: KeyName = "kim"): Promise<Found> {
  const { status, body } = await ask(q, more, key);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const idsOf = async (q: string, key: KeyName = "kim", more: Record<string, string> = {}) =>
  (await search(q, more, key)).hits.map(({ id }) => id);

/** Everything that has ended until now is in the index. */
async function indexed(): Promise<void> {
  await until("the index", async () => (await indexBatch(app.context.store)) === 0);
}

/** A run of Kim's that has ended. */
async function run(inputs: Record<string, string>, more: Record<string, string> = {}): Promise<string> {
  const query = new URLSearchParams({ saved_item_id: "flow_kim", user_id: "user_kim", ...more });
  const { status, body } = await app.call("kim", "POST", `/start_pipeline?${query}`, inputs);
  expect(status, JSON.stringify(body)).toBe(200);
  await until(`the end of ${body.run_id}`, async () => {
    const answer = await app.call("kim", "GET", `/get_pl_run?run_id=${body.run_id}&user_id=user_kim`);
    return answer.body.finished_ts !== null;
  });
  await indexed();
  return body.run_id;
}

/** A conversation of Kim's whose turn has ended. */
async function talk(message: string, body: object = {}): Promise<string> {
  const started = await app.start(message, { gummie_id: "agent_offline", ...body });
  expect(started.status).toBe(202);
  await app.settled(started.body.interaction_id);
  await until("its end", async () => {
    const { rows } = await app.context.store.pool.query(
      "select from executions where subject_id = $1 and finished_at is null",
      [started.body.interaction_id],
    );
    return rows.length === 0;
  });
  await indexed();
  return started.body.interaction_id;
}

/** What the index keeps with this text. */
async function storedWith(text: string): Promise<unknown[]> {
  const { rows } = await app.context.store.pool.query(
    `select text from search_blocks where text like $1
      union all select texts::text from search_pending where texts::text like $1`,
    [`%${text}%`],
  );
  return rows;
}

const placesOf = ({ hits }: Found) =>
  hits.flatMap(({ places }) => places.map((place) => [place.in, place.name, place.line, place.match]));

describe("a search", () => {
  it("finds a run by its inputs, outputs and log, each at its place", async () => {
    const id = await run({ cargo: word, says: `nothing|here are ${word} of hemp|nothing` });
    const found = await search(word.toUpperCase());
    expect(found.hits.map(({ kind, id, name, state }) => [kind, id, name, state])).toEqual([
      ["run", id, "Unload the barge", "DONE"],
    ]);
    const log = (await app.call("kim", "GET", `/get_pl_run?run_id=${id}&user_id=user_kim`)).body
      .log as string[];
    const line = log.findIndex((text) => text.includes("of hemp")) + 1;
    expect(placesOf(found)).toEqual(
      expect.arrayContaining([
        ["input", "cargo", null, word],
        ["output", "manifest", null, word],
        ["log", "says", line, word],
      ]),
    );
    const [hit] = found.hits;
    const place = hit?.places.find((one) => one.line === line);
    expect([place?.before.endsWith("here are "), place?.after]).toEqual([true, " of hemp"]);
    expect(hit?.place_count).toBeGreaterThanOrEqual(3);
  });

  it("finds messages, what tools were asked and answered, and files, each by its message and part", async () => {
    const id = await talk(`/write_file {"name":"${word}.md","content":"kept"}`);
    const found = await search(word);
    expect(found.hits.map(({ kind, id }) => [kind, id])).toEqual([
      ["artifact", expect.any(String)],
      ["conversation", id],
      ["conversation", id],
    ]);
    const { messages } = (await app.call("kim", "GET", `/sessions/${id}`)).body.session;
    const parts: { id: string; type: string }[] = messages[1].parts;
    const [, answer, question] = found.hits;
    expect(question?.places.map((place) => [place.in, place.message_id, place.part_id])).toEqual([
      ["message", messages[0].id, null],
    ]);
    expect(new Set(answer?.places.map((place) => place.message_id))).toEqual(new Set([messages[1].id]));
    const call = parts.find(({ type }) => type === "tool_invocation");
    expect(answer?.places).toContainEqual(expect.objectContaining({ in: "arguments", part_id: call?.id }));
    const file = parts.find(({ type }) => type === "file");
    expect(answer?.places).toContainEqual(expect.objectContaining({ in: "file", part_id: file?.id }));
    expect([answer?.agent_id, found.hits[0]?.agent_id]).toEqual(["agent_offline", "agent_offline"]);
  });

  it("finds agents and flows by name, and only the kinds that are asked for, in the order of the kinds", async () => {
    await app.context.store.db
      .updateTable("saved_items")
      .set({ description: `Takes ${word}` })
      .where("id", "=", "flow_kim")
      .execute();
    await app.context.store.db
      .updateTable("agents")
      .set({ system_prompt: `Speak of ${word}` })
      .where("id", "=", "agent_kim")
      .execute();
    const id = await run({ cargo: word });
    const kinds = (found: Found) => found.hits.map(({ kind, places }) => [kind, places[0]?.in]);
    expect(kinds(await search(word))).toEqual([
      ["agent", "instructions"],
      ["flow", "description"],
      ["run", "input"],
    ]);
    expect(kinds(await search(word, { kinds: "run,flow" }))).toEqual([
      ["flow", "description"],
      ["run", "input"],
    ]);
    expect(await idsOf(word, "kim", { kinds: "run" })).toEqual([id]);
    expect(await idsOf(word, "kim", { kinds: "conversation" })).toEqual([]);
  });

  it("answers what is nowhere with nothing, and says that everything was looked at", async () => {
    const found = await search("no such word anywhere");
    expect(found).toMatchObject({ hits: [], next_cursor: null, searched_to: null });
    expect(Date.parse(found.indexed_until ?? "")).toBeGreaterThan(Date.now() - 120_000);
  });
});

describe("nobody finds what is somebody else's", () => {
  it("not a person's own run and conversation, whoever shares a team with them", async () => {
    const id = await run({ cargo: word });
    const own = await talk(`Tell me about ${word}`);
    expect(new Set(await idsOf(word, "kim"))).toEqual(new Set([id, own]));
    for (const key of ["lee", "red", "blue"] as const) expect(await idsOf(word, key), key).toEqual([]);
  });

  it("of a team's its members and its key, until they have left it", async () => {
    const team = { saved_item_id: "flow_red", project_id: "team_red" };
    const id = await run({ cargo: word }, team);
    const talked = await talk(`Tell me about ${word}`, { gummie_id: "agent_red", project_id: "team_red" });
    const both = new Set([id, talked]);
    for (const key of ["kim", "lee", "red"] as const) {
      expect(new Set(await idsOf(word, key)), key).toEqual(both);
    }
    expect(await idsOf(word, "blue")).toEqual([]);
    expect(new Set(await idsOf(word, "lee", { team_id: "team_red" }))).toEqual(both);
    expect(await idsOf(word, "lee", { team_id: "team_blue" })).toEqual([]);
    await outsideTeam(app.context, "team_red", "user_lee", async () => {
      expect(await idsOf(word, "lee")).toEqual([]);
      expect((await ask(word, { team_id: "team_red" }, "lee")).status).toBe(403);
    });
    // One's own run for a team stays one's own.
    await outsideTeam(app.context, "team_red", "user_kim", async () => {
      expect(new Set(await idsOf(word, "kim"))).toEqual(both);
    });
  });

  it("not even where the index says that it is theirs: the run itself decides", async () => {
    const id = await run({ cargo: word });
    const talked = await talk(`Tell me about ${word}`);
    const { pool } = app.context.store;
    for (const table of ["search_pending", "search_blocks"]) {
      const { rows } = await pool.query(`select number, user_id from ${table}`);
      await pool.query(`update ${table} set user_id = 'user_lee'`);
      expect(await idsOf(word, "lee"), table).toEqual([]);
      for (const { number, user_id } of rows) {
        await pool.query(`update ${table} set user_id = $2 where number = $1`, [number, user_id]);
      }
    }
    expect(new Set(await idsOf(word))).toEqual(new Set([id, talked]));
  });

  it("not what was deleted: hidden at once, back when restored, and gone from the index with its erasure", async () => {
    const id = await talk(`Tell me about ${word}`);
    await app.call("kim", "DELETE", `/interactions/${id}`);
    expect(await idsOf(word)).toEqual([]);
    await app.call("kim", "POST", `/interactions/${id}/restore`);
    expect(await idsOf(word)).toContain(id);
    await app.call("kim", "DELETE", `/interactions/${id}`);
    const { pool } = app.context.store;
    await pool.query("update interactions set deleted_at = now() - interval '25 hours' where id = $1", [id]);
    await eraseDeleted(app.context.store);
    await indexed();
    expect(await storedWith(word)).toEqual([]);
  });
});

describe("a conversation that goes for good", () => {
  it.each([
    ["interactions", "executions"],
    ["executions", "interactions"],
  ])("leaves no text in the index: %s first", async (...tables) => {
    const id = await talk(`Tell me about ${word}`);
    expect(await storedWith(word)).not.toEqual([]);
    for (const table of tables) {
      const column = table === "executions" ? "subject_id" : "id";
      await app.context.store.pool.query(`delete from ${table} where ${column} = $1`, [id]);
    }
    await indexed();
    expect(await storedWith(word)).toEqual([]);
  });
});

describe("what is compared", () => {
  it.each([
    ["a percent sign", "100% of %d", "100% OF", "1000 of"],
    ["an underscore", "snake_case_name", "SNAKE_case", "snakeXcase"],
    ["a backslash", "C:\\temp\\new", "c:\\temp", "c:/temp"],
    ["a quote and a bracket", `it's "[so]"`, `'s "[SO`, `'s "(so`],
    ["Turkish i", "DİYARBAKIR ISPARTA", "diyarbakır ısparta", "dayarbak"],
    ["the German ß", "Große Straße", "GROSSE STRASSE", "große strase"],
    ["a final sigma", "ΟΔΥΣΣΕΥΣ", "οδυσσευς", "οδυσσεα"],
    ["marks of their own", "Cafe\u0301 Zu\u0308rich", "café zürich", "cafe zurich"],
    ["Cyrillic", "ПРИВЕТ мир", "привет МИР", "привет мор"],
    ["three signs of Chinese", "货物已经卸下", "已经卸", "已卸下"],
    ["Korean", "부산항 도착", "산항 도", "산항 돛"],
    ["emoji", "loaded 🚢⚓🧭 today", "🚢⚓🧭", "🚢🚢🚢"],
    ["three letters", "an oddly rare xqz here", "XQZ", "xqy"],
    ["signs alone", "a --> b", "-->", "->>"],
  ])("%s", async (_, said, found, notFound) => {
    const id = await run({ cargo: said });
    expect(await idsOf(found, "kim", { kinds: "run" })).toContain(id);
    expect(await idsOf(notFound, "kim", { kinds: "run" })).not.toContain(id);
  });

  it("shows what was written around it, cut between signs and not in them", async () => {
    const family = "👨‍👩‍👧‍👦";
    await run({ cargo: `${family.repeat(20)}${word}${family.repeat(40)}` });
    const [place] = (await search(word.toUpperCase(), { kinds: "run" })).hits[0]?.places ?? [];
    expect(place?.match).toBe(word);
    expect(place?.before).toBe(family.repeat((place?.before.length ?? 0) / family.length));
    expect(place?.after).toBe(family.repeat((place?.after.length ?? 0) / family.length));
    expect([place?.before.length, place?.after.length].every((length) => (length ?? 0) > 40)).toBe(true);
  });

  it("keeps control characters as they are, and what cannot be kept as the sign for that", async () => {
    await run({ says: `${word} \u001b[31mred\u202e HALF end` });
    const places = (await search(word, { kinds: "run" })).hits[0]?.places;
    const after = places?.find((place) => place.in === "log")?.after ?? "";
    expect(after.replaceAll(/\ufffd+/g, "\ufffd")).toBe(" \u001b[31mred\u202e \ufffd end");
  });

  it("finds in a log of many rows, and in three hundred characters", async () => {
    const long = `${word} ${"x ".repeat(140)}end`;
    const says = Array.from({ length: 40 }, (_, at) => (at === 30 ? long : `${"y".repeat(990)} ${at}`));
    const id = await run({ says: says.join("|") });
    const { hits } = await search(long.slice(0, 300), { kinds: "run" });
    expect(hits.map((hit) => [hit.id, hit.place_count > 0])).toContainEqual([id, true]);
    const { rowCount } = await app.context.store.pool.query(
      "select from search_blocks where ids = array[$1]",
      [id],
    );
    expect(rowCount).toBeGreaterThan(1);
  });
});

it("A line of a long log is found at its place, wherever the rows of the log and of the search end", async () => {
  const says = Array.from({ length: 5_100 }, (_, at) => (at % 1_237 === 11 ? `${word} ${at}` : `${at}`));
  const id = await run({ says: says.join("|") });
  const { log } = (await app.call("kim", "GET", `/get_pl_run?run_id=${id}&user_id=user_kim`)).body;
  const expected = (log as string[]).flatMap((text, at) => (text.includes(`] ${word} `) ? [at + 1] : []));
  expect(expected.length).toBe(5);
  const { hits } = await search(word, { kinds: "run" });
  const found = hits.flatMap(({ places }) => places.flatMap(({ line }) => line ?? []));
  expect(found.toSorted((one, other) => one - other)).toEqual(expected);
});

describe("a walk by cursor", () => {
  it("is complete and has nothing twice while other runs end", async () => {
    const before: string[] = [];
    for (let at = 0; at < 7; at += 1) before.push(await run({ cargo: `${word} ${at}` }));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const more: Record<string, string> = { page_size: "2", kinds: "run,conversation" };
      if (cursor !== null) more.cursor = cursor;
      const found: Found = await search(word, more);
      seen.push(...found.hits.map(({ id }) => id));
      cursor = found.next_cursor;
      await run({ cargo: `${word} later` });
    } while (cursor !== null);
    expect(seen).toEqual(before.toReversed());
  });

  it("goes through the kinds one after the other, agents page by page", async () => {
    const id = await run({ cargo: "agent_red and agent_kim" });
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const more: Record<string, string> = { page_size: "1", kinds: "agent,run" };
      if (cursor !== null) more.cursor = cursor;
      const found: Found = await search("agent_", more);
      seen.push(...found.hits.map((hit) => hit.id));
      cursor = found.next_cursor;
    } while (cursor !== null);
    expect(seen.slice(0, 3).toSorted()).toEqual(["agent_kim", "agent_offline", "agent_red"]);
    expect(seen.slice(3)).toContain(id);
    expect(new Set(seen).size).toBe(seen.length);
  });
});

describe("what a search refuses", () => {
  it.each([
    ["q", {}],
    ["q", { q: "ab" }],
    ["q", { q: "  a " }],
    ["q", { q: "x".repeat(301) }],
    ["q", { q: "abc\u0000" }],
    ["kinds", { q: "abc", kinds: "run,ship" }],
    ["kinds", { q: "abc", kinds: "" }],
    ["page_size", { q: "abc", page_size: "0" }],
    ["cursor", { q: "abc", cursor: "nonsense" }],
    ["team_id", { q: "abc", team_id: "" }],
  ])("%s of %j", async (param, query) => {
    const { status, body } = await app.call("kim", "GET", `/search?${new URLSearchParams(query)}`);
    expect([status, body.error.param]).toEqual([400, param]);
  });

  it("a cursor of a kind that is not asked for, and a foreign team", async () => {
    await run({ cargo: word });
    await run({ cargo: word });
    const { next_cursor } = await search(word, { kinds: "run", page_size: "1" });
    const refused = await ask(word, { kinds: "agent", cursor: next_cursor ?? "" });
    expect([refused.status, refused.body.error.code]).toEqual([400, "invalid_cursor"]);
    expect((await ask(word, { team_id: "team_blue" })).status).toBe(403);
  });
});
