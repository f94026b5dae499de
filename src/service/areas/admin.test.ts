import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
/** The first person of the sample's file, who is its admin; Grace is a member of the same team. */
let ada: string;
let grace: string;
beforeAll(async () => {
  service = await startService({ work: false });
  ada = service.keys.ada;
  grace = service.keys.grace;
});
afterAll(() => service.stop());

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Heard = { readonly status: number; readonly json: any; readonly error: string | undefined };

async function call(key: string | null, method: string, path: string, body?: unknown): Promise<Heard> {
  const response = await service.call(key, method, path, body);
  const text = await response.text();
  const json = text === "" ? null : JSON.parse(text);
  return { status: response.status, json, error: json?.error?.code };
}

let made = 0;
/** Somebody new, signed in. */
async function newcomer(more: Record<string, unknown> = {}) {
  made += 1;
  const body = { email: `new${made}@example.com`, first_name: "New", last_name: `Person ${made}`, ...more };
  const { json } = await call(ada, "POST", "/admin/people", body);
  const token: string = json.invitation.url.split("#sign-in=")[1];
  const session = await call(null, "POST", "/console/sessions", { token });
  return { id: json.person.id as string, token, secret: session.json.access_token as string, json };
}

const teamOf = async (name: string) =>
  (await call(ada, "POST", "/admin/teams", { name })).json.team.id as string;

describe("S-74: an invitation", () => {
  test("signs its person in once, and the one before no more", async () => {
    const person = await newcomer();
    expect(person.json.person).toMatchObject({ state: "invited", role: "member", plan: "pro", managed: [] });
    expect((await call(person.secret, "GET", "/me")).json).toMatchObject({ role: "member", teams: [] });
    const again = await call(null, "POST", "/console/sessions", { token: person.token });
    expect(again.error).toBe("sign_in_link_invalid");
    const links = [0, 1].map(() => call(ada, "POST", `/admin/people/${person.id}/invitation`));
    const tokens = (await Promise.all(links)).map(({ json }) => json.invitation.url.split("#sign-in=")[1]);
    const tries = [];
    for (const token of tokens) tries.push(await call(null, "POST", "/console/sessions", { token }));
    expect(tries.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("has an end, and lies in the database as a hash alone", async () => {
    const { id } = await newcomer();
    const { json } = await call(ada, "POST", `/admin/people/${id}/invitation`);
    const token: string = json.invitation.url.split("#sign-in=")[1];
    const { db } = service.context.store;
    const rows = await db.selectFrom("sign_in_links").selectAll().where("user_id", "=", id).execute();
    expect(JSON.stringify(rows)).not.toContain(token);
    await db
      .updateTable("sign_in_links")
      .set({ expires_at: new Date(0) })
      .where("user_id", "=", id)
      .execute();
    expect((await call(null, "POST", "/console/sessions", { token })).error).toBe("sign_in_link_invalid");
  });

  test("is for an address that no one has, in whatever case", async () => {
    const body = { email: "ADA@example.com", first_name: "Other", last_name: "Ada" };
    const { error, json } = await call(ada, "POST", "/admin/people", body);
    expect([error, json.error.param]).toEqual(["email_taken", "email"]);
  });
});

describe("S-75: who is deactivated", () => {
  test("is refused with key, session and link at the next request, in no team, and back without a session", async () => {
    const team = await teamOf("Deactivation");
    const person = await newcomer({ teams: [{ id: team, role: "operator" }] });
    const key = (await call(person.secret, "POST", "/admin/keys", { name: "laptop" })).json.secret as string;
    const teamKey = (await call(ada, "POST", "/admin/keys", { name: "nightly", team_id: team })).json.secret;
    const link = (await call(ada, "POST", `/admin/people/${person.id}/invitation`)).json.invitation.url;
    for (const secret of [key, person.secret]) expect((await call(secret, "GET", "/teams")).status).toBe(200);
    const asMember = `/list_saved_items?user_id=${person.id}`;
    expect((await call(teamKey, "GET", asMember)).status).toBe(200);
    const path = `/admin/people/${person.id}`;
    expect((await call(ada, "PATCH", path, { active: false })).json.person.state).toBe("deactivated");
    for (const secret of [key, person.secret]) expect((await call(secret, "GET", "/teams")).status).toBe(401);
    expect((await call(teamKey, "GET", asMember)).error).toBe("forbidden");
    const token = link.split("#sign-in=")[1];
    expect((await call(null, "POST", "/console/sessions", { token })).status).toBe(401);
    expect((await call(ada, "POST", `${path}/invitation`)).error).toBe("person_inactive");
    await call(ada, "PATCH", path, { active: true });
    expect((await call(key, "GET", "/teams")).json.teams).toHaveLength(1);
    expect((await call(person.secret, "GET", "/teams")).status).toBe(401);
  });

  test("may be of the file, which says nothing of it", async () => {
    await call(ada, "PATCH", "/admin/people/user_grace", { active: false });
    expect((await call(grace, "GET", "/teams")).status).toBe(401);
    await call(ada, "PATCH", "/admin/people/user_grace", { active: true });
    expect((await call(grace, "GET", "/teams")).status).toBe(200);
  });
});

describe("S-76: the last admin", () => {
  test("is neither deactivated nor made a member, also when two would take each other's role", async () => {
    for (const change of [{ active: false }, { role: "member" }]) {
      const { error, json } = await call(ada, "PATCH", "/admin/people/user_ada", change);
      expect([error, json.error.param]).toEqual(["last_admin", Object.keys(change)[0]]);
    }
    const other = await newcomer({ role: "admin" });
    const both = await Promise.all([
      call(ada, "PATCH", `/admin/people/${other.id}`, { role: "member" }),
      call(other.secret, "PATCH", "/admin/people/user_ada", { role: "member" }),
    ]);
    expect(both.map(({ status }) => status).sort()).not.toEqual([200, 200]);
    const { db } = service.context.store;
    await db.updateTable("users").set({ role: "admin" }).where("id", "=", "user_ada").execute();
    await db.updateTable("users").set({ role: "member" }).where("id", "=", other.id).execute();
  });

  test("is not made up for by one who was invited and never came", async () => {
    const body = { email: "never@example.com", first_name: "Never", last_name: "Came", role: "admin" };
    await call(ada, "POST", "/admin/people", body);
    expect((await call(ada, "PATCH", "/admin/people/user_ada", { active: false })).error).toBe("last_admin");
  });
});

describe("S-77: what the workspace's file says", () => {
  test("is refused with the field, and what it does not say is not", async () => {
    const { error, json } = await call(ada, "PATCH", "/admin/people/user_grace", { plan: "free" });
    expect([error, json.error.param]).toEqual(["managed_by_file", "plan"]);
    const team = (await call(ada, "GET", "/admin/teams")).json.teams.find(
      ({ managed }: { managed: string[] }) => managed.length > 0,
    );
    for (const [body, param] of [
      [{ name: "Other" }, "name"],
      [{ retired: true }, "retired"],
    ] as const) {
      const heard = await call(ada, "PATCH", `/admin/teams/${team.id}`, body);
      expect([heard.error, heard.json.error.param]).toEqual(["managed_by_file", param]);
    }
    const member = `/admin/teams/${team.id}/members/user_grace`;
    expect((await call(ada, "PUT", member, { role: "viewer" })).json.error.param).toBe("members");
    expect((await call(ada, "DELETE", member)).error).toBe("managed_by_file");
    const same = await call(ada, "PATCH", "/admin/people/user_grace", { role: "member" });
    expect(same.status).toBe(200);
  });

  test("is changed by no one who read it before another changed it", async () => {
    const { id, json } = await newcomer();
    const { version } = json.person;
    const path = `/admin/people/${id}`;
    // Coming for the first time is no change.
    expect((await call(ada, "PATCH", path, { first_name: "One", version })).status).toBe(200);
    const late = await call(ada, "PATCH", path, { first_name: "Two", version });
    expect([late.error, late.json.error.details]).toEqual([
      "version_conflict",
      { current_version: version + 1 },
    ]);
  });
});

describe("teams", () => {
  test("S-78: a retired one is gone at the next request, with its key, and comes back whole", async () => {
    const team = await teamOf("Old");
    const member = await newcomer({ teams: [{ id: team, role: "viewer" }] });
    const key = (await call(ada, "POST", "/admin/keys", { name: "team", team_id: team })).json.secret;
    const teams = async () => (await call(member.secret, "GET", "/teams")).json.teams.length;
    expect(await teams()).toBe(1);
    await call(ada, "PATCH", `/admin/teams/${team}`, { retired: true });
    expect(await teams()).toBe(0);
    expect((await call(key, "GET", "/teams")).status).toBe(401);
    const retired = await call(ada, "GET", "/admin/teams?retired=true");
    expect(retired.json.teams.map(({ id }: { id: string }) => id)).toContain(team);
    await call(ada, "PATCH", `/admin/teams/${team}`, { retired: false });
    expect(await teams()).toBe(1);
    expect((await call(key, "GET", "/teams")).status).toBe(200);
  });

  test("are looked after by their admins: name and members, and neither plan nor end", async () => {
    const team = await teamOf("Own");
    const boss = await newcomer({ teams: [{ id: team, role: "admin" }] });
    const other = await newcomer();
    const path = `/admin/teams/${team}`;
    expect((await call(boss.secret, "PATCH", path, { name: "Ours" })).json.team.name).toBe("Ours");
    expect((await call(boss.secret, "PATCH", path, { retired: true })).error).toBe("forbidden");
    expect((await call(boss.secret, "PATCH", path, { plan: "free" })).json.error.param).toBe("plan");
    expect((await call(boss.secret, "GET", "/admin/people?search=person")).status).toBe(200);
    const put = await call(boss.secret, "PUT", `${path}/members/${other.id}`, { role: "operator" });
    expect(put.json.member).toMatchObject({ role: "operator", state: "active" });
    expect((await call(other.secret, "GET", path)).json.team).toMatchObject({
      ...{ role: "operator", rights: ["see", "operate"], member_count: 3 },
    });
    const members = await call(other.secret, "GET", `${path}/members?page_size=2`);
    expect(members.json.members).toHaveLength(2);
    const rest = await call(other.secret, "GET", `${path}/members?cursor=${members.json.next_cursor}`);
    expect(rest.json.members).toHaveLength(1);
    expect((await call(boss.secret, "DELETE", `${path}/members/${other.id}`)).status).toBe(204);
    expect((await call(other.secret, "GET", path)).error).toBe("not_found");
  });
});

test("S-79: a key says when and from where it was used last, has an end, and is listed to those it concerns alone", async () => {
  const person = await newcomer();
  const answer = await call(person.secret, "POST", "/admin/keys", { name: "laptop", expires_in_days: 2 });
  const { key, secret } = answer.json;
  expect(key).toMatchObject({ kind: "personal", state: "active", last_used_at: null });
  expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBe(2 * 86_400_000);
  await service.call(secret, "GET", "/teams", undefined, { "user-agent": "harbor-script/1.0" });
  const listed = async () => (await call(person.secret, "GET", "/admin/keys")).json.keys[0];
  await expect
    .poll(async () => (await listed()).last_used_from, { timeout: 20_000 })
    .toEqual({ address: expect.stringContaining("127.0.0.1"), user_agent: "harbor-script/1.0" });
  expect((await call(grace, "DELETE", `/admin/keys/${key.id}`)).error).toBe("not_found");
  expect((await call(ada, "GET", `/admin/keys?user_id=${person.id}`)).json.keys).toHaveLength(1);
  expect((await call(person.secret, "DELETE", `/admin/keys/${key.id}`)).status).toBe(204);
  expect((await call(secret, "GET", "/teams")).status).toBe(401);
});

test("a key that rests until its person signs in with the identity provider again is not called active", async () => {
  const person = await newcomer();
  const { secret } = (await call(person.secret, "POST", "/admin/keys", { name: "laptop" })).json;
  const keyState = async () => {
    const { keys } = (await call(ada, "GET", `/admin/keys?user_id=${person.id}`)).json;
    return [keys[0].state, (await call(secret, "GET", "/teams")).status];
  };
  const { db } = service.context.store;
  const bar = (barred_at: Date | null) =>
    db.updateTable("users").set({ barred_at }).where("id", "=", person.id).execute();
  await bar(new Date());
  expect(await keyState()).toEqual(["inactive", 401]);
  await bar(null);
  expect(await keyState()).toEqual(["active", 200]);
});

test("S-87: sessions are ended one by one or all, by their person and by admins", async () => {
  const person = await newcomer();
  const sessions = `/console/sessions?user_id=${person.id}`;
  const own = await call(person.secret, "GET", "/console/sessions");
  expect(own.json.sessions).toEqual([expect.objectContaining({ current: true })]);
  expect((await call(person.secret, "DELETE", "/console/sessions?keep_current=true")).json.ended).toBe(0);
  const [{ id }] = (await call(ada, "GET", sessions)).json.sessions;
  expect((await call(grace, "DELETE", `/console/sessions/${id}`)).error).toBe("not_found");
  expect((await call(ada, "DELETE", sessions)).json.ended).toBe(1);
  expect((await call(person.secret, "GET", "/teams")).status).toBe(401);
});

test("S-88: what somebody owns is counted, and handed over whole", async () => {
  const from = await newcomer();
  const to = await newcomer();
  const { agent } = (await call(from.secret, "POST", "/agents", { name: "Mine" })).json;
  const path = `/admin/people/${from.id}`;
  const { owned } = (await call(ada, "GET", `${path}/owned`)).json;
  const agents = owned.find(({ kind }: { kind: string }) => kind === "agents");
  expect(agents).toEqual({ kind: "agents", own: 1, for_teams: 0, movable: 1 });
  const changing = call(from.secret, "PATCH", `/agents/${agent.id}`, { name: "Changed" });
  const moved = await call(ada, "POST", `${path}/hand-over`, { to: to.id });
  expect(moved.json.moved).toContainEqual({ kind: "agents", count: 1 });
  expect([200, 404]).toContain((await changing).status);
  expect((await call(to.secret, "GET", `/agents/${agent.id}`)).json.agent.creator.id).toBe(to.id);
  expect((await call(from.secret, "GET", `/agents/${agent.id}`)).status).toBe(404);
  await call(ada, "PATCH", path, { active: false });
  const back = await call(ada, "POST", `/admin/people/${to.id}/hand-over`, { to: from.id });
  expect([back.error, back.json.error.param]).toEqual(["person_inactive", "to"]);
});

test("S-88: sources and rubrics go to the other alone, runs and conversations stay a record of who began them", async () => {
  const [from, to] = [await newcomer(), await newcomer()];
  const source = { name: "Mine", source_type: "direct_file_uploads", scope: "personal" };
  const made = [
    `/brain/sources/${(await call(from.secret, "POST", "/brain/sources", source)).json.source.id}`,
    `/evaluations/${(await call(from.secret, "POST", "/evaluations", { name: "Mine" })).json.evaluation.id}`,
  ];
  const answers = async (secret: string) =>
    await Promise.all(made.map(async (at) => (await call(secret, "GET", at)).status));
  expect([await answers(from.secret), await answers(to.secret)]).toEqual([
    [200, 200],
    [404, 404],
  ]);
  const moved = await call(ada, "POST", `/admin/people/${from.id}/hand-over`, { to: to.id });
  expect(moved.json.moved).toEqual(
    expect.arrayContaining([
      { kind: "knowledge_sources", count: 1 },
      { kind: "evaluations", count: 1 },
    ]),
  );
  expect([await answers(from.secret), await answers(to.secret)]).toEqual([
    [404, 404],
    [200, 200],
  ]);
  const kinds = ["runs"];
  const refused = await call(ada, "POST", `/admin/people/${from.id}/hand-over`, { to: to.id, kinds });
  expect([refused.status, refused.json.error.param]).toEqual([400, "kinds.0"]);
});

/** One of their own, as a conversation of theirs made it. @returns its id */
async function artifactOf(from: { readonly id: string; readonly secret: string }): Promise<string> {
  const { db } = service.context.store;
  const { json } = await call(from.secret, "POST", "/agents", { name: "Writer" });
  await db
    .insertInto("interactions")
    .values({
      ...{ id: `int_${from.id}`, agent_id: json.agent.id, user_id: from.id, team_id: null, type: "api" },
      ...{ state: "completed" as const, name: "Talk", execution_id: "none", error: null },
    })
    .execute();
  const id = `art_${from.id}`;
  await db
    .insertInto("artifacts")
    .values({
      ...{ id, interaction_id: `int_${from.id}`, agent_id: json.agent.id, user_id: from.id, team_id: null },
      ...{ filename: "report.md", version_id: `ver_${from.id}`, major_version: 1 },
    })
    .execute();
  return id;
}

test("S-88: artifacts go to the other with who may open them, and what acts as the person is counted and stays", async () => {
  const from = await newcomer();
  const to = await newcomer();
  const id = await artifactOf(from);
  await call(from.secret, "PUT", `/artifacts/${id}/access`, {
    share: [{ type: "person", email: "grace@example.com", role: "viewer" }],
  });
  await call(from.secret, "POST", "/admin/keys", { name: "Nightly" });
  const owned = async (who: string) =>
    Object.fromEntries(
      (await call(ada, "GET", `/admin/people/${who}/owned`)).json.owned.map(
        ({ kind, own, movable }: { kind: string; own: number; movable: number }) => [kind, [own, movable]],
      ),
    );
  expect(await owned(from.id)).toMatchObject({ artifacts: [1, 1], keys: [1, 0], connections: [0, 0] });
  const before = (await owned("user_grace")).shared_with_them;
  const moved = await call(ada, "POST", `/admin/people/${from.id}/hand-over`, {
    to: to.id,
    kinds: ["artifacts"],
  });
  expect(moved.json.moved).toEqual([{ kind: "artifacts", count: 1 }]);
  const access = (key: string) => call(key, "GET", `/artifacts/${id}/access`);
  expect((await access(from.secret)).status).toBe(404);
  expect((await access(grace)).status).toBe(200);
  expect((await access(to.secret)).json.access.grants_visibility).toBe("full");
  expect(await owned("user_grace")).toMatchObject({ shared_with_them: before });
  expect(before[0]).toBeGreaterThan(0);
});

test("S-88: a source that is for its maker or everybody is handed over, whichever team its maker named with it", async () => {
  const team = await teamOf("Named");
  const [from, to] = [await newcomer({ teams: [{ id: team, role: "editor" }] }), await newcomer()];
  for (const scope of ["personal", "organization", "team"])
    await call(from.secret, "POST", "/brain/sources", { name: scope, scope, team_id: team });
  const path = `/admin/people/${from.id}`;
  const { owned } = (await call(ada, "GET", `${path}/owned`)).json;
  expect(owned).toContainEqual({ kind: "knowledge_sources", own: 2, for_teams: 1, movable: 2 });
  const moved = await call(ada, "POST", `${path}/hand-over`, { to: to.id });
  expect(moved.json.moved).toContainEqual({ kind: "knowledge_sources", count: 2 });
  const { sources } = (await call(to.secret, "GET", "/brain/sources")).json;
  expect(
    sources.map(({ name, may_edit }: { name: string; may_edit: boolean }) => [name, may_edit]).sort(),
  ).toEqual([
    ["organization", true],
    ["personal", true],
  ]);
});

test("S-88: who is handed an artifact that was shared with them is its owner, and listed once", async () => {
  const [from, to] = [await newcomer(), await newcomer()];
  const id = await artifactOf(from);
  const email = to.json.person.email as string;
  await call(from.secret, "PUT", `/artifacts/${id}/access`, {
    share: [{ type: "person", email, role: "viewer" }],
  });
  await call(ada, "POST", `/admin/people/${from.id}/hand-over`, { to: to.id, kinds: ["artifacts"] });
  const { access } = (await call(to.secret, "GET", `/artifacts/${id}/access`)).json;
  expect(access.people).toEqual([expect.objectContaining({ email, role: "owner" })]);
});

test("people are found by a part of their name or address, page by page", async () => {
  const first = await call(ada, "GET", "/admin/people?search=PERSON&page_size=1");
  expect(first.json.people).toHaveLength(1);
  const next = await call(
    ada,
    "GET",
    `/admin/people?search=PERSON&page_size=1&cursor=${first.json.next_cursor}`,
  );
  expect(next.json.people[0].id).not.toBe(first.json.people[0].id);
  for (const cursor of ["x", "e30"])
    expect((await call(ada, "GET", `/admin/people?cursor=${cursor}`)).error).toBe("invalid_cursor");
  const invited = await call(ada, "GET", "/admin/people?state=invited");
  expect(invited.json.people.map(({ state }: { state: string }) => state)).toContain("invited");
});

test("what somebody can do is answered with the rule that decides", async () => {
  const team = await teamOf("Asked");
  const person = await newcomer({ teams: [{ id: team, role: "operator" }] });
  const path = `/admin/people/${person.id}/permissions?object=team&object_id=${team}`;
  const { answers } = (await call(ada, "GET", path)).json;
  const facts = { rule: "team_role", role: "operator", team_id: team };
  expect(answers).toContainEqual({ right: "operate", allowed: true, needs: "operator", ...facts });
  expect(answers).toContainEqual({ right: "edit", allowed: false, needs: "editor", ...facts });
  expect((await call(grace, "GET", path)).error).toBe("forbidden");
});
