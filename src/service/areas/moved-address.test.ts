import { afterAll, beforeAll, expect, test } from "vitest";
import { adminCalls } from "../../testing/admin-calls.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false });
});
afterAll(() => service.stop());
const { call, newcomer } = adminCalls(() => service);

let made = 0;
/** An artifact of Ada's. */
async function artifact(): Promise<string> {
  const id = `art_${++made}`;
  const { db } = service.context.store;
  const owner = { user_id: "user_ada", team_id: null, agent_id: "agent_scribe" };
  const interaction_id = `int_${made}`;
  await db
    .insertInto("interactions")
    .values({
      id: interaction_id,
      ...owner,
      type: "api",
      state: "completed",
      name: "Talk",
      execution_id: "none",
      error: null,
    })
    .execute();
  await db
    .insertInto("artifacts")
    .values({
      id,
      ...owner,
      interaction_id,
      filename: "plan.md",
      version_id: `ver_${made}`,
      major_version: 1,
    })
    .execute();
  await db
    .insertInto("artifact_versions")
    .values({
      id: `ver_${made}`,
      major_version: 1,
      media_type: "text/markdown",
      size: 1,
      artifact_id: id,
      file_id: `file_${made}`,
    })
    .execute();
  return id;
}

const path = (id: string) => `/artifacts/${id}/access`;
const person = (email: string, role: string) => ({ type: "person", email, role });
/** As Ada does, who owns it. */
async function give(id: string, ...share: object[]): Promise<void> {
  const headers = { "x-auth-key": "user_ada" };
  const answer = await service.call(service.keys.ada, "PUT", path(id), { share }, headers);
  expect(answer.status).toBe(200);
}
const moveTo = (id: string, email: string) =>
  call(service.keys.ada, "PATCH", `/admin/people/${id}`, { email });
const given = async (id: string) => {
  const { people } = (await call(service.keys.ada, "GET", path(id))).json.access;
  return people.slice(1).map(({ email, role }: { email: string; role: string }) => [email, role]);
};
const listed = async (secret: string) =>
  (await call(secret, "GET", "/artifacts")).json.artifacts.map(({ id }: { id: string }) => id);

test("S-397: who gets another address keeps what was shared with them, and the next one with the old address gets none of it", async () => {
  const id = await artifact();
  const before = await newcomer({ email: "Ann.Smith@example.org" });
  await give(id, person("ann.smith@example.org", "editor"));
  expect((await moveTo(before.id, "Ann.Jones@example.org")).status).toBe(200);
  const next = await newcomer({ email: "ann.smith@example.org" });
  expect((await call(before.secret, "GET", path(id))).status).toBe(200);
  expect(await listed(before.secret)).toEqual([id]);
  expect((await call(next.secret, "GET", path(id))).status).toBe(404);
  expect(await listed(next.secret)).toEqual([]);
  expect(await given(id)).toEqual([["ann.jones@example.org", "editor"]]);
});

test("S-397: of what was given to both addresses of a person the stronger role is left", async () => {
  const [strong, weak] = [await artifact(), await artifact()];
  const moved = await newcomer({ email: "old@example.org" });
  await give(strong, person("old@example.org", "viewer"), person("new@example.org", "editor"));
  await give(weak, person("old@example.org", "editor"), person("new@example.org", "viewer"));
  await moveTo(moved.id, "new@example.org");
  expect([await given(strong), await given(weak)]).toEqual(Array(2).fill([["new@example.org", "editor"]]));
});

test("S-397: two people who swap their addresses in one statement keep what was shared with each", async () => {
  const id = await artifact();
  const [one, two] = [
    await newcomer({ email: "one@example.org" }),
    await newcomer({ email: "two@example.org" }),
  ];
  await give(id, person("one@example.org", "viewer"), person("two@example.org", "editor"));
  await service.context.store.pool.query(
    `update users set email = case id when $1 then 'two@example.org' else 'one@example.org' end where id in ($1, $2)`,
    [one.id, two.id],
  );
  expect((await given(id)).sort()).toEqual([
    ["one@example.org", "editor"],
    ["two@example.org", "viewer"],
  ]);
});
