import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
let personal = "";
let shared = "";
beforeAll(async () => {
  app = await startAgentService();
  personal = await write("agent_offline", ["b.txt", "A.txt", "c%_.txt"], {});
  shared = await write("agent_red", ["team.txt"], { project_id: "team_red" });
});
afterAll(() => app.stop());

/** A conversation of Kim's in which these files were written. @returns its id */
async function write(gummie_id: string, names: readonly string[], more: object): Promise<string> {
  const lines = names.map((name) => `/write_file ${JSON.stringify({ name, content: name })}`);
  const { body } = await app.start(lines.join("\n"), { gummie_id, ...more });
  expect((await app.settled(body.interaction_id)).state).toBe("COMPLETED");
  return body.interaction_id;
}

const list = (key: KeyName, path: string) => app.call(key, "GET", path);
const names = (answer: { body: { artifacts: { filename: string }[] } }) =>
  answer.body.artifacts.map(({ filename }) => filename);
const idOf = async (session: string, name: string): Promise<string> => {
  const { body } = await list(
    "kim",
    `/artifacts?session_id=${session}&search_query=${encodeURIComponent(name)}`,
  );
  return body.artifacts[0].id;
};
const access = (key: KeyName, id: string, body: object, query = "") =>
  app.call(key, "PUT", `/artifacts/${id}/access${query}`, body, asOwner(key));

describe("GET /agents/{id}/artifacts (§4.8)", () => {
  it("lists newest first, or by name without regard to case", async () => {
    const path = `/agents/agent_offline/artifacts?session_id=${personal}`;
    expect(names(await list("kim", path))).toEqual(["c%_.txt", "A.txt", "b.txt"]);
    expect(names(await list("kim", `${path}&sort_order=oldest`))).toEqual(["b.txt", "A.txt", "c%_.txt"]);
    expect(names(await list("kim", `${path}&sort_order=name_asc`))).toEqual(["A.txt", "b.txt", "c%_.txt"]);
    expect(names(await list("kim", `${path}&sort_order=name_desc`))).toEqual(["c%_.txt", "b.txt", "A.txt"]);
  });

  it("S-55: finds part of a name without regard to case, and takes % and _ literally", async () => {
    const path = "/agents/agent_offline/artifacts?search_query=";
    expect(names(await list("kim", `${path}a.TXT`))).toEqual(["A.txt"]);
    expect(names(await list("kim", `${path}${encodeURIComponent("%_")}`))).toEqual(["c%_.txt"]);
    expect(names(await list("kim", `${path}${encodeURIComponent("_.t%")}`))).toEqual([]);
  });

  it("clamps page_size to 1 and 100 (§8), and pages to the end", async () => {
    const path = "/agents/agent_offline/artifacts?page_size=";
    const first = await list("kim", `${path}0`);
    expect(names(first)).toHaveLength(1);
    expect(names(await list("kim", `${path}-5`))).toHaveLength(1);
    expect(names(await list("kim", `${path}1000000000`))).toHaveLength(3);
    expect((await list("kim", `${path}NaN`)).status).toBe(400);
    const seen = names(first);
    for (let cursor = first.body.next_cursor; cursor !== null; ) {
      const page = await list("kim", `${path}1&cursor=${cursor}`);
      seen.push(...names(page));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(["c%_.txt", "A.txt", "b.txt"]);
    expect((await list("kim", `${path}1&cursor=x`)).body.error.code).toBe("invalid_cursor");
  });

  it("leaves personal files out for the team's key, and hides the agent of somebody else", async () => {
    expect(names(await list("red", "/agents/agent_red/artifacts"))).toEqual(["team.txt"]);
    expect(names(await list("lee", "/agents/agent_red/artifacts"))).toEqual(["team.txt"]);
    await write("agent_red", ["mine.txt"], {});
    expect(names(await list("red", "/agents/agent_red/artifacts"))).toEqual(["team.txt"]);
    expect(names(await list("kim", "/agents/agent_red/artifacts"))).toEqual(["mine.txt", "team.txt"]);
    for (const key of ["lee", "red", "blue"] as const) {
      expect((await list(key, "/agents/agent_offline/artifacts")).status).toBe(404);
      expect((await list(key, `/artifacts/${await idOf(personal, "b.txt")}/download`)).status).toBe(404);
    }
  });

  it("never returns what was deleted", async () => {
    const id = await write("agent_offline", ["gone.txt"], {});
    await app.context.store.db
      .updateTable("artifacts")
      .set({ removed_at: new Date() })
      .where("interaction_id", "=", id)
      .execute();
    expect(names(await list("kim", `/agents/agent_offline/artifacts?session_id=${id}`))).toEqual([]);
  });

  it("makes the next version of the same name in a conversation, also in a later turn, and another artifact elsewhere", async () => {
    const line = (text: string) => `/write_file ${JSON.stringify({ name: "plan.md", content: text })}`;
    const first = await app.start(`${line("one")}\n${line("two")}`, { gummie_id: "agent_offline" });
    const session = first.body.interaction_id;
    await app.settled(session);
    await app.start(line("three"), { gummie_id: "agent_offline", interaction_id: session });
    await app.settled(session);
    await write("agent_offline", ["plan.md"], {});
    const { body } = await list("kim", "/artifacts?search_query=plan.md");
    const shown = body.artifacts.map((one: { session_id: string; major_version: number }) => {
      return [one.session_id === session, one.major_version];
    });
    expect(shown).toEqual([
      [false, 1],
      [true, 3],
    ]);
    const { metadata, id } = body.artifacts[1];
    const texts = metadata.versions.map(async ({ version_id }: { version_id: string }) => {
      const answer = await list("kim", `/artifacts/${id}/download?version_id=${version_id}`);
      return await (await fetch(answer.body.download_url)).text();
    });
    expect(await Promise.all(texts)).toEqual(["three", "two", "one"]);
  });

  it("starts a deleted name anew: none of its old versions comes back", async () => {
    const session = await write("agent_offline", ["again.txt"], {});
    const old = await idOf(session, "again.txt");
    const removed = { removed_at: new Date() };
    await app.context.store.db.updateTable("artifacts").set(removed).where("id", "=", old).execute();
    const line = `/write_file ${JSON.stringify({ name: "again.txt", content: "new" })}`;
    await app.start(line, { gummie_id: "agent_offline", interaction_id: session });
    expect((await app.settled(session)).state).toBe("COMPLETED");
    const { body } = await list("kim", `/artifacts?session_id=${session}`);
    expect(body.artifacts).toHaveLength(1);
    expect(body.artifacts[0].id).not.toBe(old);
    expect(body.artifacts[0].major_version).toBe(1);
    expect((await list("kim", `/artifacts/${old}/download`)).status).toBe(404);
  });

  it("gives a link to each version, and none to another artifact's", async () => {
    const line = (text: string) => `/write_file ${JSON.stringify({ name: "v.txt", content: text })}`;
    const { body } = await app.start(`${line("one")}\n${line("second")}`, { gummie_id: "agent_offline" });
    await app.settled(body.interaction_id);
    const id = await idOf(body.interaction_id, "v.txt");
    const newest = (await list("kim", `/artifacts/${id}/download`)).body;
    expect(newest).toMatchObject({ filename: "v.txt", media_type: "text/plain", size: 6 });
    expect(await (await fetch(newest.download_url)).text()).toBe("second");
    const { version_id } = await app.context.store.db
      .selectFrom("artifact_versions")
      .select("id as version_id")
      .where("artifact_id", "=", id)
      .where("major_version", "=", 1)
      .executeTakeFirstOrThrow();
    const first = (await list("kim", `/artifacts/${id}/download?version_id=${version_id}`)).body;
    expect(await (await fetch(first.download_url)).text()).toBe("one");
    const other = await idOf(personal, "b.txt");
    expect((await list("kim", `/artifacts/${other}/download?version_id=${version_id}`)).status).toBe(404);
  });
});

describe("PUT /artifacts/{id}/access (§4.7)", () => {
  const none = {
    people: [],
    teams: [],
    organization_access: null,
    link: "none",
    link_role: null,
    password_protected: false,
  };

  it("answers the present settings for {}, the owner first", async () => {
    const { status, body } = await access("kim", await idOf(personal, "b.txt"), {});
    expect(status).toBe(200);
    const people = [{ email: "user_kim@example.com", name: "Kim Test", role: "owner" }];
    expect(body).toEqual({
      access: { ...none, people, link_url: null, made_for_team_id: null, grants_visibility: "full" },
      notified: [],
    });
  });

  it("adds and removes grants of all three shapes, and tells whom it would notify once", async () => {
    const id = await idOf(personal, "A.txt");
    const share = [
      { type: "person", email: "User_Lee@Example.com", role: "viewer" },
      { type: "person", email: "stranger@elsewhere.org", role: "editor" },
      { type: "team", team_id: "team_red", role: "viewer" },
      { type: "organization", role: "viewer" },
    ];
    const first = await access("kim", id, { share, link: { mode: "anyone", role: "viewer" } });
    expect(first.body.access).toMatchObject({
      people: [
        { role: "owner" },
        { email: "stranger@elsewhere.org", role: "editor" },
        { email: "user_lee@example.com", role: "viewer" },
      ],
      teams: [{ team_id: "team_red", role: "viewer" }],
      organization_access: { role: "viewer" },
      link: "anyone",
      link_role: "viewer",
    });
    expect(first.body.notified.sort()).toEqual(["stranger@elsewhere.org", "user_lee@example.com"]);
    expect((await access("kim", id, { share })).body.notified).toEqual([]);
    const remove = [
      { type: "person", email: "stranger@elsewhere.org" },
      { type: "person", email: "user_lee@example.com" },
      { type: "team", team_id: "team_red" },
      { type: "organization" },
    ];
    const last = await access("kim", id, { remove, link: { mode: "none" } });
    expect(last.body.access).toMatchObject({ ...none, people: [{ role: "owner" }] });
  });

  it("shows the file to whom it was given, with counts instead of e-mails", async () => {
    const id = await idOf(personal, "c%_.txt");
    await access("kim", id, { share: [{ type: "person", email: "user_lee@example.com", role: "viewer" }] });
    expect(names(await list("lee", `/artifacts?session_id=${personal}`))).toEqual(["c%_.txt"]);
    const seen = await access("lee", id, {});
    expect(seen.body.access).toMatchObject({
      people: [],
      teams: [],
      grants_visibility: "limited",
      hidden_by_role: { owner: { people: 1, teams: 0 }, viewer: { people: 1, teams: 0 } },
    });
    expect(JSON.stringify(seen.body)).not.toContain("@");
    expect((await access("lee", id, { link: { mode: "anyone" } })).status).toBe(403);
    await access("kim", id, { share: [{ type: "person", email: "user_lee@example.com", role: "editor" }] });
    expect((await access("lee", id, { share: [{ type: "organization", role: "viewer" }] })).status).toBe(200);
    await access("kim", id, {
      remove: [{ type: "person", email: "user_lee@example.com" }, { type: "organization" }],
    });
    expect((await access("lee", id, {})).status).toBe(404);
  });

  it.each([
    [
      "a role that cannot be given",
      { share: [{ type: "organization", role: "owner" }] },
      400,
      "share.0.role",
    ],
    ["no e-mail", { share: [{ type: "person", email: "nobody", role: "viewer" }] }, 400, "share.0.email"],
    [
      "another role for the owner",
      { share: [{ type: "person", email: "USER_KIM@example.com", role: "viewer" }] },
      400,
      "share.0.email",
    ],
    [
      "S-17: the owner's removal",
      { remove: [{ type: "person", email: "user_kim@example.com" }] },
      400,
      "remove.0.email",
    ],
    [
      "S-22: a team that one is not in",
      { share: [{ type: "team", team_id: "team_blue", role: "viewer" }] },
      403,
      "share.0.team_id",
    ],
    [
      "a shape that is none of the three",
      { share: [{ type: "planet", role: "viewer" }] },
      400,
      "share.0.type",
    ],
    ["a link for a password without one", { link: { mode: "password" } }, 400, "link.password"],
    [
      "a password for a link that asks for none",
      { link: { mode: "anyone", password: "long enough to be one" } },
      400,
      "link.password",
    ],
  ])("refuses %s, and nothing of the change happens", async (_, change, status, param) => {
    const id = await idOf(personal, "b.txt");
    const good = { share: [{ type: "organization", role: "viewer" }], remove: [], ...change };
    const answer = await access("kim", id, good);
    expect([answer.status, answer.body.error.param]).toEqual([status, param]);
    expect((await access("kim", id, {})).body.access).toMatchObject({
      organization_access: null,
      teams: [],
      link: "none",
    });
  });

  it("wants team_id of a team key, the same in query and body (S-24)", async () => {
    const id = await idOf(shared, "team.txt");
    expect((await access("red", id, {})).status).toBe(400);
    expect((await access("red", id, { team_id: "team_red" })).status).toBe(200);
    expect((await access("red", id, {}, "?team_id=team_red")).status).toBe(200);
    expect((await access("red", id, { team_id: "team_blue" }, "?team_id=team_red")).status).toBe(400);
    expect((await access("red", id, { team_id: "team_blue" })).status).toBe(403);
    const personalOne = await idOf(personal, "b.txt");
    expect((await access("red", personalOne, { team_id: "team_red" })).status).toBe(404);
  });

  it("S-17: of changes at the same time every one arrives whole", async () => {
    const id = await idOf(personal, "b.txt");
    const emails = Array.from({ length: 20 }, (_, index) => `p${index}@example.org`);
    const answers = await Promise.all(
      emails.map((email) => access("kim", id, { share: [{ type: "person", email, role: "viewer" }] })),
    );
    expect(answers.flatMap(({ body }) => body.notified).sort()).toEqual([...emails].sort());
    expect((await access("kim", id, {})).body.access.people).toHaveLength(21);
  });
});
