import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
  await session("int_mine", null);
  await session("int_team", "team_red");
});
afterAll(() => app.stop());

const db = () => app.context.store.db;

async function session(id: string, team_id: string | null): Promise<void> {
  const agent_id = team_id === null ? "agent_kim" : "agent_red";
  const row = { id, agent_id, user_id: "user_kim", team_id, type: "api", state: "completed" as const };
  await db()
    .insertInto("interactions")
    .values({ ...row, name: "Talk", execution_id: "none", error: null })
    .execute();
}

interface Given {
  readonly id: string;
  readonly name: string;
  readonly mediaType?: string;
  readonly session?: string;
  /** Seconds after the beginning. */
  readonly at?: number;
}

const begin = new Date("2026-11-20T08:00:00Z").getTime();

/** An artifact of Kim's, in a conversation of her own unless `session` says otherwise. */
async function add({
  id,
  name,
  mediaType = "text/plain",
  session = "int_mine",
  at = 0,
}: Given): Promise<void> {
  const team_id = session === "int_team" ? "team_red" : null;
  const created_at = new Date(begin + at * 1000);
  await db()
    .insertInto("artifacts")
    .values({
      ...{ id, agent_id: team_id === null ? "agent_kim" : "agent_red", interaction_id: session, team_id },
      ...{ user_id: "user_kim", filename: name, version_id: `${id}_v1`, major_version: 1, created_at },
    })
    .execute();
  await db()
    .insertInto("artifact_versions")
    .values({
      ...{ id: `${id}_v1`, artifact_id: id, major_version: 1, file_id: `${id}_file`, size: 1, created_at },
      media_type: mediaType,
    })
    .execute();
}

const clear = () => db().deleteFrom("artifacts").execute();

async function list(query: Record<string, string>, key: KeyName = "kim") {
  const answer = await app.call(key, "GET", `/artifacts?${new URLSearchParams(query)}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const ids: string[] = answer.body.artifacts.map((one: { id: string }) => one.id);
  return { ids, next: answer.body.next_cursor as string | null, artifacts: answer.body.artifacts };
}

describe("S-57: pages while rows come and go", () => {
  it("show what stays exactly once, nothing twice, and what was deleted before its page never", async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("add" as const), name: fc.string({ maxLength: 3 }), at: fc.nat(20) }),
      fc.record({ type: fc.constant("remove" as const), which: fc.nat(100) }),
      fc.record({ type: fc.constant("share" as const), which: fc.nat(100) }),
    );
    const plan = fc.record({
      rows: fc.array(fc.record({ name: fc.constantFrom("a", "B", "b", "é", "z"), at: fc.nat(10) }), {
        maxLength: 25,
      }),
      size: fc.integer({ min: 1, max: 6 }),
      sort: fc.constantFrom("newest", "oldest", "name_asc", "name_desc"),
      between: fc.array(step, { maxLength: 12 }),
    });
    let made = 0;
    await fc.assert(
      fc.asyncProperty(plan, async ({ rows, size, sort, between }) => {
        await clear();
        const there: string[] = [];
        const make = async (name: string, at: number) => {
          const id = `art_${String(++made).padStart(6, "0")}`;
          await add({ id, name: `${name}${id}`.replaceAll("\u0000", ""), at });
          there.push(id);
        };
        for (const { name, at } of rows) await make(name, at);
        const stable = new Set(there);
        const removed = new Set<string>();
        const seen: string[] = [];
        const steps = [...between];
        let cursor: string | null = null;
        do {
          const query: Record<string, string> = { page_size: String(size), sort_order: sort };
          if (cursor !== null) query.cursor = cursor;
          const page = await list(query);
          for (const id of page.ids) expect(removed.has(id), `${id} was deleted`).toBe(false);
          seen.push(...page.ids);
          cursor = page.next;
          const next = steps.shift();
          if (next === undefined) continue;
          if (next.type === "add") await make(next.name, next.at);
          const id = next.type === "add" ? undefined : there[next.which % Math.max(1, there.length)];
          if (id === undefined) continue;
          if (next.type === "share") {
            await db()
              .updateTable("artifacts")
              .set({ organization_role: "viewer" })
              .where("id", "=", id)
              .execute();
            continue;
          }
          await db().updateTable("artifacts").set({ removed_at: new Date() }).where("id", "=", id).execute();
          removed.add(id);
          stable.delete(id);
        } while (cursor !== null);
        expect(new Set(seen).size, "nothing twice").toBe(seen.length);
        for (const id of stable) expect(seen, "nothing left out").toContain(id);
      }),
      { numRuns: process.env.WHEELHOUSE_LONG === "1" ? 500 : 25 },
    );
  });
});

describe("the filters of a list", () => {
  beforeAll(async () => {
    await clear();
    await add({ id: "art_photo", name: "Photo.PNG", mediaType: "image/png", at: 1 });
    await add({ id: "art_table", name: "table.csv", mediaType: "text/csv; charset=utf-8", at: 2 });
    await add({ id: "art_notes", name: "notes.md", mediaType: "text/markdown", at: 3, session: "int_team" });
    await add({ id: "art_odd", name: "100%_\\'.md", mediaType: "text/markdown", at: 4 });
  });

  it.each([
    [{}, ["art_odd", "art_notes", "art_table", "art_photo"]],
    [{ sort_order: "oldest" }, ["art_photo", "art_table", "art_notes", "art_odd"]],
    [{ sort_order: "name_asc" }, ["art_odd", "art_notes", "art_photo", "art_table"]],
    [{ session_id: "int_team" }, ["art_notes"]],
    [{ session_id: "int_nobody" }, []],
    [{ agent_id: "agent_kim" }, ["art_odd", "art_table", "art_photo"]],
    [{ team_id: "team_red" }, ["art_notes"]],
    [{ creator: "user_kim", team_id: "team_red" }, ["art_notes"]],
    [{ creator: "user_lee" }, []],
    [{ media_type: "image/*" }, ["art_photo"]],
    [{ media_type: "text/csv,image/png" }, ["art_table", "art_photo"]],
    [{ media_type: "text/*", sort_order: "oldest" }, ["art_table", "art_notes", "art_odd"]],
    [{ media_type: "text" }, []],
    [{ created_after: "2026-11-20T08:00:03Z" }, ["art_odd", "art_notes"]],
    [{ created_before: "2026-11-20T09:00:03+01:00" }, ["art_table", "art_photo"]],
    [{ created_after: "0000-01-01T00:00:00Z", created_before: "2026-11-20 08:00:02Z" }, ["art_photo"]],
    [{ created_after: "9999-12-31t23:59:59.999999z" }, []],
    [{ search_query: "OTO" }, ["art_photo"]],
    [{ search_query: "e" }, ["art_notes", "art_table"]],
    [{ search_query: "%_\\'" }, ["art_odd"]],
    [{ search_query: "_" }, ["art_odd"]],
    [{ search_query: "%" }, ["art_odd"]],
    [{ search_query: "no such name" }, []],
    [{ search_query: "md", media_type: "text/*", sort_order: "name_desc" }, ["art_notes", "art_odd"]],
  ])("S-55: %j", async (query: Record<string, string>, expected) => {
    expect((await list(query)).ids).toEqual(expected);
  });

  it.each([
    ["-1", 1],
    ["0", 1],
    ["1", 1],
    ["101", 4],
    ["1000000000", 4],
    ["+2", 2],
  ])("S-55: page_size %s gives %i", async (page_size, rows) => {
    expect((await list({ page_size })).ids).toHaveLength(rows);
  });

  it.each([
    ["page_size", "NaN", "invalid_page_size"],
    ["page_size", "1e9", "invalid_page_size"],
    ["page_size", "1.5", "invalid_page_size"],
    ["page_size", "", "invalid_page_size"],
    ["sort_order", "id; drop table artifacts", "invalid_sort"],
    ["cursor", "x", "invalid_cursor"],
    ["created_after", "yesterday", "invalid_parameter"],
    ["media_type", "a, b", "invalid_parameter"],
    ["shared_by_me", "maybe", "invalid_parameter"],
  ])("S-55: %s=%s is %s", async (name, value, code) => {
    const answer = await app.call("kim", "GET", `/artifacts?${new URLSearchParams({ [name]: value })}`);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, code, name]);
  });

  it("S-55: a cursor of another order, one that was changed, and one of another list are refused", async () => {
    const { next } = await list({ page_size: "1" });
    const words: unknown[] = JSON.parse(Buffer.from(next ?? "", "base64url").toString());
    const code = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const cursors = [
      { cursor: next ?? "", sort_order: "oldest" },
      { cursor: code([words[0], "1; drop table artifacts", words[2]]) },
      { cursor: code([words[0], words[1], { id: 1 }]) },
      { cursor: code(["agents:newest", words[1], words[2]]) },
      { cursor: code([...words, 1]) },
      { cursor: code(null) },
    ];
    for (const query of cursors) {
      const answer = await app.call("kim", "GET", `/artifacts?${new URLSearchParams(query)}`);
      expect([answer.status, answer.body.error.code], JSON.stringify(query)).toEqual([400, "invalid_cursor"]);
    }
    expect((await list({ page_size: "1", cursor: next ?? "" })).ids).toEqual(["art_notes"]);
  });

  it("S-56: a search is text, however it is written and however long", async () => {
    for (const search_query of ["(a+)+$", "[", "İ".repeat(2_000), "ﬃ", "\u0345ß", "a".repeat(10_000)]) {
      expect((await list({ search_query })).ids).toEqual([]);
    }
  });

  it("clamps and filters the same way for one agent (§4.8)", async () => {
    const path = "/agents/agent_kim/artifacts?page_size=1000&search_query=T&sort_order=name_asc";
    const { body } = await app.call("kim", "GET", path);
    expect(body.artifacts.map((one: { id: string }) => one.id)).toEqual(["art_photo", "art_table"]);
    expect(body.next_cursor).toBeNull();
  });
});

describe("a list that is longer than what is looked through", () => {
  const count = 420;
  const nameOf = (at: number) => (at % 60 === 7 ? `needle ${at}.csv` : `report ${at}.md`);
  beforeAll(async () => {
    await clear();
    for (let at = 0; at < count; at++) {
      const session = at % 2 === 0 ? "int_mine" : "int_team";
      const mediaType = at % 60 === 7 ? "text/csv" : "text/markdown";
      await add({ id: `art_${String(at).padStart(4, "0")}`, name: nameOf(at), mediaType, session, at });
    }
  }, 300_000);
  /** All pages one after the other. */
  const all = async (query: Record<string, string>) => {
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await list({ page_size: "3", ...query, ...(cursor === "" ? {} : { cursor }) });
      found.push(...page.ids);
      cursor = page.next;
    }
    return found;
  };
  const needles = [367, 307, 247, 187, 127, 67, 7].map((at) => `art_${String(at).padStart(4, "0")}`);

  it.each([
    [{ search_query: "Needle" }, needles],
    [{ search_query: "needle", sort_order: "oldest" }, [...needles].reverse()],
    [{ media_type: "text/csv" }, needles],
    [{ media_type: "text/csv", session_id: "int_mine" }, []],
    [{ search_query: "dle 3", creator: "user_kim", team_id: "team_red" }, needles.slice(0, 2)],
    [{ search_query: "7.", media_type: "text/*", sort_order: "newest", session_id: "int_team" }, null],
  ])("S-57: has all of %j, in order", async (query: Record<string, string>, expected) => {
    const sevens = Array.from({ length: count }, (_, at) => count - 1 - at)
      .filter((at) => at % 2 === 1 && nameOf(at).includes("7."))
      .map((at) => `art_${String(at).padStart(4, "0")}`);
    expect(await all(query)).toEqual(expected ?? sevens);
  });
});

describe("versions of one artifact", () => {
  it("are in its metadata, newest first and 50 at most, where there is more than one", async () => {
    await clear();
    await add({ id: "art_one", name: "one.md" });
    await add({ id: "art_many", name: "many.md" });
    for (let major_version = 2; major_version <= 60; major_version++) {
      const version = { id: `art_many_v${major_version}`, artifact_id: "art_many", major_version };
      await db()
        .insertInto("artifact_versions")
        .values({
          ...version,
          file_id: `many_${major_version}`,
          media_type: "text/markdown",
          size: major_version,
        })
        .execute();
    }
    const newest = { version_id: "art_many_v60", major_version: 60 };
    await db().updateTable("artifacts").set(newest).where("id", "=", "art_many").execute();
    const { artifacts } = await list({});
    const [one, many] = artifacts;
    expect(one.metadata).toEqual({ media_type: "text/plain", size: 1 });
    expect(many).toMatchObject({
      id: "art_many",
      ...newest,
      metadata: { media_type: "text/markdown", size: 60 },
    });
    const { versions } = many.metadata;
    expect(versions).toHaveLength(50);
    expect(versions[0]).toMatchObject({ ...newest, size: 60, created_at: expect.stringMatching(/Z$/) });
    expect(versions.at(-1).major_version).toBe(11);
  });
});

describe("what a person shared (shared_by_me)", () => {
  const put = async (key: KeyName, id: string, body: object) => {
    const headers = asOwner(key);
    const answer = await app.call(key, "PUT", `/artifacts/${id}/access`, body, headers);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  };
  const mine = (key: KeyName, query: Record<string, string> = {}) =>
    list({ shared_by_me: "true", ...query }, key);
  const lee = { type: "person", email: "user_lee@example.com" };

  beforeAll(async () => {
    await clear();
    for (const [at, id] of ["art_a", "art_b", "art_c", "art_d"].entries())
      await add({ id, name: `${id}.md`, at });
  });

  it("is what is open to somebody else, with how many, and not what only a team's conversation shows", async () => {
    await add({ id: "art_t", name: "team.md", session: "int_team", at: 9 });
    expect((await mine("kim")).ids).toEqual([]);
    await put("kim", "art_a", {
      share: [
        { ...lee, role: "editor" },
        { type: "team", team_id: "team_red", role: "viewer" },
      ],
    });
    await put("kim", "art_b", { share: [{ type: "organization", role: "viewer" }] });
    await put("kim", "art_c", { link: { mode: "anyone" } });
    const { ids, artifacts } = await mine("kim");
    expect(ids).toEqual(["art_c", "art_b", "art_a"]);
    expect(artifacts.map((one: { sharing: object }) => one.sharing)).toEqual([
      { link: "anyone", people: 0, teams: 0, organization: false, made_for_team_id: null },
      { link: "none", people: 0, teams: 0, organization: true, made_for_team_id: null },
      { link: "none", people: 1, teams: 1, organization: false, made_for_team_id: null },
    ]);
    expect((await mine("kim", { search_query: "_C" })).ids).toEqual(["art_c"]);
    expect((await list({})).artifacts[0].sharing).toBeUndefined();
  });

  it("is also what an editor gave on, as long as the editor may see it", async () => {
    expect((await mine("lee")).ids).toEqual([]);
    await put("lee", "art_a", { share: [{ type: "person", email: "eve@elsewhere.org", role: "viewer" }] });
    expect((await mine("lee")).ids).toEqual(["art_a"]);
    await put("kim", "art_a", { remove: [lee, { type: "team", team_id: "team_red" }] });
    expect((await mine("lee")).ids).toEqual([]);
    expect((await mine("kim")).ids).toContain("art_a");
  });

  it("has a list of its own for what a team views because it was made for it (shared_through_team)", async () => {
    const through = (key: KeyName, query: Record<string, string> = {}) =>
      list({ shared_through_team: "true", ...query }, key);
    const { ids, artifacts } = await through("kim");
    expect(ids).toEqual(["art_t"]);
    expect(artifacts[0].sharing).toEqual({
      ...{ link: "none", people: 0, teams: 0, organization: false },
      made_for_team_id: "team_red",
    });
    // It is the one's whose conversation made it, not a share of everybody who views it.
    expect((await through("lee")).ids).toEqual([]);
    expect((await through("red")).ids).toEqual([]);
    expect((await through("kim", { search_query: "nothing like it" })).ids).toEqual([]);
    await put("kim", "art_t", { share: [{ ...lee, role: "editor" }] });
    expect((await mine("kim")).artifacts[0].sharing).toMatchObject({
      people: 1,
      made_for_team_id: "team_red",
    });
    await put("kim", "art_t", { remove: [lee] });
    // Its maker shares it with the team also after leaving it.
    const membership = { team_id: "team_red", user_id: "user_kim" };
    const rows = db().deleteFrom("team_members").where("team_id", "=", "team_red");
    await rows.where("user_id", "=", "user_kim").execute();
    expect((await through("kim")).ids).toEqual(["art_t"]);
    await db().insertInto("team_members").values(membership).execute();
  });

  it("says of another's file which team it was made for only to its members", async () => {
    await put("kim", "art_t", { share: [{ type: "person", email: "user_lee@example.com", role: "editor" }] });
    await put("lee", "art_t", { share: [{ type: "person", email: "eve@elsewhere.org", role: "viewer" }] });
    const told = async () => (await mine("lee")).artifacts[0].sharing.made_for_team_id;
    expect(await told()).toBe("team_red");
    const rows = db().deleteFrom("team_members").where("team_id", "=", "team_red");
    await rows.where("user_id", "=", "user_lee").execute();
    expect(await told()).toBeUndefined();
    await db().insertInto("team_members").values({ team_id: "team_red", user_id: "user_lee" }).execute();
    await put("kim", "art_t", { remove: [lee, { type: "person", email: "eve@elsewhere.org" }] });
  });

  it("is nothing for a team's key, and ends with the last grant", async () => {
    expect((await mine("red")).ids).toEqual([]);
    await put("kim", "art_a", { remove: [{ type: "person", email: "eve@elsewhere.org" }] });
    await put("kim", "art_b", { remove: [{ type: "organization" }] });
    await put("kim", "art_c", { link: { mode: "none" } });
    expect((await mine("kim")).ids).toEqual([]);
  });
});
