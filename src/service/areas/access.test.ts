import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type AgentService,
  asOwner,
  isPerson,
  type KeyName,
  startAgentService,
} from "../../testing/agents.ts";

const long = process.env.WHEELHOUSE_LONG === "1";

let app: AgentService;
/** An artifact of Kim's, fresh for each test. */
let id = "";
let made = 0;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());
beforeEach(async () => {
  id = await make();
});

const db = () => app.context.store.db;

async function make(team_id: string | null = null): Promise<string> {
  made++;
  const agent_id = team_id === null ? "agent_kim" : "agent_red";
  const interaction_id = `int_${made}`;
  const owner = { user_id: "user_kim", team_id, agent_id };
  const talk = { id: interaction_id, ...owner, type: "api", state: "completed" as const };
  await db()
    .insertInto("interactions")
    .values({ ...talk, name: "Talk", execution_id: "none", error: null })
    .execute();
  const artifact = { id: `art_${made}`, ...owner, interaction_id, filename: "plan.md" };
  const version = { id: `ver_${made}`, major_version: 1, media_type: "text/markdown", size: 1 };
  await db()
    .insertInto("artifacts")
    .values({ ...artifact, version_id: version.id, major_version: 1 })
    .execute();
  await db()
    .insertInto("artifact_versions")
    .values({ ...version, artifact_id: artifact.id, file_id: `file_${made}` })
    .execute();
  return artifact.id;
}

const put = (key: KeyName, body: object, of = id) =>
  app.call(key, "PUT", `/artifacts/${of}/access`, body, asOwner(key));
const read = async (key: KeyName, of = id) => {
  const scope = isPerson(key) ? "" : `?team_id=team_${key}`;
  return (await app.call(key, "GET", `/artifacts/${of}/access${scope}`)).body.access;
};
const lee = { type: "person", email: "user_lee@example.com" };
const code = async (answer: ReturnType<typeof put>) => {
  const { status, body } = await answer;
  return status === 200 ? "200" : `${status} ${body.error.code} ${body.error.param}`;
};

describe("the order of checks (§7.2)", () => {
  it("is 401, then what is wrong with the change, then 404, then 403", async () => {
    const wrong = { share: [{ type: "organization", role: "emperor" }] };
    const right = { share: [{ type: "organization", role: "viewer" }] };
    expect((await app.call("kim", "PUT", `/artifacts/${id}/access`, wrong)).status).toBe(401);
    expect(await code(put("lee", wrong))).toBe("400 invalid_access_change share.0.role");
    expect(await code(put("lee", wrong, "art_nowhere"))).toBe("400 invalid_access_change share.0.role");
    expect(await code(put("lee", right))).toBe("404 not_found artifact_id");
    await put("kim", { share: [{ ...lee, role: "viewer" }] });
    expect(await code(put("lee", right))).toBe("403 forbidden null");
    expect(await code(put("lee", {}))).toBe("200");
  });

  it("names the field of a link's role, a password of the wrong mode, and lists that are too long", async () => {
    expect(await code(put("kim", { link: { mode: "anyone", role: "owner" } }))).toBe(
      "400 invalid_access_change link.role",
    );
    expect(await code(put("kim", { link: { mode: "full_moon" } }))).toBe("400 invalid_body link.mode");
    expect(await code(put("kim", { link: { mode: "none", password: "long enough to be" } }))).toBe(
      "400 invalid_access_change link.password",
    );
    const share = Array.from({ length: 1_001 }, (_, at) => ({
      type: "person",
      email: `p${at}@x.org`,
      role: "viewer",
    }));
    expect(await code(put("kim", { share }))).toBe("400 invalid_body share");
    expect(await code(put("kim", { share: share.slice(1) }))).toBe("200");
  });

  it("asks a viewer's password of a link for nothing: it is refused before it is hashed", async () => {
    await put("kim", { share: [{ ...lee, role: "viewer" }] });
    const { passwords } = app.context;
    const kept = { ...passwords };
    Object.assign(passwords, { hash: () => Promise.reject(new Error("hashed")) });
    const change = { link: { mode: "password", password: "long enough to be" } };
    const answer = await code(put("lee", change)).finally(() => Object.assign(passwords, kept));
    expect(answer).toBe("403 forbidden null");
  });
});

describe("a change (§4.7)", () => {
  it("leaves all that it does not name as it is", async () => {
    const share = [
      { ...lee, role: "editor" },
      { type: "team", team_id: "team_red", role: "viewer" },
    ];
    await put("kim", { share, link: { mode: "anyone", role: "editor" } });
    const before = await read("kim");
    for (const body of [{}, { share: [], remove: [] }, { team_id: null }, { link: { mode: "anyone" } }]) {
      expect((await put("kim", body)).body).toEqual({ access: before, notified: [] });
    }
    expect((await put("kim", { link: { mode: "anyone", role: null } })).body.access.link_role).toBe("viewer");
  });

  it("gives who is named twice the later role, and who is named again the new one", async () => {
    const all = { type: "organization" };
    const twice = [
      { ...lee, role: "viewer" },
      { ...all, role: "viewer" },
      { ...lee, role: "editor" },
      { ...all, role: "editor" },
    ];
    const shared = async (share: readonly object[]) => {
      const { access } = (await put("kim", { share })).body;
      return [access.people.at(-1).role, access.organization_access.role];
    };
    expect(await shared(twice)).toEqual(["editor", "editor"]);
    expect(await shared([{ ...lee, role: "viewer" }])).toEqual(["viewer", "editor"]);
  });

  it("tells whom it would notify: those who are new, known or not, and not who only changes role", async () => {
    const stranger = { type: "person", email: " Nobody@Elsewhere.org " };
    const both = (role: string) =>
      put("kim", {
        share: [
          { ...lee, role },
          { ...stranger, role },
        ],
      });
    expect((await both("viewer")).body.notified).toEqual(["user_lee@example.com", "nobody@elsewhere.org"]);
    expect((await both("editor")).body.notified).toEqual([]);
    const twice = { share: Array(3).fill({ type: "person", email: "new@x.org", role: "viewer" }) };
    expect((await put("kim", twice)).body.notified).toEqual(["new@x.org"]);
    await put("kim", { remove: [lee] });
    expect((await put("kim", { share: [{ ...lee, role: "viewer" }] })).body.notified).toEqual([lee.email]);
  });

  it("keeps and shows a role that nobody knows, which allows nothing", async () => {
    const row = {
      artifact_id: id,
      kind: "person" as const,
      grantee: lee.email,
      role: "werewolf",
      granted_by: null,
    };
    await db().insertInto("artifact_grants").values(row).execute();
    expect((await read("kim")).people).toContainEqual(expect.objectContaining({ role: "werewolf" }));
    await put("kim", { link: { mode: "anyone" } });
    expect((await read("kim")).people).toHaveLength(2);
    expect(await code(put("lee", {}))).toBe("404 not_found artifact_id");
  });

  it("S-17: of a person who is added and removed at the same time, what is left is one of the two", async () => {
    await put("kim", { share: [{ ...lee, role: "editor" }] });
    const eve = { type: "person", email: "eve@elsewhere.org" };
    for (let round = 0; round < 10; round++) {
      const answers = await Promise.all([
        put("kim", { share: [{ ...eve, role: "viewer" }] }),
        put("lee", { remove: [eve] }),
        put("lee", { share: [{ ...eve, role: "editor" }] }),
        put("kim", { remove: [eve] }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const notified = answers.flatMap(({ body }) => body.notified);
      const there = (await read("kim")).people.filter((one: { email: string }) => one.email === eve.email);
      // Told as often as she became one of them, and never without.
      expect(notified.length).toBeGreaterThanOrEqual(1);
      expect(notified.length).toBeLessThanOrEqual(2);
      expect(there.length).toBeLessThanOrEqual(1);
      await put("kim", { remove: [eve] });
    }
  });

  it("S-17: of twenty shares of the same person at once one is new", async () => {
    const share = [{ type: "person", email: "eve@elsewhere.org", role: "viewer" }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => put("kim", { share })));
    expect(answers.flatMap(({ body }) => body.notified)).toEqual(["eve@elsewhere.org"]);
  });

  it("S-17: its owner stays, whoever asks, and can always manage it", async () => {
    await put("kim", { share: [{ ...lee, role: "editor" }] });
    const kim = { type: "person", email: "User_Kim@example.com" };
    for (const key of ["kim", "lee"] as const) {
      expect(await code(put(key, { remove: [kim] }))).toBe("400 invalid_access_change remove.0.email");
      expect(await code(put(key, { share: [{ ...kim, role: "editor" }] }))).toBe(
        "400 invalid_access_change share.0.email",
      );
    }
    await put("kim", { remove: [lee] });
    expect((await read("kim")).people).toEqual([expect.objectContaining({ role: "owner" })]);
  });

  it("S-22: names no team that the caller is not in, and none that is not there; both answers are the same", async () => {
    const share = (team_id: string) => put("kim", { share: [{ type: "team", team_id, role: "viewer" }] });
    const [foreign, absent] = [await share("team_blue"), await share("team_nowhere")];
    expect([foreign.status, foreign.body]).toEqual([403, absent.body]);
    expect((await read("kim")).teams).toEqual([]);
    // What is taken away needs no membership: the owner may always close.
    const row = {
      artifact_id: id,
      kind: "team" as const,
      grantee: "team_blue",
      role: "viewer",
      granted_by: null,
    };
    await db().insertInto("artifact_grants").values(row).execute();
    await put("kim", { remove: [{ type: "team", team_id: "team_blue" }] });
    expect((await read("kim")).teams).toEqual([]);
  });
});

const email = fc.constantFrom("user_lee@example.com", "ann@elsewhere.org", "Zoë.X@exämple.org", "b+c@x.io");
const role = fc.constantFrom("viewer", "editor");
const shareItem = fc.oneof(
  fc.record({ type: fc.constant("person"), email, role }),
  fc.record({ type: fc.constant("team"), team_id: fc.constant("team_red"), role }),
  fc.record({ type: fc.constant("organization"), role }),
);

describe("S-38: what a viewer is told", () => {
  it("are counts: no e-mail, no team and no address of the link is anywhere in the bytes", async () => {
    const change = fc.record({
      share: fc.array(shareItem, { maxLength: 6 }),
      link: fc.constantFrom({ mode: "none" }, { mode: "anyone" }),
    });
    await fc.assert(
      fc.asyncProperty(change, async (body) => {
        id = await make();
        await put("kim", body);
        await put("kim", {
          share: [{ ...lee, role: "viewer" }],
          remove: [{ type: "team", team_id: "team_red" }],
        });
        await put("kim", { remove: [{ type: "organization" }] });
        const full = await read("kim");
        const answers = [await put("lee", {}), await app.call("lee", "GET", `/artifacts/${id}/access`)];
        for (const { status, body: seen } of answers) {
          expect(status).toBe(200);
          const bytes = JSON.stringify(seen);
          expect(bytes).not.toMatch(/@|%40|elsewhere|x\.io|mple|link_url|\/shared\//);
          for (const { name } of full.people) expect(bytes).not.toContain(name);
          expect(seen.access).toMatchObject({ people: [], teams: [], grants_visibility: "limited" });
          const counted = Object.values<{ people: number }>(seen.access.hidden_by_role);
          expect(counted.reduce((sum, { people }) => sum + people, 0)).toBe(full.people.length);
        }
      }),
      { numRuns: long ? 200 : 15 },
    );
  });
});

it("says for which team an artifact was made to who sees all grants and to its members, and to nobody else", async () => {
  expect((await read("kim")).made_for_team_id).toBeNull();
  id = await make("team_red");
  const [owner, member] = [await read("kim"), await read("lee")];
  expect(owner).toMatchObject({ made_for_team_id: "team_red", teams: [], grants_visibility: "full" });
  expect(member).toMatchObject({ made_for_team_id: "team_red", teams: [], grants_visibility: "limited" });
  // Kim is not in Lee's other team.
  const lees = { user_id: "user_lee", team_id: "team_blue" };
  await db().updateTable("artifacts").set(lees).where("id", "=", id).execute();
  await put("lee", { share: [{ type: "person", email: "user_kim@example.com", role: "viewer" }] });
  expect((await read("lee")).made_for_team_id).toBe("team_blue");
  expect(await read("kim")).toMatchObject({ grants_visibility: "limited" });
  expect(JSON.stringify(await read("kim"))).not.toMatch(/team_|made_for/);
});

it("S-44: an artifact that more people were given than a statement takes parameters is still shown", async () => {
  await db().deleteFrom("artifact_grants").where("artifact_id", "=", id).execute();
  // A role that nobody knows is shown and lists nothing: putting it into 70,000 lists would take a quarter of a minute.
  await app.context.store.pool.query(
    `insert into artifact_grants (artifact_id, kind, grantee, role)
     select $1, 'person', 'p' || n || '@x.org', 'guest' from generate_series(1, 70000) n`,
    [id],
  );
  expect((await read("kim")).people).toHaveLength(70_001);
});

describe("lists and permission", () => {
  it("agree: an artifact is in a caller's list when the caller may open it, and only then", async () => {
    const changes = fc.array(
      fc.record({
        share: fc.array(shareItem, { maxLength: 3 }),
        remove: fc.array(
          shareItem.map(({ role: _, ...item }) => item),
          { maxLength: 2 },
        ),
        link: fc.constantFrom(undefined, { mode: "none" }, { mode: "anyone" }),
      }),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(changes, fc.constantFrom(null, "team_red"), async (all, team) => {
        id = await make(team);
        for (const body of all) await put("kim", body);
        for (const key of ["kim", "lee", "red", "blue"] as const) {
          const listed = await app.call(key, "GET", `/artifacts?session_id=${id.replace("art_", "int_")}`);
          const opened = await app.call(key, "GET", `/artifacts/${id}/download`);
          expect(listed.body.artifacts.length, key).toBe(opened.status === 200 ? 1 : 0);
        }
      }),
      { numRuns: long ? 300 : 25 },
    );
  });
});
