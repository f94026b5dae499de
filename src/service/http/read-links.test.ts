import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditOf } from "../../testing/audit.ts";
import { makeObject } from "../../testing/security/objects.ts";
import type { Column } from "../../testing/security/people.ts";
import { startWorld, type World } from "../../testing/security/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** An artifact of the team, which Fay made. */
async function ofTheTeam(): Promise<string> {
  const { store, files } = world.context;
  const id = await makeObject(world.context, "artifact", "team");
  const { file_id } = await store.db
    .updateTable("artifact_versions")
    .set({ size: 9 })
    .where("artifact_id", "=", id)
    .returning("file_id")
    .executeTakeFirstOrThrow();
  await files.write(file_id, "nine byte");
  return id;
}

async function linkFor(column: Column, id: string): Promise<string> {
  const teamId = column === "team" ? { team_id: "team_one" } : {};
  const asked = await world.ask("getArtifactDownload", column, {
    params: { artifact_id: id },
    query: teamId,
  });
  expect(asked.status, asked.text).toBe(200);
  return JSON.parse(asked.text).download_url;
}
const entriesOf = async (id: string) =>
  (await auditOf(world.context, "artifact.download")).filter(({ object_id }) => object_id === id);

describe("S-157: the bytes of what somebody else made", () => {
  test("are in the audit log when they are read, once for each link, by whom it was signed for and from where", async () => {
    const id = await ofTheTeam();
    const link = await linkFor("mate", id);
    await fetch(link, { method: "HEAD" });
    // That a link was made is no download.
    expect(await entriesOf(id)).toEqual([]);
    const read = await fetch(link, { headers: { "user-agent": "reader/1" } });
    expect([read.status, await read.text()]).toEqual([200, "nine byte"]);
    const further = await fetch(link, { headers: { range: "bytes=5-" } });
    expect([further.status, await further.text()]).toEqual([206, "byte"]);
    const entries = await entriesOf(id);
    expect(entries).toMatchObject([
      {
        ...{ by: "person", user_id: "user_ben", team_id: "team_one", object_kind: "artifact" },
        ...{ credential_kind: "personal", address: "127.0.0.1", user_agent: "reader/1" },
        ...{
          request_id: expect.stringMatching(/^req_/),
          changes: [{ field: "disposition", after: "attachment" }],
        },
      },
    ]);
    await (await fetch(await linkFor("team", id))).text();
    expect((await entriesOf(id)).map(({ by, by_team_id }) => [by, by_team_id])).toEqual([
      ["person", null],
      ["team", "team_one"],
    ]);
  });

  test("are recorded also by the links that lists carry, and one's own are not", async () => {
    const id = await ofTheTeam();
    const { interaction_id } = await world.context.store.db
      .selectFrom("artifacts")
      .select("interaction_id")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const listed = await world.ask("listArtifacts", "mate", { query: { session_id: interaction_id } });
    expect(listed.status, listed.text).toBe(200);
    const artifacts: { id: string; url: string }[] = JSON.parse(listed.text).artifacts;
    const url = artifacts.find((one) => one.id === id)?.url ?? "";
    await (await fetch(url)).text();
    expect(await entriesOf(id)).toMatchObject([
      { user_id: "user_ben", changes: [{ field: "disposition", after: "inline" }] },
    ]);
    const own = await makeObject(world.context, "artifact", "own");
    await fetch(await linkFor("owner", own));
    expect(await entriesOf(own)).toEqual([]);
  });

  test("do not go out where that cannot be recorded", async () => {
    const id = await ofTheTeam();
    const link = await linkFor("mate", id);
    const { db } = world.context.store;
    await sql`alter table audit_pending rename to audit_away`.execute(db);
    try {
      const refused = await fetch(link);
      expect([refused.status, (await refused.text()).includes("nine byte")]).toEqual([500, false]);
    } finally {
      await sql`alter table audit_away rename to audit_pending`.execute(db);
    }
    expect((await fetch(link)).status).toBe(200);
    expect(await entriesOf(id)).toHaveLength(1);
  });
});
