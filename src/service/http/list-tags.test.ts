import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AgentService, asOwner, type KeyName, startAgentService } from "../../testing/agents.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
  await app.context.store.db
    .insertInto("saved_items")
    .values({
      ...{ id: "flow_wait", user_id: "user_kim", team_id: "team_red", name: "Wait", removed_at: null },
      definition: toJson({ nodes: [{ id: "wait", node: { type: "delay", seconds: 600, log_every: 1 } }] }),
    })
    .execute();
});
afterAll(() => app.stop());

/** A poll as a client does it: what it had, and what came. */
async function poll(key: KeyName, list: string, had: string | null) {
  const { status, body, headers } = await app.call(key, "GET", list, undefined, {
    ...(had !== null && { "if-none-match": had }),
  });
  return { status, body, tag: headers.get("etag") };
}

/**
 * Polls before and after something happened: what was had is 304 and empty as long as nothing is new, and never again.
 * @param isShown whether the list shows it
 */
async function tells(
  list: string,
  act: () => Promise<unknown>,
  isShown: (body: Record<string, Record<string, unknown>[]>) => boolean,
  key: KeyName = "lee",
): Promise<void> {
  const before = await poll(key, list, null);
  expect(before).toMatchObject({ status: 200, tag: expect.stringMatching(/^W\/"[\w-]{22}"$/) });
  expect(isShown(before.body)).toBe(false);
  await act();
  await until(`${list} shows it`, async () => {
    const after = await poll(key, list, before.tag);
    const now = await poll(key, list, null);
    // What has not changed may be 304; what has is never: between the two it can only have become newer.
    if (after.status === 304)
      expect({ body: after.body, tag: after.tag }).toEqual({ body: null, tag: before.tag });
    else expect(after.tag).not.toBe(before.tag);
    return after.status === 200 && isShown(after.body) && isShown(now.body);
  });
}

const start = async () => {
  const { body } = await app.call(
    "kim",
    "POST",
    "/start_pipeline?project_id=team_red&saved_item_id=flow_wait",
    {},
  );
  return String(body.run_id);
};
const runOf = (body: Record<string, Record<string, unknown>[]>, id: string) =>
  body.runs?.find((run) => run.run_id === id);

describe("A list that is polled with the tag of what was had", () => {
  test("is 304 without a body while nothing is new, and another page or filter has a tag of its own", async () => {
    const first = await poll("kim", "/agents?page_size=1", null);
    expect(await poll("kim", "/agents?page_size=1", first.tag)).toEqual({
      status: 304,
      body: null,
      tag: first.tag,
    });
    expect((await poll("kim", "/agents?page_size=2", first.tag)).status).toBe(200);
    const whole = await poll("kim", "/agents", null);
    expect((await poll("lee", "/agents", whole.tag)).status).toBe(200);
    const refused = await app.call(null, "GET", "/agents?page_size=1", undefined, {
      "if-none-match": first.tag ?? "",
    });
    expect(refused.status).toBe(401);
  });

  test("tells of a run's start, its states, its log and its end", async () => {
    let id = "";
    await tells(
      "/runs",
      async () => (id = await start()),
      (body) => runOf(body, id) !== undefined,
    );
    const lines = Number(runOf((await poll("lee", "/runs", null)).body, id)?.log_lines);
    await tells(
      "/runs",
      async () => {},
      (body) => Number(runOf(body, id)?.log_lines) > lines,
    );
    await tells(
      "/runs?state=TERMINATED",
      () => app.call("kim", "POST", "/kill_pipeline", { run_id: id, project_id: "team_red" }),
      (body) => runOf(body, id) !== undefined,
    );
    expect(runOf((await poll("lee", "/runs", null)).body, id)?.state).toBe("TERMINATED");
  });

  test("tells of a name, of what is shared and taken back, and of what is deleted", async () => {
    const named = (body: Record<string, Record<string, unknown>[]>) =>
      body.agents?.some(({ name }) => name === "Renamed") ?? false;
    await tells(
      "/agents",
      () => app.call("kim", "PATCH", "/agents/agent_red", { name: "Renamed" }, asOwner("kim")),
      named,
    );
    const message = `/write_file ${JSON.stringify({ name: "plan.md", content: "the plan" })}`;
    const { body } = await app.start(message, { gummie_id: "agent_offline" });
    await app.settled(body.interaction_id);
    const list = `/artifacts?session_id=${body.interaction_id}`;
    const id = (await poll("kim", list, null)).body.artifacts[0].id;
    const access = (settings: object) =>
      app.call("kim", "PUT", `/artifacts/${id}/access`, settings, asOwner("kim"));
    const person = { type: "person", email: "user_lee@example.com" };
    const isThere = (shown: Record<string, unknown[]>) => shown.artifacts?.length === 1;
    await tells(list, () => access({ share: [{ ...person, role: "viewer" }] }), isThere);
    await tells(
      list,
      () => access({ remove: [person] }),
      (shown) => !isThere(shown),
    );
    await tells(
      list,
      () => app.call("kim", "DELETE", `/artifacts/${id}`),
      (shown) => !isThere(shown),
      "kim",
    );
    const talks = "/agents/agent_offline/sessions";
    await tells(
      talks,
      () => app.call("kim", "DELETE", `/interactions/${body.interaction_id}`),
      (shown) => shown.sessions?.length === 0,
      "kim",
    );
  });

  test("tells whoever leaves a team or comes into it", async () => {
    const { db } = app.context.store;
    const blue = { team_id: "team_blue", user_id: "user_kim" };
    const { body } = await app.start(
      "Hello",
      { gummie_id: "agent_blue", user_id: undefined, project_id: "team_blue" },
      "blue",
    );
    expect(body.interaction_id).toBeDefined();
    const isThere = (shown: Record<string, Record<string, unknown>[]>) =>
      shown.agents?.some(({ id }) => id === "agent_blue") ?? false;
    await tells("/agents", () => db.insertInto("team_members").values(blue).execute(), isThere, "kim");
    await tells(
      "/agents",
      () =>
        db
          .deleteFrom("team_members")
          .where("team_id", "=", "team_blue")
          .where("user_id", "=", "user_kim")
          .execute(),
      (shown) => !isThere(shown),
      "kim",
    );
  });
});
