import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type FreshStore, freshStore } from "../../testing/database.ts";
import { randomIds } from "../context.ts";
import { revokeKey } from "../credentials/keys.ts";
import { openWorkspace } from "./check.ts";
import { loadWorkspace } from "./load.ts";

const sample = resolve(import.meta.dirname, "../../../workspace");
const keys = {
  WHEELHOUSE_ADA_KEY: "a-key-that-ada-chose-herself",
  WHEELHOUSE_GRACE_KEY: "a-key-that-grace-chose-herself",
  WHEELHOUSE_HARBOR_KEY: "a-key-that-harbor-chose-itself",
};

let fresh: FreshStore;
let directory = "";
beforeEach(async () => {
  fresh = await freshStore();
  directory = mkdtempSync(join(tmpdir(), "wheelhouse-load-"));
  cpSync(sample, directory, { recursive: true });
});
afterEach(async () => {
  rmSync(directory, { recursive: true, force: true });
  await fresh.drop();
});

async function load({ environment = keys as Record<string, string>, empty = false } = {}) {
  const workspace = await openWorkspace(directory);
  return loadWorkspace({
    ...{ store: fresh.store, ids: randomIds, workspace, environment, empty },
    defaultModel: "builtin/offline",
  });
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(directory, file), change(readFileSync(join(directory, file), "utf8")));
}

const all = async (text: string) => (await fresh.store.pool.query(text)).rows;
const agent = async (id: string) => {
  const rows = await fresh.store.db.selectFrom("agents").selectAll().where("id", "=", id).execute();
  return rows[0];
};

test("The sample's people, teams, members, flows and agents have their fixed ids", async () => {
  await load();
  expect(await all("select id, plan from users order by id")).toEqual([
    { id: "user_ada", plan: "pro" },
    { id: "user_grace", plan: "pro" },
  ]);
  expect(await all("select team_id, user_id from team_members order by 1, 2")).toEqual([
    { team_id: "team_annex", user_id: "user_grace" },
    { team_id: "team_harbor", user_id: "user_ada" },
    { team_id: "team_harbor", user_id: "user_grace" },
  ]);
  const flows = await all("select id, team_id, description from saved_items order by id");
  for (const id of ["flow_hello", "flow_webhook", "flow_report", "flow_nest", "flow_long", "flow_broken"]) {
    expect(flows).toContainEqual(expect.objectContaining({ id, team_id: "team_harbor" }));
  }
  for (const { description } of flows) expect(description).toMatch(/^Sample: /);
  const agents = await all("select id, owner_id, team_id, description from agents order by id");
  expect(agents).toMatchObject([
    { id: "agent_analyst", owner_id: "user_ada", team_id: null },
    { id: "agent_clerk", team_id: "team_harbor" },
    { id: "agent_guide", owner_id: "user_grace", team_id: null },
    { id: "agent_scribe", owner_id: "user_ada", team_id: null },
  ]);
  for (const { description } of agents) expect(description).toMatch(/^Sample/);
});

test("Loading again, also from two processes at once, changes nothing", async () => {
  const other = await fresh.another();
  const workspace = await openWorkspace(directory);
  const options = {
    ids: randomIds,
    workspace,
    environment: {},
    empty: false,
    defaultModel: "builtin/offline",
  };
  const made = await Promise.all([fresh.store, other].map((store) => loadWorkspace({ store, ...options })));
  await other.close();
  expect(made.flatMap((loaded) => loaded.keys)).toHaveLength(3);
  const before = await all("select * from saved_items order by id");
  const agents = await all("select * from agents order by id");
  expect(await load({ environment: {} })).toEqual({ keys: [], keptAgents: [] });
  expect(await all("select * from saved_items order by id")).toEqual(before);
  expect(await all("select * from agents order by id")).toEqual(agents);
});

test("A key of the environment is taken as it is; an unset one is made once and not again after it was revoked", async () => {
  const { keys: made } = await load({ environment: { WHEELHOUSE_ADA_KEY: keys.WHEELHOUSE_ADA_KEY } });
  expect(made.map(({ owner, variable }) => [owner.id, variable])).toEqual([
    ["user_grace", "WHEELHOUSE_GRACE_KEY"],
    ["team_harbor", "WHEELHOUSE_HARBOR_KEY"],
  ]);
  const rows = await fresh.store.db.selectFrom("credentials").selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(made[0]?.secret);
  for (const row of rows) await revokeKey(fresh.store.db, row.id);
  expect((await load({ environment: {} })).keys).toEqual([]);
});

test("A person on the free plan without a key is loaded, and everybody else gets theirs", async () => {
  edit("wheelhouse.yaml", (text) =>
    text.replace("plan: pro", "plan: free").replace(/ *key: \$\{WHEELHOUSE_ADA_KEY\}\n/, ""),
  );
  const { keys: made } = await load({ environment: {} });
  expect(await all("select id from users where plan = 'free'")).toEqual([{ id: "user_ada" }]);
  expect(made.map(({ owner }) => owner.id)).toEqual(["user_grace", "team_harbor"]);
});

test("A flow whose file is gone is removed, and comes back with its file", async () => {
  await load();
  rmSync(join(directory, "flows/hello.yaml"));
  await load();
  const removed = "select id from saved_items where removed_at is not null";
  expect(await all(removed)).toEqual([{ id: "flow_hello" }]);
  cpSync(join(sample, "flows/hello.yaml"), join(directory, "flows/hello.yaml"));
  await load();
  expect(await all(removed)).toEqual([]);
});

test("S-307: a folder of flows that cannot be read removes none of them", async () => {
  await load();
  const there = "select id from saved_items where removed_at is null order by id";
  const before = await all(there);
  for (const folder of ["agents", "flows"]) rmSync(join(directory, folder), { recursive: true });
  writeFileSync(join(directory, "flows"), "no folder");
  await load().catch(() => undefined);
  expect(before).not.toEqual([]);
  expect(await all(there)).toEqual(before);
});

test("A changed agent file is taken over, but never over a change made through the interface", async () => {
  await load();
  edit("agents/scribe.yaml", (text) => text.replace("name: Scribe", "name: Scribe the Second"));
  await load();
  expect(await agent("agent_scribe")).toMatchObject({ name: "Scribe the Second", version: 2 });
  const versions =
    "select version, changed from agent_versions where agent_id = 'agent_scribe' order by version";
  expect(await all(versions)).toEqual([
    { version: 1, changed: [] },
    { version: 2, changed: ["name"] },
  ]);
  await fresh.store.db
    .updateTable("agents")
    .set({ name: "Mine", version: 3 })
    .where("id", "=", "agent_scribe")
    .execute();
  expect((await load()).keptAgents).toEqual([]);
  edit("agents/scribe.yaml", (text) => text.replace("name: Scribe the Second", "name: Scribe the Third"));
  expect((await load()).keptAgents).toEqual(["agent_scribe"]);
  expect(await agent("agent_scribe")).toMatchObject({ name: "Mine", version: 3 });
});

test("A knowledge source is made as a draft, and stays approved when it is loaded again", async () => {
  await load();
  const read =
    "select id, status, scope, team_id, created_by_user_id, estimated_credits > 0 as costs from knowledge_sources";
  const source = {
    id: "source_handbook",
    scope: "team",
    team_id: "team_harbor",
    created_by_user_id: "user_ada",
  };
  expect(await all(read)).toEqual([{ ...source, status: "draft", costs: true }]);
  await fresh.store.pool.query("update knowledge_sources set status = 'active', approved_at = now()");
  await load();
  expect(await all(read)).toMatchObject([{ status: "active" }]);
});

const emails = () => all("select id, email from users order by id");

test("A knowledge source that was deleted and erased gets no name back when it is loaded again", async () => {
  await load();
  const erased = "update knowledge_sources set deleted_at = now(), purged_at = now(), name = '' returning id";
  expect(await all(erased)).toHaveLength(1);
  await load();
  expect(await all("select name, deleted_at is null as there from knowledge_sources")).toEqual([
    { name: "", there: false },
  ]);
});

test("Two people may swap their addresses, and change the case of one", async () => {
  await load();
  const [ada, grace] = (await emails()).map(({ email }) => String(email));
  if (ada === undefined || grace === undefined) throw new Error("two people have addresses");
  edit("wheelhouse.yaml", (text) =>
    text.replace(ada, "somebody").replace(grace, ada.toUpperCase()).replace("somebody", grace),
  );
  await load();
  expect(await emails()).toEqual([
    { id: "user_ada", email: grace },
    { id: "user_grace", email: ada.toUpperCase() },
  ]);
});

test("An address goes to whom the file says, also from somebody who is gone from it, in whatever case", async () => {
  await load();
  const hers = (await emails())[0]?.email;
  await fresh.store.pool.query(
    "insert into users (id, email, first_name, last_name, plan) values ('user_gone', 'Gone@Example.org', 'Gone', 'G', 'pro')",
  );
  edit("wheelhouse.yaml", (text) => text.replace(hers, "gone@example.org"));
  await load();
  expect(await emails()).toEqual([
    { id: "user_ada", email: "gone@example.org" },
    { id: "user_gone", email: expect.stringMatching(/^user_gone@.*\.former\.invalid$/) },
    expect.objectContaining({ id: "user_grace" }),
  ]);
});

test("A person who is taken out of a team is no member any more", async () => {
  await load();
  edit("wheelhouse.yaml", (text) => text.replace("members: [user_ada, user_grace]", "members: [user_grace]"));
  await load();
  expect(await all("select team_id from team_members where user_id = 'user_ada'")).toEqual([]);
});

test("--empty loads people, teams and keys, and neither flows nor agents", async () => {
  await load({ empty: true });
  expect(await all("select count(*)::int as n from users")).toEqual([{ n: 2 }]);
  expect(await all("select count(*)::int as n from credentials")).toEqual([{ n: 3 }]);
  expect(await all("select id from saved_items union all select id from agents")).toEqual([]);
});

test("A team's max_running is what the file says, and the common one where the file no longer says it", async () => {
  edit("wheelhouse.yaml", (text) =>
    text.replace("id: team_harbor\n", "id: team_harbor\n    max_running: 7\n"),
  );
  await load();
  const limits = () => all("select * from running_limits");
  expect(await limits()).toEqual([{ limit_key: "team:team_harbor", running: 7 }]);
  edit("wheelhouse.yaml", (text) => text.replace("max_running: 7", "max_running: 0"));
  await expect(load()).rejects.toThrow(/max_running.*must be 1 at least/s);
  edit("wheelhouse.yaml", (text) => text.replace("    max_running: 0\n", ""));
  await load();
  expect(await limits()).toEqual([]);
});

test("S-77: the first person of the file is the admin, roles are what the file says, and who was deactivated stays so", async () => {
  await load();
  const roles = async () => {
    const rows = await fresh.store.db.selectFrom("users").selectAll().orderBy("id").execute();
    return Object.fromEntries(rows.map(({ id, role }) => [id, role]));
  };
  expect(await roles()).toMatchObject({ user_ada: "admin", user_grace: "member" });
  const { db } = fresh.store;
  await db.updateTable("users").set({ deactivated_at: new Date() }).where("id", "=", "user_grace").execute();
  edit("wheelhouse.yaml", (text) =>
    text
      .replace("id: user_grace\n", "id: user_grace\n    role: admin\n")
      .replace(/members: \[.*\]/, "members: [user_ada, { id: user_grace, role: viewer }]"),
  );
  await load();
  expect(await roles()).toMatchObject({ user_ada: "admin", user_grace: "admin" });
  const [grace] = await all("select deactivated_at, managed from users where id = 'user_grace'");
  expect(grace.deactivated_at).not.toBeNull();
  expect(grace.managed).toContain("role");
  const members = await all(
    "select user_id, role from team_members where team_id = 'team_harbor' order by user_id",
  );
  expect(members).toEqual([
    { user_id: "user_ada", role: "editor" },
    { user_id: "user_grace", role: "viewer" },
  ]);
});
