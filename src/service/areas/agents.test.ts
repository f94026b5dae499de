import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AgentService,
  asOwner,
  type KeyName,
  freshAgent as makeAgent,
  startAgentService,
} from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

const patch = (id: string, body: object, key: KeyName = "kim") =>
  app.call(key, "PATCH", `/agents/${id}`, body, asOwner(key));
const read = async (id: string, key: KeyName = "kim") =>
  (await app.call(key, "GET", `/agents/${id}`)).body.agent;
const ids = (answer: { body: { agents: { id: string }[] } }) => answer.body.agents.map(({ id }) => id);

const freshAgent = (values: Parameters<typeof makeAgent>[1] = {}) => makeAgent(app.context, values);

describe("GET /agents", () => {
  it("lists one's own and one's teams' agents, a team key its team's alone, and nobody else's", async () => {
    expect(ids(await app.call("kim", "GET", "/agents")).sort()).toEqual([
      "agent_kim",
      "agent_offline",
      "agent_red",
    ]);
    expect(ids(await app.call("lee", "GET", "/agents")).sort()).toEqual([
      "agent_blue",
      "agent_lee",
      "agent_red",
    ]);
    expect(ids(await app.call("red", "GET", "/agents"))).toEqual(["agent_red"]);
  });

  it("omits the inlined collections and names the creator", async () => {
    const { body } = await app.call("kim", "GET", "/agents?search=AGENT_KIM");
    expect(body.agents).toHaveLength(1);
    expect(body.agents[0]).toMatchObject({
      id: "agent_kim",
      version: 1,
      active_trigger_count: 0,
      creator: { id: "user_kim" },
    });
    expect(body.agents[0]).not.toHaveProperty("tools");
    expect(body.next_cursor).toBeNull();
  });

  it("filters by team, creator, tool and flow", async () => {
    const id = await freshAgent({
      tools: JSON.stringify([
        { type: "mcp_server", server_id: "srv_1" },
        { type: "flow", saved_item_id: "flow_1" },
      ]),
    });
    expect(ids(await app.call("kim", "GET", "/agents?tool=srv_1"))).toEqual([id]);
    expect(ids(await app.call("kim", "GET", "/agents?flow=flow_1"))).toEqual([id]);
    expect(ids(await app.call("kim", "GET", "/agents?team_id=team_red"))).toEqual(["agent_red"]);
    expect(ids(await app.call("lee", "GET", "/agents?creator=user_kim"))).toEqual(["agent_red"]);
    expect((await app.call("kim", "GET", "/agents?team_id=team_blue")).status).toBe(403);
  });

  it.each(["newest", "oldest", "name_asc", "name_desc"])(
    "S-57: pages in the order %s without losing or repeating one",
    async (order) => {
      // Equal names and equal times: only the id keeps them apart.
      const { db } = app.context.store;
      await Promise.all(Array.from({ length: 7 }, () => freshAgent({ name: "Twin" })));
      await db.updateTable("agents").set({ description: "twin" }).where("name", "=", "Twin").execute();
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const query: string = `?search=twin&page_size=3&sort_order=${order}${cursor === null ? "" : `&cursor=${cursor}`}`;
        const page = await app.call("kim", "GET", `/agents${query}`);
        expect(page.body.agents.length).toBeLessThanOrEqual(3);
        seen.push(...ids(page));
        cursor = page.body.next_cursor;
        // What comes in between must not move the pages that follow, except at the end where it belongs.
        if (order === "newest") await freshAgent({ name: "Twin" });
      } while (cursor !== null && seen.length < 100);
      const whole = ids(await app.call("kim", "GET", `/agents?search=twin&sort_order=${order}`));
      expect(new Set(seen).size).toBe(seen.length);
      expect(whole.filter((id) => seen.includes(id))).toEqual(seen);
    },
  );

  it.each([
    ["page_size=0", "invalid_page_size"],
    ["page_size=101", "invalid_page_size"],
    ["page_size=ten", "invalid_page_size"],
    ["sort_order=sideways", "invalid_sort"],
    ["cursor=abc", "invalid_cursor"],
    [
      `cursor=${Buffer.from('["agents:newest","1; drop table agents","x"]').toString("base64url")}`,
      "invalid_cursor",
    ],
    [`cursor=${Buffer.from('["agents:oldest","1","x"]').toString("base64url")}`, "invalid_cursor"],
  ])("S-55: answers %s with 400 %s", async (query, code) => {
    const answer = await app.call("kim", "GET", `/agents?${query}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
  });

  it("finds an agent by its own name, also where a letter is another one in small at the end of a word", async () => {
    const name = "ΟΔΟΣ ΕΡΜΟΥ";
    const id = await freshAgent({ name });
    for (const part of [name, "ΟΔΟΣ", "οδοσ"])
      expect(ids(await app.call("kim", "GET", `/agents?search=${encodeURIComponent(part)}`)), part).toEqual([
        id,
      ]);
  });

  it("S-55: takes %, _ and quotes in a search literally", async () => {
    const id = await freshAgent({ name: "100%_'\\" });
    for (const part of ["%", "_", "'", "\\", "100%_'\\"]) {
      expect(ids(await app.call("kim", "GET", `/agents?search=${encodeURIComponent(part)}`))).toContain(id);
    }
    expect(ids(await app.call("kim", "GET", `/agents?search=${encodeURIComponent("1%\\")}`))).toEqual([]);
  });
});

describe("GET /agents/{id}", () => {
  it("answers the whole configuration, and 404 for somebody else's as for none", async () => {
    expect(await read("agent_kim")).toMatchObject({
      id: "agent_kim",
      tools: expect.any(Array),
      resources: [],
    });
    for (const id of ["agent_lee", "agent_none"]) {
      const { status, body } = await app.call("kim", "GET", `/agents/${id}`);
      expect([status, body.error.code]).toEqual([404, "not_found"]);
    }
  });

  it("makes the two aliases on first use, each person's own, and reports the alias as id", async () => {
    const answers = await Promise.all([1, 2, 3].map(() => app.call("kim", "GET", "/agents/gumball")));
    expect(answers.map(({ body }) => body.agent.id)).toEqual(["gumball", "gumball", "gumball"]);
    await patch("gumball", { name: "Mine" });
    expect((await read("gumball")).name).toBe("Mine");
    expect((await read("gumball", "lee")).name).not.toBe("Mine");
    expect((await app.call("lee", "GET", "/agents/analytics")).status).toBe(200);
    expect((await app.call("red", "GET", "/agents/gumball")).status).toBe(404);
    expect((await patch("gumball", { team_id: "team_red" })).status).toBe(400);
  });
});

describe("PATCH /agents/{id} (§4.14)", () => {
  it("changes what is named, leaves the rest, and raises the version by one", async () => {
    const id = await freshAgent();
    const { status, body } = await patch(id, { name: "New", version: 1 });
    expect(status).toBe(200);
    expect(body.agent).toMatchObject({ name: "New", description: "Old", system_prompt: "Old", version: 2 });
  });

  it("clears description and prompt with null, empties the lists, and takes null elsewhere for absent", async () => {
    const id = await freshAgent({ tools: '[{"type":"write_file"}]' });
    const nulls = {
      name: null,
      model_name: null,
      metadata: null,
      is_active: null,
      team_id: null,
      version: null,
    };
    const { body } = await patch(id, {
      ...nulls,
      description: null,
      system_prompt: null,
      tools: null,
      resources: null,
    });
    expect(body.agent).toMatchObject({
      name: "Fresh",
      description: null,
      system_prompt: null,
      tools: [],
      resources: [],
      is_active: true,
      version: 2,
    });
  });

  it("changes nothing for an empty body, but still compares the version", async () => {
    const id = await freshAgent();
    expect((await patch(id, {})).body.agent.version).toBe(1);
    expect((await patch(id, { version: 7 })).status).toBe(409);
  });

  it("merges metadata: objects merge, lists and scalars replace, null replaces, unknown keys are dropped", async () => {
    const id = await freshAgent();
    await patch(id, {
      metadata: { preferences: { max_steps: 5, temperature: 1 }, chat: { starter_prompts: ["a", "b"] } },
    });
    const { body } = await patch(id, {
      metadata: {
        preferences: { temperature: null, secret: 1 },
        chat: { starter_prompts: ["c"] },
        nonsense: { a: 1 },
      },
    });
    expect(body.agent.metadata).toEqual({
      preferences: { max_steps: 5, temperature: null },
      chat: { starter_prompts: ["c"] },
    });
  });

  it("S-34: takes __proto__ and constructor for nothing", async () => {
    const id = await freshAgent();
    const body =
      '{"metadata":{"__proto__":{"x":1},"evaluation":{"constructor":{"prototype":{"x":1}},"__proto__":{"x":1},"a":{"__proto__":{"x":1},"ok":1}}}}';
    const response = await app.call("kim", "PATCH", `/agents/${id}`, body, {
      "x-auth-key": "user_kim",
      "content-type": "application/json",
    });
    expect(response.status).toBe(200);
    expect(response.body.agent.metadata).toEqual({ evaluation: { a: { ok: 1 } } });
    expect(Reflect.get({}, "x")).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("S-29: neither id nor owner nor version come from the body", async () => {
    const id = await freshAgent();
    await patch(id, {
      id: "agent_x",
      owner_id: "user_lee",
      creator: { id: "user_lee" },
      alias: "gumball",
      folder_id: "f",
      created_at: "2000-01-01T00:00:00Z",
      name: "N",
    });
    expect(await read(id)).toMatchObject({
      id,
      name: "N",
      version: 2,
      folder_id: null,
      creator: { id: "user_kim" },
    });
  });

  it.each([
    ["a model that is not connected", { model_name: "openai/none" }, 400, "model_name"],
    [
      "metadata of the wrong type",
      { metadata: { preferences: { max_steps: "many" } } },
      400,
      "metadata.preferences.max_steps",
    ],
    ["an empty name", { name: "" }, 400, "name"],
    [
      "S-22: a flow that one may not see",
      { tools: [{ type: "flow", saved_item_id: "flow_x" }] },
      404,
      "tools.0.saved_item_id",
    ],
    [
      "S-22: an MCP server that is not there",
      { tools: [{ type: "mcp_server", server_id: "srv_x" }] },
      404,
      "tools.0.server_id",
    ],
    ["S-22: a team that one is not in", { team_id: "team_blue" }, 403, "team_id"],
    ["S-22: a team that is not there", { team_id: "team_none" }, 403, "team_id"],
  ])("refuses %s and changes nothing", async (_, change, status, param) => {
    const id = await freshAgent();
    const answer = await patch(id, { name: "New", ...change });
    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
    expect(await read(id)).toMatchObject({ name: "Fresh", version: 1 });
  });

  it("transfers the agent to a team, whose members then have it", async () => {
    const id = await freshAgent();
    expect((await app.call("lee", "GET", `/agents/${id}`)).status).toBe(404);
    expect((await patch(id, { team_id: "team_red" })).body.agent.team_id).toBe("team_red");
    expect((await patch(id, { name: "Lee's" }, "lee")).status).toBe(200);
    expect((await patch(id, { name: "Red's" }, "red")).status).toBe(200);
  });

  it("retires an agent for good: out of lists, 404 for reading and changing", async () => {
    const id = await freshAgent();
    expect((await patch(id, { is_active: false })).body.agent.is_active).toBe(false);
    expect(ids(await app.call("kim", "GET", "/agents"))).not.toContain(id);
    expect((await app.call("kim", "GET", `/agents/${id}`)).status).toBe(404);
    expect((await patch(id, { is_active: true })).status).toBe(404);
  });

  it("S-14: without version every change lands whole, and different sections all arrive", async () => {
    const id = await freshAgent();
    const sections = [
      { preferences: { max_steps: 3 } },
      { personalization: { instructions: "i" } },
      { appearance: { icon: "pen" } },
      { chat: { starter_prompts: ["s"] } },
    ];
    await Promise.all(sections.flatMap((metadata) => [1, 2, 3].map(() => patch(id, { metadata }))));
    const agent = await read(id);
    expect(agent.version).toBe(13);
    expect(Object.keys(agent.metadata).sort()).toEqual([
      "appearance",
      "chat",
      "personalization",
      "preferences",
    ]);
  });

  it("needs x-auth-key of the key's own user (§5.6)", async () => {
    const id = await freshAgent();
    for (const headers of [{}, { "x-auth-key": "user_lee" }]) {
      const { status, body } = await app.call("kim", "PATCH", `/agents/${id}`, { name: "X" }, headers);
      expect([status, body.error.code]).toEqual([401, "invalid_credentials"]);
    }
  });
});

describe("POST /agents", () => {
  it("makes an agent of one's own, or of one's team, with the first connected model", async () => {
    const own = await app.call("kim", "POST", "/agents", {
      name: "Mate",
      metadata: { preferences: { max_steps: 3 }, x: 1 },
    });
    expect(own.body.agent).toMatchObject({
      name: "Mate",
      model_name: "local/fake",
      team_id: null,
      version: 1,
      metadata: { preferences: { max_steps: 3 } },
      creator: { id: "user_kim" },
    });
    expect(
      (await app.call("kim", "POST", "/agents", { name: "Crew", team_id: "team_red" })).body.agent.team_id,
    ).toBe("team_red");
    expect((await app.call("kim", "POST", "/agents", { name: "Crew", team_id: "team_blue" })).status).toBe(
      403,
    );
    expect((await app.call("red", "POST", "/agents", { name: "Crew" })).status).toBe(403);
    expect((await app.call("kim", "POST", "/agents", {})).status).toBe(400);
  });
});
