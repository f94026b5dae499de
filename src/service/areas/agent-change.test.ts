import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AgentService,
  asOwner,
  type KeyName,
  freshAgent as makeAgent,
  startAgentService,
} from "../../testing/agents.ts";

const long = process.env.WHEELHOUSE_LONG === "1";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

const patch = (id: string, body: object, key: KeyName = "kim") =>
  app.call(key, "PATCH", `/agents/${id}`, body, asOwner(key));
const freshAgent = (values: Parameters<typeof makeAgent>[1] = {}) => makeAgent(app.context, values);
const read = async (id: string, key: KeyName = "kim") =>
  (await app.call(key, "GET", `/agents/${id}`)).body.agent;

describe("S-14: many changes at once", () => {
  it("one of 1,000 with the same version wins, the others get 409, and the version rises by one", async () => {
    const id = await freshAgent({ team_id: "team_red" });
    const keys = ["kim", "lee", "red"] as const;
    // So many at a time: the last of more would wait longer on a slow machine than the database may take to answer.
    const atOnce = long ? 1_000 : 200;
    const answersTo = async (first: number) => {
      const answers: Awaited<ReturnType<typeof patch>>[] = [];
      for (let index = first; index < 1_000; index += atOnce)
        answers.push(await patch(id, { name: `N${index}`, version: 1 }, keys[index % keys.length]));
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: atOnce }, (_, at) => answersTo(at)))).flat();
    const won = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 409);
    expect([won.length, refused.length]).toEqual([1, 999]);
    for (const { body } of refused) {
      expect(body.error).toMatchObject({
        code: "agent_version_conflict",
        param: "version",
        details: { current_version: 2, sent_version: 1 },
      });
    }
    const agent = await read(id);
    expect(agent).toMatchObject({ version: 2, name: won[0]?.body.agent.name });
    const { versions } = (await app.call("kim", "GET", `/agents/${id}/versions`)).body;
    expect(versions.map((one: { major_version: number }) => one.major_version)).toEqual([2, 1]);
  }, 300_000);

  it.each([0, -1, 3, 2_147_483_648, 9_007_199_254_740_991, -9_007_199_254_740_991])(
    "refuses the version %d, which never was, as stale",
    async (version) => {
      const id = await freshAgent();
      const { status, body } = await patch(id, { name: "X", version });
      expect([status, body.error.code]).toEqual([409, "agent_version_conflict"]);
      expect(body.error.details).toEqual({ current_version: 1, sent_version: version });
      expect(await read(id)).toMatchObject({ name: "Fresh", version: 1 });
    },
  );

  it.each(["1", 1.5, true, [1], {}])("refuses the version %j, which is none", async (version) => {
    const id = await freshAgent();
    const { status, body } = await patch(id, { name: "X", version });
    expect([status, body.error.param]).toEqual([400, "version"]);
  });
});

describe("a change by those who may no longer", () => {
  it("is 404 for whoever the transfer left behind, and changes nothing", async () => {
    const id = await freshAgent({ team_id: "team_red" });
    expect((await patch(id, { team_id: "team_blue" }, "lee")).body.agent.team_id).toBe("team_blue");
    const { status, body } = await patch(id, { name: "Back" });
    expect([status, body.error.code]).toEqual([404, "not_found"]);
    expect(await read(id, "lee")).toMatchObject({ name: "Fresh", version: 2 });
    expect((await patch(id, { name: "Red's" }, "red")).status).toBe(404);
    expect((await patch(id, { name: "Blue's" }, "blue")).status).toBe(200);
  });

  it("is 404 also where the transfer came between looking and writing", async () => {
    const id = await freshAgent({ team_id: "team_red" });
    const crowd = [
      patch(id, { team_id: "team_blue" }, "lee"),
      ...Array.from({ length: 40 }, (_, index) => patch(id, { name: `N${index}` })),
    ];
    await Promise.all(crowd);
    const { versions } = (await app.call("lee", "GET", `/agents/${id}/versions?page_size=100`)).body;
    const given = versions.find((one: { changed: string[] }) => one.changed.includes("team_id"));
    const after = versions.filter(
      (one: { major_version: number }) => one.major_version > given.major_version,
    );
    expect(after).toEqual([]);
  });

  it("S-22: a team's key gives nothing to another team, and a stranger to none", async () => {
    const id = await freshAgent({ team_id: "team_red" });
    expect((await patch(id, { team_id: "team_blue" }, "red")).status).toBe(403);
    expect((await patch(id, { team_id: "team_blue" }, "blue")).status).toBe(404);
    expect((await patch(id, { team_id: "team_blue" }, "kim")).status).toBe(403);
    expect(await read(id)).toMatchObject({ team_id: "team_red", version: 1 });
  });
});

describe("S-29, S-34: what a body may not bring", () => {
  it("neither the past nor the owner of an agent, in a change and in a creation", async () => {
    const foreign = {
      id: "agent_x",
      owner_id: "user_lee",
      creator: { id: "user_lee" },
      alias: "gumball",
      created_at: "2000-01-01T00:00:00Z",
      updated_at: "2000-01-01T00:00:00Z",
      active_trigger_count: 9,
      status: "retired",
      is_public: true,
      credits: 1e6,
    };
    const id = await freshAgent();
    const changed = await patch(id, { ...foreign, folder_id: "f", name: "N" });
    const made = await app.call("kim", "POST", "/agents", { ...foreign, version: 40, name: "N" });
    for (const { status, body } of [changed, made]) {
      expect(status).toBe(200);
      expect(body.agent).toMatchObject({ name: "N", active_trigger_count: 0, creator: { id: "user_kim" } });
      for (const field of ["is_public", "credits", "status", "alias", "owner_id"]) {
        expect(body.agent).not.toHaveProperty(field);
      }
      expect(body.agent.id).not.toBe("agent_x");
      expect(body.agent.created_at > "2001").toBe(true);
    }
    expect([changed.body.agent.version, made.body.agent.version]).toEqual([2, 1]);
    expect((await app.call("lee", "GET", "/agents/agent_x")).status).toBe(404);
  });

  it("no prototypes in tools, resources and metadata: their names are data or nothing", async () => {
    const id = await freshAgent();
    const body = `{"tools":[{"type":"odd","__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}],
      "resources":[{"id":"r","__proto__":{"x":1}}],
      "metadata":{"chat":{"__proto__":{"x":1},"starter_prompts":["a"]},"constructor":{"x":1}}}`;
    const answer = await app.call("kim", "PATCH", `/agents/${id}`, body, {
      "x-auth-key": "user_kim",
      "content-type": "application/json",
    });
    expect(answer.status).toBe(200);
    expect(answer.body.agent.metadata).toEqual({ chat: { starter_prompts: ["a"] } });
    expect(answer.body.agent.tools).toMatchObject([{ type: "odd" }]);
    expect(Reflect.get({}, "x")).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("tools and resources of unknown kinds are kept as they came", async () => {
    const id = await freshAgent();
    const tools = [{ type: "from_tomorrow", deep: { list: [1, null, "é"] } }, { no: "type" }];
    const resources = [{ kind: "folder", id: "f", more: [{}] }];
    expect((await patch(id, { tools, resources })).status).toBe(200);
    expect(await read(id)).toMatchObject({ tools, resources });
    await patch(id, { tools: [] });
    expect(await read(id)).toMatchObject({ tools: [], resources });
  });
});

describe("the aliases gumball and analytics", () => {
  it("are taken wherever an agent's id is: paths, and the start of a conversation", async () => {
    const alias = "analytics";
    const paths = [
      "",
      "/versions",
      "/versions/1",
      "/sessions",
      "/artifacts",
      "/evaluation-config",
      "/evaluations/metrics",
    ];
    for (const path of paths) {
      const { status } = await app.call("kim", "GET", `/agents/${alias}${path}`);
      expect([path, status]).toEqual([path, 200]);
    }
    expect((await patch(alias, { description: "Mine" })).body.agent).toMatchObject({ id: alias, version: 2 });
    const started = await app.start("Hello", { gummie_id: alias });
    expect(started.status).toBe(202);
    const status = await app.call(
      "kim",
      "GET",
      `/agent_status/${started.body.interaction_id}?user_id=user_kim`,
    );
    expect(status.body.gummie_id).toBe(alias);
    const sessions = await app.call("kim", "GET", `/agents/${alias}/sessions`);
    expect(sessions.body.sessions).toMatchObject([{ id: started.body.interaction_id, agent_id: alias }]);
  });
});

it("an agent's new name is told to whoever has read a conversation with it before", async () => {
  const id = await freshAgent();
  const started = await app.start("Hello", { gummie_id: id });
  const path = `/sessions/${started.body.interaction_id}`;
  const first = await app.call("kim", "GET", path);
  expect(first.body.session.agent_name).toBe("Fresh");
  await patch(id, { name: "Renamed" });
  const tag = { "if-none-match": first.headers.get("etag") ?? "" };
  const again = await app.call("kim", "GET", path, undefined, tag);
  expect([again.status, again.body?.session.agent_name]).toEqual([200, "Renamed"]);
});

describe("POST /agents", () => {
  it("makes the copy of an agent from what reading it gave, without its id and history", async () => {
    const tools = [{ type: "from_tomorrow", x: 1 }];
    const id = await freshAgent({
      tools: JSON.stringify(tools),
      metadata: '{"chat":{"starter_prompts":["a"]}}',
    });
    await patch(id, { name: "Original" });
    const { name, model_name, description, system_prompt, resources, metadata, ...rest } = await read(id);
    const body = {
      name: `Copy of ${name}`,
      model_name,
      description,
      system_prompt,
      tools: rest.tools,
      resources,
      metadata,
    };
    const { status, body: answer } = await app.call("kim", "POST", "/agents", body);
    expect(status).toBe(200);
    expect(answer.agent).toMatchObject({ ...body, version: 1, is_active: true, team_id: null });
    const versions = await app.call("kim", "GET", `/agents/${answer.agent.id}/versions`);
    expect(versions.body.versions).toMatchObject([{ major_version: 1, creator: { id: "user_kim" } }]);
  });
});
