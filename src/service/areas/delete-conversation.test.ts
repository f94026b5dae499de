import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, type KeyName, outsideTeam, startAgentService } from "../../testing/agents.ts";
import { changedMeanwhile } from "../../testing/held-row.ts";
import { tablesWith } from "../../testing/tables-with.ts";
import { until } from "../../testing/until.ts";
import { eraseDeleted } from "../agents/erase-conversations.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService();
});
afterAll(() => app.stop());

const remove = (id: string, key: KeyName = "kim") => app.call(key, "DELETE", `/interactions/${id}`);
const restore = (id: string, key: KeyName = "kim") => app.call(key, "POST", `/interactions/${id}/restore`);
const codeOf = ({ status, body }: { status: number; body: { error: { code: string } } }) =>
  `${status} ${body.error.code}`;

/** A conversation with one file, at its end. */
async function talked(body: object = {}, key: KeyName = "kim"): Promise<string> {
  const message = '/write_file {"name":"kept.md","content":"kept"}';
  const started = await app.start(message, { gummie_id: "agent_offline", ...body }, key);
  expect(started.status).toBe(202);
  await app.settled(started.body.interaction_id);
  return started.body.interaction_id;
}

const sessionIds = async (agent = "agent_offline"): Promise<string[]> =>
  (await app.call("kim", "GET", `/agents/${agent}/sessions?page_size=100`)).body.sessions.map(
    ({ id }: { id: string }) => id,
  );

/** An hour more than a day ago. */
const longAgo = (id: string) =>
  app.context.store.db
    .updateTable("interactions")
    .set({ deleted_at: sql`now() - interval '25 hours'` })
    .where("id", "=", id)
    .execute();

describe("a conversation that was deleted", () => {
  it("is nowhere any more: not by its id, not in lists and their search, not to be continued, stopped or zipped", async () => {
    const id = await talked();
    expect(await sessionIds()).toContain(id);
    expect((await remove(id)).status).toBe(204);
    expect((await app.call("kim", "GET", `/agent_status/${id}?user_id=user_kim`)).body.error).toBe(
      "interaction_not_found",
    );
    expect(codeOf(await app.call("kim", "GET", `/sessions/${id}`))).toBe("404 not_found");
    expect(await sessionIds()).not.toContain(id);
    const found = await app.call("kim", "GET", "/agents/agent_offline/sessions?search=kept.md&page_size=100");
    expect(JSON.stringify(found.body)).not.toContain(id);
    const again = await app.start("More", { gummie_id: "agent_offline", interaction_id: id });
    expect([again.status, again.body.error]).toEqual([404, "interaction_not_found"]);
    expect(codeOf(await app.call("kim", "POST", `/interactions/${id}/stop`, {}))).toBe(
      "404 interaction_not_found",
    );
    const zip = { run_id: id, file_names: ["kept.md"], user_id: "user_kim" };
    expect((await app.call("kim", "POST", "/download_files", zip)).status).toBe(404);
    expect(codeOf(await remove(id))).toBe("404 interaction_not_found");
  });

  it("leaves the artifacts that it produced", async () => {
    const id = await talked();
    await remove(id);
    await longAgo(id);
    await eraseDeleted(app.context.store);
    const { artifacts } = (await app.call("kim", "GET", `/agents/agent_offline/artifacts?session_id=${id}`))
      .body;
    expect(artifacts).toHaveLength(1);
    const file = await app.call("kim", "GET", `/artifacts/${artifacts[0].id}/download`);
    expect(file.body.filename).toBe("kept.md");
  });

  it("comes back whole within a day, and can be brought back twice", async () => {
    const id = await talked();
    const before = await app.settled(id);
    await remove(id);
    expect(await eraseDeleted(app.context.store)).toBe(0);
    expect((await restore(id)).body).toEqual({ interaction_id: id, state: "COMPLETED" });
    expect((await restore(id)).status).toBe(200);
    expect((await app.settled(id)).messages.length).toBe(before.messages.length);
    expect(await sessionIds()).toContain(id);
    expect(await eraseDeleted(app.context.store)).toBe(0);
  });

  it("comes back no more after a day, also where nobody has erased it yet", async () => {
    const id = await talked();
    await remove(id);
    await longAgo(id);
    expect(codeOf(await restore(id))).toBe("404 interaction_not_found");
    await eraseDeleted(app.context.store);
  });

  it("S-305: comes back no more where it was erased while its restoring waited, at the very end of its day", async () => {
    const id = await talked();
    await remove(id);
    const row = { table: "interactions", id, change: "erased_at = now()" };
    expect(codeOf(await changedMeanwhile(app.context.store, row, () => restore(id)))).toBe(
      "404 interaction_not_found",
    );
  });

  it("is erased after a day: no word of it is left in the database, and it does not come back", async () => {
    const word = "Zanzibarische";
    const call = { name: "write_file", args: JSON.stringify({ name: "notes.md", content: `${word} Liste` }) };
    app.model.next(
      { type: "tools", text: `${word} Gedanken`, calls: [call] },
      { type: "text", text: `${word} Antwort` },
    );
    const started = await app.start(`${word} Frage`);
    const id = started.body.interaction_id;
    expect(await app.settled(id)).toMatchObject({ state: "COMPLETED", response: `${word} Antwort` });
    const { db } = app.context.store;
    await db
      .insertInto("evaluation_results")
      .values({
        id: "result_of_deleted",
        agent_id: "agent_offline",
        interaction_id: id,
        turn: 1,
        grade: "pass",
      })
      .execute();
    // What judged it has read it.
    const { pool } = app.context.store;
    await pool.query(
      `insert into executions (id, kind, root_id, depth, subject_id, input, state, result, finished_at)
       values ('judging', 'evaluation', 'judging', 0, 'result_of_deleted', '{}', 'done', $1, now())`,
      [JSON.stringify(word)],
    );
    await pool.query(
      "insert into steps (execution_id, key, state, output, finished_at) values ('judging', 'a', 'done', $1, now())",
      [JSON.stringify(word)],
    );
    await remove(id);
    await longAgo(id);
    expect(await eraseDeleted(app.context.store)).toBe(1);
    expect(await eraseDeleted(app.context.store)).toBe(0);
    expect(codeOf(await restore(id))).toBe("404 interaction_not_found");
    expect(await tablesWith(db, word)).toEqual([]);
  });

  it("counts in no metrics of its agent", async () => {
    const id = await talked();
    const { db } = app.context.store;
    await db
      .insertInto("evaluation_results")
      .values({
        id: "result_counted",
        agent_id: "agent_offline",
        interaction_id: id,
        turn: 1,
        grade: "pass",
      })
      .execute();
    const passed = async () =>
      (await app.call("kim", "GET", "/agents/agent_offline/evaluations/metrics")).body.grades.pass;
    const listed = async () =>
      (await app.call("kim", "GET", "/agents/agent_offline/evaluations?page_size=100")).body.evaluations
        .length;
    const [before, rows] = [await passed(), await listed()];
    await remove(id);
    expect([await passed(), await listed()]).toEqual([before - 1, rows - 1]);
    await restore(id);
    expect([await passed(), await listed()]).toEqual([before, rows]);
  });
});

describe("deleting a conversation", () => {
  it("is refused while the agent works, and done after its turn was stopped", async () => {
    const never = new Promise<void>(() => {});
    app.model.next({ type: "held", until: never, answer: { type: "text", text: "" } });
    const calls = app.model.calls.length;
    const { body } = await app.start("Wait");
    await until("the model at work", () => app.model.calls.length > calls);
    const refused = await remove(body.interaction_id);
    expect(codeOf(refused)).toBe("409 interaction_not_in_terminal_state");
    expect(refused.body.error.message).toContain("stop its turn first");
    await app.call("kim", "POST", `/interactions/${body.interaction_id}/stop`, {});
    expect((await remove(body.interaction_id)).status).toBe(204);
  });

  it("lets no message in that was checked just before it, and is let in by no turn that began just before it", async () => {
    const { store } = app.context;
    const id = await talked();
    const more = () => app.start("More", { gummie_id: "agent_offline", interaction_id: id });
    const row = { table: "interactions", id };
    const late = await changedMeanwhile(store, { ...row, change: "deleted_at = now()" }, more);
    expect([late.status, late.body.error]).toEqual([404, "interaction_not_found"]);
    expect((await restore(id)).body.state).toBe("COMPLETED");
    const busy = await changedMeanwhile(store, { ...row, change: "state = 'processing'" }, () => remove(id));
    expect(codeOf(busy)).toBe("409 interaction_not_in_terminal_state");
  });

  it("is for its owner; a team's for the members and the key of that team", async () => {
    const own = await talked();
    for (const key of ["lee", "red", "blue"] as const) {
      expect(codeOf(await remove(own, key))).toBe("404 interaction_not_found");
      expect(codeOf(await restore(own, key))).toBe("404 interaction_not_found");
    }
    const shared = await talked({ project_id: "team_red" });
    expect(codeOf(await remove(shared, "blue"))).toBe("404 interaction_not_found");
    expect((await remove(shared, "lee")).status).toBe(204);
    expect((await restore(shared, "red")).status).toBe(200);
    expect((await remove(shared, "red")).status).toBe(204);
  });

  it("of a team's is not for whoever began it and has left the team, nor is bringing it back", async () => {
    const id = await talked({ project_id: "team_red" });
    const outside = (act: () => ReturnType<typeof remove>) =>
      outsideTeam(app.context, "team_red", "user_kim", act);
    expect(codeOf(await outside(() => remove(id)))).toBe("403 unauthorized_interaction_access");
    expect((await remove(id, "lee")).status).toBe(204);
    expect(codeOf(await outside(() => restore(id)))).toBe("403 unauthorized_interaction_access");
    expect((await restore(id, "lee")).status).toBe(200);
  });
});
