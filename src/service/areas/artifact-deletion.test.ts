import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";
import { purgeDeleted } from "../files/purge-deleted.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

interface Written {
  readonly id: string;
  readonly session: string;
}

/** A conversation of Kim's in which this file was written once for each text. */
async function write(texts: readonly string[] = ["the plan"], more: object = {}): Promise<Written> {
  const lines = texts.map((content) => `/write_file ${JSON.stringify({ name: "plan.md", content })}`);
  const { body } = await app.start(lines.join("\n"), { gummie_id: "agent_offline", ...more });
  expect((await app.settled(body.interaction_id)).state).toBe("COMPLETED");
  const listed = await app.call("kim", "GET", `/artifacts?session_id=${body.interaction_id}`);
  return { id: listed.body.artifacts[0].id, session: body.interaction_id };
}

const erase = (id: string, key: KeyName | null = "kim") => app.call(key, "DELETE", `/artifacts/${id}`);
const restore = (id: string, key: KeyName = "kim") => app.call(key, "POST", `/artifacts/${id}/restore`);
const share = async (id: string, body: object) => {
  const answer = await app.call("kim", "PUT", `/artifacts/${id}/access`, body, asOwner("kim"));
  expect(answer.status).toBe(200);
  return answer.body.access;
};
const listed = async (session: string, key: KeyName = "kim") => {
  const { body } = await app.call(key, "GET", `/artifacts?session_id=${session}`);
  return body.artifacts.map(({ id }: { id: string }) => id);
};
const filesOf = async (id: string) => {
  const rows = await app.context.store.db
    .selectFrom("artifact_versions")
    .select("file_id")
    .where("artifact_id", "=", id)
    .execute();
  return rows.map(({ file_id }) => file_id);
};
const sizes = (ids: readonly string[]) => Promise.all(ids.map((id) => app.context.files.size(id)));
/** As if it had been deleted this many hours earlier. */
const setBack = (id: string, hours: number) =>
  app.context.store.pool.query(
    "update artifacts set removed_at = removed_at - make_interval(hours => $2) where id = $1",
    [id, hours],
  );

describe("deleting an artifact", () => {
  it("takes it out of every list, ends its links, shares and signed addresses at once, and its agent finds it no more", async () => {
    const { id, session } = await write();
    const access = await share(id, {
      share: [{ type: "person", email: "user_lee@example.com", role: "editor" }],
      link: { mode: "anyone" },
    });
    const token = access.link_url.slice(access.link_url.lastIndexOf("/") + 1);
    const shared = await app.call(null, "GET", `/shared/${token}`);
    const signed = (await app.call("lee", "GET", `/artifacts/${id}/download`)).body.download_url;
    const addresses = [shared.body.download_url, shared.body.preview_url, signed];
    const opens = () => Promise.all(addresses.map(async (url) => (await fetch(url)).status));
    expect([await opens(), await listed(session, "lee")]).toEqual([[200, 200, 200], [id]]);

    const { status, body } = await erase(id);
    expect([status, body.artifact_id]).toEqual([200, id]);
    const hours = (Date.parse(body.restorable_until) - Date.parse(body.deleted_at)) / 3_600_000;
    expect(hours).toBe(24);
    expect(await opens()).toEqual([404, 404, 404]);
    expect((await app.call(null, "GET", `/shared/${token}`)).status).toBe(404);
    for (const key of ["kim", "lee"] as const) {
      expect(await listed(session, key)).toEqual([]);
      expect((await app.call(key, "GET", `/artifacts/${id}/download`)).status).toBe(404);
      expect((await app.call(key, "GET", `/artifacts/${id}/access`)).status).toBe(404);
    }
    const byAgent = await app.call("kim", "GET", `/agents/agent_offline/artifacts?session_id=${session}`);
    expect(byAgent.body.artifacts).toEqual([]);
    const mine = await app.call("kim", "GET", "/artifacts?shared_by_me=true");
    expect(mine.body.artifacts.map((one: { id: string }) => one.id)).not.toContain(id);
    const zip = { run_id: session, file_names: ["plan.md"], user_id: "user_kim" };
    expect((await app.call("kim", "POST", "/download_files", zip)).status).toBe(404);

    await app.start('/read_file {"name": "plan.md"}', {
      gummie_id: "agent_offline",
      interaction_id: session,
    });
    const { messages } = await app.settled(session);
    const [call] = messages.at(-1).parts.filter((part: { type: string }) => part.type === "tool_invocation");
    expect([call.toolCallState, call.result.result]).toEqual([
      "failed",
      "There is no file plan.md in this conversation.",
    ]);
  });

  it("can be taken back: its versions, shares and the same link are there again", async () => {
    const { id, session } = await write(["one", "two"]);
    const grant = { type: "person", email: "user_lee@example.com", role: "viewer" };
    const before = await share(id, { share: [grant], link: { mode: "anyone" } });
    const token = before.link_url.slice(before.link_url.lastIndexOf("/") + 1);
    await erase(id);
    expect(await restore(id)).toMatchObject({ status: 200, body: { artifact_id: id } });
    expect([await listed(session), await listed(session, "lee")]).toEqual([[id], [id]]);
    expect((await app.call("kim", "GET", `/artifacts/${id}/access`)).body.access).toEqual(before);
    const { body } = await app.call(null, "GET", `/shared/${token}`);
    expect(await (await fetch(body.download_url)).text()).toBe("two");
    expect((await filesOf(id)).length).toBe(2);
    expect((await restore(id)).status).toBe(404);
  });

  it("is for its creator: who may open it hears that, and for others there is nothing", async () => {
    const { id, session } = await write();
    const editor = { type: "person", email: "user_lee@example.com", role: "editor" };
    expect((await erase(id, "lee")).status).toBe(404);
    await share(id, { share: [editor] });
    expect((await erase(id, "lee")).body.error.code).toBe("forbidden");
    for (const key of ["red", "blue"] as const) expect((await erase(id, key)).status).toBe(404);
    expect((await erase(id, null)).status).toBe(401);
    expect(await listed(session)).toEqual([id]);
    expect((await erase(id)).status).toBe(200);
    expect((await restore(id, "lee")).body.error.code).toBe("forbidden");
    expect((await restore(id, "blue")).status).toBe(404);
  });

  it("of what was made for a team is for its creator and the team's key, not for every member", async () => {
    const ofTeam = { gummie_id: "agent_red", project_id: "team_red" };
    const { id } = await write(["of the team"], ofTeam);
    expect((await erase(id, "lee")).body.error.code).toBe("forbidden");
    expect((await erase(id, "blue")).status).toBe(404);
    expect((await erase(id, "red")).status).toBe(200);
    expect((await restore(id)).status).toBe(200);
  });

  it("of what a team's key had made is for each member, as it is nobody's own, and for nobody else", async () => {
    const { id } = await write(["of nobody"], { gummie_id: "agent_red", project_id: "team_red" });
    await share(id, { share: [{ type: "person", email: "user_lee@example.com", role: "editor" }] });
    await app.context.store.pool.query("update artifacts set user_id = null where id = $1", [id]);
    expect((await erase(id, "blue")).status).toBe(404);
    expect((await erase(id, "lee")).status).toBe(200);
    expect((await restore(id, "lee")).status).toBe(200);
    // Without a team nobody is left whose it could be, also where somebody may edit it.
    await app.context.store.pool.query("update artifacts set team_id = null where id = $1", [id]);
    expect((await erase(id, "lee")).body.error.code).toBe("forbidden");
    for (const key of ["kim", "red", "blue"] as const) expect((await erase(id, key)).status).toBe(404);
  });

  it("happens once, however often it is asked for at the same time", async () => {
    const { id } = await write();
    const answers = await Promise.all(Array.from({ length: 8 }, () => erase(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)]);
  });

  it("is taken back beside another file of its conversation", async () => {
    const { id, session } = await write();
    const line = '/write_file {"name": "other.md", "content": "another"}';
    await app.start(line, { gummie_id: "agent_offline", interaction_id: session });
    await app.settled(session);
    await erase(id);
    expect((await restore(id)).status).toBe(200);
  });

  it("is not taken back over a file of the same name that was written since", async () => {
    const { id, session } = await write();
    await erase(id);
    const line = '/write_file {"name": "plan.md", "content": "anew"}';
    await app.start(line, { gummie_id: "agent_offline", interaction_id: session });
    await app.settled(session);
    const refused = await restore(id);
    expect([refused.status, refused.body.error.code]).toEqual([409, "name_taken"]);
    const [other] = await listed(session);
    await erase(other);
    const both = await Promise.all([restore(id), restore(other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("what was deleted a day ago", () => {
  it("cannot be taken back, and is removed for good with its bytes; what is younger stays", async () => {
    const [old, young] = [await write(["one", "two"]), await write()];
    const [oldFiles, youngFiles] = [await filesOf(old.id), await filesOf(young.id)];
    await share(old.id, { link: { mode: "anyone" } });
    for (const { id } of [old, young]) await erase(id);
    await setBack(old.id, 25);
    await setBack(young.id, 23);
    expect((await restore(old.id)).status).toBe(404);
    expect(await sizes(oldFiles)).toEqual([3, 3]);
    expect(await purgeDeleted(app.context)).toBeGreaterThanOrEqual(1);
    expect(await sizes([...oldFiles, ...youngFiles])).toEqual([null, null, 8]);
    expect(await filesOf(old.id)).toEqual([]);
    expect((await restore(young.id)).status).toBe(200);
    expect(await purgeDeleted(app.context)).toBe(0);
  });

  it("keeps the bytes that something else names", async () => {
    const { id } = await write();
    const other = await write(["of another"]);
    const [file = ""] = await filesOf(id);
    const { db } = app.context.store;
    await db
      .updateTable("artifact_versions")
      .set({ file_id: file })
      .where("artifact_id", "=", other.id)
      .execute();
    await erase(id);
    await setBack(id, 25);
    expect(await purgeDeleted(app.context)).toBe(1);
    expect(await sizes([file])).toEqual([8]);
  });
});
