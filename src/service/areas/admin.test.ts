import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminCalls } from "../../testing/admin-calls.ts";
import { blockedQueries } from "../../testing/held-row.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";

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

const { call, newcomer, teamOf } = adminCalls(() => service);

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

  test.each([
    ["renews it", (id: string) => call(ada, "POST", `/admin/people/${id}/invitation`)],
    ["deactivates its person", (id: string) => call(ada, "PATCH", `/admin/people/${id}`, { active: false })],
  ])("does not get into the way of an admin who %s in the moment of its sign-in", async (_, change) => {
    const { id } = await newcomer();
    const { json } = await call(ada, "POST", `/admin/people/${id}/invitation`);
    const token: string = json.invitation.url.split("#sign-in=")[1];
    const { pool } = service.context.store;
    const waiting = (count: number) =>
      until(`${count} wait for the person`, async () => (await blockedQueries({ pool })) === count);
    const other = await pool.connect();
    await other.query("begin");
    await other.query("select from users where id = $1 for no key update", [id]);
    const changed = change(id);
    await waiting(1);
    const signedIn = call(null, "POST", "/console/sessions", { token });
    await waiting(2);
    await other.query("commit");
    other.release();
    expect([(await changed).status, (await signedIn).status]).toEqual([200, 401]);
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
    expect((await call(null, "POST", "/console/sessions", { token })).status).toBe(401);
  });

  test("may be of the file, which says nothing of it", async () => {
    await call(ada, "PATCH", "/admin/people/user_grace", { active: false });
    expect((await call(grace, "GET", "/teams")).status).toBe(401);
    await call(ada, "PATCH", "/admin/people/user_grace", { active: true });
    expect((await call(grace, "GET", "/teams")).status).toBe(200);
  });
});

test("a role in a team that an admin gives is no more the groups' of the identity provider", async () => {
  const team = await teamOf("By hand");
  const { id } = await newcomer({ teams: [{ id: team, role: "viewer" }] });
  const { db } = service.context.store;
  await db.updateTable("team_members").set({ given_by_groups: true }).where("user_id", "=", id).execute();
  const listed = async () => {
    const { members } = (await call(ada, "GET", `/admin/teams/${team}/members`)).json;
    return members.find(({ user }: { user: { id: string } }) => user.id === id);
  };
  expect(await listed()).toMatchObject({ role: "viewer", by_groups: true });
  await call(ada, "PUT", `/admin/teams/${team}/members/${id}`, { role: "editor" });
  expect(await listed()).toMatchObject({ role: "editor", by_groups: false });
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

  test("S-356: is not made up for by one whom the identity provider's groups keep out", async () => {
    const { db } = service.context.store;
    const other = await newcomer({ role: "admin" });
    await db.updateTable("users").set({ barred_at: new Date() }).where("id", "=", other.id).execute();
    for (const change of [{ active: false }, { role: "member" }])
      expect((await call(ada, "PATCH", "/admin/people/user_ada", change)).error).toBe("last_admin");
    await db.updateTable("users").set({ role: "member" }).where("id", "=", other.id).execute();
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

test("S-79: a person was seen last when their newest credential was used, whatever others they have", async () => {
  const { id } = await newcomer();
  const { db } = service.context.store;
  const days = [20, 30, 10];
  for (const day of days) {
    await service.makeKey({ kind: "person", id });
    await db
      .updateTable("credentials")
      .set({ last_used_at: new Date(Date.UTC(2090, 0, day)) })
      .where("user_id", "=", id)
      .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", new Date("2090-01-01"))]))
      .execute();
  }
  const { people } = (await call(ada, "GET", "/admin/people?page_size=100")).json;
  const person = people.find((one: { id: string }) => one.id === id);
  expect(person.last_seen_at).toBe("2090-01-30T00:00:00.000Z");
});
