import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { randomIds } from "../../service/context.ts";
import { createKey, revokeKey } from "../../service/credentials/keys.ts";
import { linkLifetime } from "../../service/files/signed-link.ts";
import { fileName, makeObject } from "./objects.ts";
import { recordAnswer, startWorld, type World } from "./world.ts";

let now = new Date();
let world: World;
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } });
});
afterAll(() => world.stop());

const db = () => world.context.store.db;

/** Without Ann in her team, while `then` runs. */
async function withoutAnn(then: () => Promise<void>): Promise<void> {
  const member = { team_id: "team_one", user_id: "user_ann" };
  await db()
    .deleteFrom("team_members")
    .where("team_id", "=", member.team_id)
    .where("user_id", "=", member.user_id)
    .execute();
  try {
    await then();
  } finally {
    await db().insertInto("team_members").values(member).execute();
  }
}

describe("S-26: what was taken away", () => {
  test("a revoked key ends a poll that would have brought nothing new", async () => {
    const run_id = await makeObject(world.context, "run", "own");
    const key = await createKey(db(), randomIds, { kind: "person", id: "user_ann" }, "soon revoked");
    const poll = (tag: string) =>
      world.service.call(key.secret, "GET", `/get_pl_run?run_id=${run_id}&user_id=user_ann`, undefined, {
        "if-none-match": tag,
      });
    const first = await poll("none");
    const tag = first.headers.get("etag") ?? "";
    expect([first.status, (await poll(tag)).status]).toEqual([200, 304]);
    await revokeKey(db(), key.id);
    const polls = await Promise.all([poll(tag), poll("*"), poll("none")]);
    expect(polls.map(({ status }) => status)).toEqual([401, 401, 401]);
  });

  test("a poll never says that nothing is new to those who may not read it at all", async () => {
    const run_id = await makeObject(world.context, "run", "theirs");
    const interaction_id = await makeObject(world.context, "interaction", "theirs");
    for (const path of [
      `/get_pl_run?run_id=${run_id}&user_id=user_ann`,
      `/agent_status/${interaction_id}?user_id=user_ann`,
      `/sessions/${interaction_id}`,
    ]) {
      const headers = { "if-none-match": "*" };
      const answer = await world.service.call(world.credentials.owner, "GET", path, undefined, headers);
      expect(answer.status, path).toBe(404);
    }
  });

  test("a person who leaves a team loses at once what is the team's, also by an earlier Idempotency-Key", async () => {
    const run_id = await makeObject(world.context, "run", "team");
    const flow = await makeObject(world.context, "flow", "team");
    const agent_id = await makeObject(world.context, "agent", "team");
    const artifact_id = await makeObject(world.context, "artifact", "team");
    const start = () => {
      const path = `/start_pipeline?saved_item_id=${flow}&user_id=user_ann&project_id=team_one`;
      return world.service.call(world.credentials.owner, "POST", path, {}, { "idempotency-key": "again" });
    };
    const all = async () => {
      const asked = [
        await world.ask("getRun", "owner", { query: { run_id, user_id: "user_ann" } }),
        await world.ask("getRun", "owner", { query: { run_id, project_id: "team_one" } }),
        await world.ask("killPipeline", "token", { body: { run_id, user_id: "user_ann" } }),
        await world.ask("getAgent", "owner", { params: { agent_id } }),
        await world.ask("getArtifactDownload", "owner", { params: { artifact_id } }),
        await world.ask("startAgent", "team", {
          body: { gummie_id: "agent_one", message: "Hi", user_id: "user_ann" },
        }),
        await recordAnswer(await start()),
      ];
      return asked.map(({ status }) => status);
    };
    expect(await all()).toEqual([200, 200, 200, 200, 200, 202, 200]);
    await withoutAnn(async () => {
      expect(await all()).toEqual([404, 403, 404, 404, 404, 403, 403]);
    });
  });

  test("who made a team's knowledge source and left the team does not spend its credits any more", async () => {
    const source_id = await makeObject(world.context, "source", "team");
    await db()
      .updateTable("knowledge_sources")
      .set({ created_by_user_id: "user_ann" })
      .where("id", "=", source_id)
      .execute();
    await withoutAnn(async () => {
      const heard = await world.ask("approveSource", "owner", { params: { source_id } });
      expect([heard.status, heard.error]).toEqual([404, "not_found"]);
    });
    const credits = await db().selectFrom("credits").where("source_id", "=", source_id).selectAll().execute();
    expect(credits).toEqual([]);
    expect((await world.ask("approveSource", "owner", { params: { source_id } })).status).toBe(200);
  });

  test("who lost a share reads nothing more, and links from before are dead", async () => {
    const artifact_id = await makeObject(world.context, "artifact", "theirs");
    const params = { artifact_id };
    const change = (body: Record<string, unknown>) =>
      world.ask("updateArtifactAccess", "outsider", { params, body });
    const person = { type: "person", email: "ann@example.com" };
    await change({ share: [{ ...person, role: "editor" }] });
    const link = await world.ask("getArtifactDownload", "owner", { params });
    const { download_url } = JSON.parse(link.text);
    expect(await (await fetch(download_url)).text()).toBe("secret of the conversation");
    expect((await change({ remove: [person] })).status).toBe(200);
    for (const operation of ["getArtifactDownload", "getArtifactAccess", "updateArtifactAccess"] as const) {
      expect((await world.ask(operation, "owner", { params })).status, operation).toBe(404);
    }
    expect((await world.ask("listArtifacts", "owner", {})).text).not.toContain(artifact_id);
    expect((await fetch(download_url)).status).toBe(404);
    now = new Date(now.getTime() + (linkLifetime + 1) * 1000);
    expect((await fetch(download_url)).status).toBe(410);
  });

  test("a link to a file ends with the membership, the key or the file that it was made by", async () => {
    const team = { params: { artifact_id: await makeObject(world.context, "artifact", "team") } };
    const key = await createKey(db(), randomIds, { kind: "person", id: "user_ann" }, "soon revoked");
    const urlOf = async (secret: string) => {
      const path = `/artifacts/${team.params.artifact_id}/download`;
      return String((await (await world.service.call(secret, "GET", path)).json()).download_url);
    };
    const byKey = await urlOf(key.secret);
    const byToken = await urlOf(String(world.credentials.token));
    const byTeam = await urlOf(String(world.credentials.team));
    const status = async () => {
      return await Promise.all([byKey, byToken, byTeam].map(async (url) => (await fetch(url)).status));
    };
    expect(await status()).toEqual([200, 200, 200]);
    await withoutAnn(async () => expect(await status()).toEqual([404, 404, 200]));
    expect(await status()).toEqual([200, 200, 200]);
    await revokeKey(db(), key.id);
    expect(await status()).toEqual([404, 200, 200]);
    const removed = { removed_at: new Date() };
    await db().updateTable("artifacts").set(removed).where("id", "=", team.params.artifact_id).execute();
    expect(await status()).toEqual([404, 404, 404]);
  });

  test("an editor may give up the own access, and loses it with that request", async () => {
    const artifact_id = await makeObject(world.context, "artifact", "theirs");
    const params = { artifact_id };
    const person = { type: "person", email: "ann@example.com" };
    const share = [{ ...person, role: "editor" }];
    await world.ask("updateArtifactAccess", "outsider", { params, body: { share } });
    const body = { share: [{ ...person, role: "viewer" }] };
    const lowered = await world.ask("updateArtifactAccess", "owner", { params, body });
    expect(JSON.parse(lowered.text).access).toMatchObject({ grants_visibility: "limited", people: [] });
    await world.ask("updateArtifactAccess", "outsider", { params, body: { share } });
    const given = await world.ask("updateArtifactAccess", "owner", { params, body: { remove: [person] } });
    expect(given.status).toBe(200);
    expect(given.text).not.toContain("ann@example.com");
    expect((await world.ask("getArtifactAccess", "owner", { params })).status).toBe(404);
    const { text } = await world.ask("getArtifactAccess", "outsider", { params });
    expect(text).not.toContain("ann@example.com");
  });

  test("an access token ends with its time, and files are not zipped for it", async () => {
    const run_id = await makeObject(world.context, "run", "own");
    const body = { run_id, file_names: [fileName], user_id: "user_ann" };
    expect((await world.ask("downloadFiles", "token", { body })).status).toBe(200);
    await db()
      .updateTable("credentials")
      .set({ expires_at: sql`now()` })
      .where("kind", "=", "token")
      .execute();
    expect((await world.ask("downloadFiles", "token", { body })).status).toBe(401);
  });
});
