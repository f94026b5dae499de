import { afterAll, beforeAll, expect, test } from "vitest";
import { adminCalls } from "../../testing/admin-calls.ts";
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

const { call, newcomer, teamOf } = adminCalls(() => service);

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
