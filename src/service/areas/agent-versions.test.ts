import { sql } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it, type Mock, vi } from "vitest";
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
const freshAgent = (values: Parameters<typeof makeAgent>[1] = {}) => makeAgent(app.context, values);

describe("the versions of an agent", () => {
  it("are listed newest first with what changed and who did it, and each can be read as it was", async () => {
    const id = await freshAgent({ team_id: "team_red" });
    const versions = async (query = "") =>
      (await app.call("kim", "GET", `/agents/${id}/versions${query}`)).body;
    expect((await versions()).versions).toMatchObject([{ major_version: 1, is_deployed: true, changed: [] }]);
    await patch(id, { name: "Second", system_prompt: "New" });
    await patch(id, { name: "Third" }, "lee");
    expect((await versions()).versions).toMatchObject([
      { major_version: 3, is_deployed: true, changed: ["name"], creator: { id: "user_lee" } },
      {
        major_version: 2,
        is_deployed: false,
        changed: ["name", "system_prompt"],
        creator: { id: "user_kim" },
      },
      { major_version: 1, changed: [] },
    ]);
    const page = await versions("?page_size=2");
    expect((await versions(`?page_size=2&cursor=${page.next_cursor}`)).versions).toMatchObject([
      { major_version: 1 },
    ]);
    const first = await app.call("kim", "GET", `/agents/${id}/versions/1`);
    expect(first.body.agent).toMatchObject({ id, name: "Fresh", system_prompt: "Old", version: 1 });
    expect((await app.call("kim", "GET", `/agents/${id}/versions/4`)).status).toBe(404);
    for (const version of ["0", "x", "1.5"]) {
      expect((await app.call("kim", "GET", `/agents/${id}/versions/${version}`)).status).toBe(400);
    }
    expect((await app.call("blue", "GET", `/agents/${id}/versions`)).status).toBe(404);
  });

  it("S-275: are listed without reading what each of them holds", async () => {
    const id = await freshAgent();
    for (const system_prompt of ["Said then", "Said now"]) await patch(id, { system_prompt });
    const { pool } = app.context.store;
    const spies: Mock[] = [];
    const spyOn = (client: pg.PoolClient) => spies.push(vi.spyOn(client, "query"));
    pool.on("acquire", spyOn);
    const { versions } = (await app.call("kim", "GET", `/agents/${id}/versions`)).body;
    pool.off("acquire", spyOn);
    expect(versions).toHaveLength(3);
    const answers = await Promise.all(
      spies.flatMap(({ mock }) => mock.results.map(({ value }) => Promise.resolve(value))),
    );
    for (const spy of spies) spy.mockRestore();
    const read = JSON.stringify(answers.map((answer) => answer?.rows));
    // The agent's own row is read, by which is told whether it may be seen.
    expect(read).toContain("Said now");
    expect(read).not.toContain("Said then");
  });

  it("keeps a change that no request made, such as that of an agent's file, and what was there before", async () => {
    const id = await freshAgent();
    await patch(id, { name: "Mine" });
    await app.context.store.db
      .updateTable("agents")
      .set({
        system_prompt: "From the file",
        name: "Filed",
        version: sql`version + 1`,
        updated_at: sql`now()`,
      })
      .where("id", "=", id)
      .execute();
    const { versions } = (await app.call("kim", "GET", `/agents/${id}/versions`)).body;
    expect(versions).toMatchObject([
      { major_version: 3, is_deployed: true, changed: ["name", "system_prompt"], creator: null },
      { major_version: 2, changed: ["name"], creator: { id: "user_kim" } },
      { major_version: 1, changed: [], creator: { id: "user_kim" } },
    ]);
    const second = await app.call("kim", "GET", `/agents/${id}/versions/2`);
    expect(second.body.agent).toMatchObject({ name: "Mine", system_prompt: "Old", version: 2 });
  });

  it("name nobody for a team's key, and the one who did it for each of many changes at once", async () => {
    const id = await freshAgent({ team_id: "team_red" });
    await patch(id, { name: "Key" }, "red");
    const crowd = Array.from({ length: 20 }, (_, index) =>
      patch(id, { name: `N${index}` }, index % 2 === 0 ? "kim" : "lee"),
    );
    expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(crowd.map(() => 200));
    const { versions } = (await app.call("kim", "GET", `/agents/${id}/versions?page_size=100`)).body;
    expect(versions.map((one: { major_version: number }) => one.major_version)).toEqual(
      Array.from({ length: 22 }, (_, index) => 22 - index),
    );
    const by = (person: string) =>
      versions.filter((one: { creator: { id: string } | null }) => one.creator?.id === person);
    expect(versions.at(-2)).toMatchObject({ major_version: 2, creator: null });
    expect([by("user_kim").length, by("user_lee").length]).toEqual([11, 10]);
  });

  it("restore an earlier version by the same PATCH, as a new version", async () => {
    const id = await freshAgent({ metadata: '{"preferences":{"max_steps":3}}' });
    const before = (await app.call("kim", "GET", `/agents/${id}/versions/1`)).body.agent;
    await patch(id, {
      name: "B",
      description: null,
      metadata: { preferences: { temperature: 1 } },
      version: 1,
    });
    const { name, description, model_name, system_prompt, tools, resources } = before;
    const content = { name, description, model_name, system_prompt, tools, resources };
    const restored = { ...content, metadata: { preferences: { temperature: null } } };
    expect((await patch(id, { ...restored, version: 1 })).status).toBe(409);
    const { body } = await patch(id, { ...restored, version: 2 });
    expect(body.agent).toMatchObject({ ...content, version: 3 });
    expect(body.agent.metadata.preferences).toEqual({ max_steps: 3, temperature: null });
  });
});
