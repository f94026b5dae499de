import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentService, outsideTeam, startAgentService } from "../../../testing/agents.ts";
import { answer, askedOnce, askingAgent } from "../../../testing/approvals.ts";

const workspace = mkdtempSync(join(tmpdir(), "wheelhouse-approvals-"));
let app: AgentService;
beforeAll(async () => {
  const person = (id: string) =>
    `  - { id: user_${id}, email: ${id}@example.org, first_name: ${id}, last_name: Test, plan: pro }`;
  writeFileSync(
    join(workspace, "wheelhouse.yaml"),
    `people:
${person("kim")}
${person("lee")}
teams:
  - { id: team_red, name: Red, plan: pro, members: [user_kim, user_lee] }
  - { id: team_blue, name: Blue, plan: pro, members: [user_lee] }
approvals:
  tools: { "http_*": ask }
  teams:
    team_red: { tools: { write_file: ask, read_file: never }, operators: [user_lee] }
`,
  );
  // The people are those of every test of agents; of the folder only what it says of approvals counts.
  app = await startAgentService({ workspace, empty: true });
});
afterAll(async () => {
  await app.stop();
  rmSync(workspace, { recursive: true, force: true });
});

const message = '/write_file {"name":"a.txt","content":"x"}';
const ofRed = { project_id: "team_red" };
const stop = (id: string) => app.call("kim", "POST", `/interactions/${id}/stop`, {});
/** What each credential gets for a question: whether it sees it, and what it hears if it answers. */
async function heard(item: { readonly id: string }) {
  const keys = ["kim", "lee", "red", "blue"] as const;
  const seen = await Promise.all(keys.map((key) => app.call(key, "GET", `/inbox/${item.id}`)));
  return Object.fromEntries(
    keys.map((key, at) => [
      key,
      seen[at]?.status === 200 ? seen[at]?.body.item.may_answer : seen[at]?.status,
    ]),
  );
}

describe("S-65: who may answer", () => {
  it("is the person for whom the turn acts, and nobody else of their team", async () => {
    const agent = await askingAgent(app, { team_id: "team_red" });
    const { id, item } = await askedOnce(app, message, { gummie_id: agent, ...ofRed });
    expect(item.who).toMatchObject({ rule: "person", people: [{ id: "user_kim" }] });
    expect(await heard(item)).toEqual({ kim: true, lee: false, red: false, blue: 404 });
    for (const key of ["lee", "red"] as const) {
      const refused = await answer(app, item, { answer: "approve" }, key);
      expect([key, refused.status, refused.body.error.code]).toEqual([key, 403, "forbidden"]);
    }
    expect((await answer(app, item, { answer: "approve" }, "blue")).status).toBe(404);
    await stop(id);
  });

  it("are the operators that the workspace names for the team", async () => {
    const approvals = { tools: { write_file: "ask" }, who: "operators" };
    const agent = await askingAgent(app, { team_id: "team_red", approvals });
    const { id, item } = await askedOnce(app, message, { gummie_id: agent, ...ofRed });
    expect(item.who).toMatchObject({ rule: "operators", count: 1, people: [{ id: "user_lee" }] });
    expect(await heard(item)).toEqual({ kim: false, lee: true, red: false, blue: 404 });
    const count = await app.call("lee", "GET", "/inbox/count");
    expect(count.body.waiting).toBe(1);
    await outsideTeam(app.context, "team_red", "user_lee", async () => {
      expect((await answer(app, item, { answer: "approve" }, "lee")).status).toBe(404);
    });
    expect((await answer(app, item, { answer: "refuse" }, "lee")).status).toBe(200);
    await app.settled(id);
  });

  it("are people whom the agent names, who see the question and not the conversation", async () => {
    const approvals = { tools: { write_file: "ask" }, who: "people", people: ["user_lee"] };
    const agent = await askingAgent(app, { approvals });
    const { id, item } = await askedOnce(app, message, { gummie_id: agent });
    expect(item.may_answer).toBe(false);
    expect(await heard(item)).toEqual({ kim: false, lee: true, red: 404, blue: 404 });
    const seen = await app.call("lee", "GET", `/inbox/${item.id}`);
    expect(seen.body.item.session).toEqual({ id, name: null });
    expect((await app.call("lee", "GET", `/sessions/${id}`)).status).toBe(404);
    expect((await app.call("lee", "GET", "/inbox?mine=true")).body.items).toMatchObject([{ id: item.id }]);
    expect((await app.call("kim", "GET", "/inbox?mine=true")).body.items).toEqual([]);
    // Lee and Kim share no team any more: what the agent says does not count for a stranger.
    await outsideTeam(app.context, "team_red", "user_lee", async () => {
      expect((await answer(app, item, { answer: "approve" }, "lee")).status).toBe(404);
    });
    expect((await answer(app, item, { answer: "refuse" }, "lee")).status).toBe(200);
    await app.settled(id);
  });

  it("is an operator where a team's key started the turn for nobody", async () => {
    const agent = await askingAgent(app, { team_id: "team_red" });
    const started = await app.call("red", "POST", "/start_agent", { gummie_id: agent, message, ...ofRed });
    const id = started.body.interaction_id;
    await expect
      .poll(async () => (await app.call("lee", "GET", `/inbox?session_id=${id}`)).body.items.length)
      .toBe(1);
    const { body } = await app.call("lee", "GET", `/inbox?session_id=${id}`);
    const { item } = (await app.call("lee", "GET", `/inbox/${body.items[0].id}`)).body;
    expect(item).toMatchObject({ started_by: null, who: { rule: "operators" }, may_answer: true });
    await answer(app, item, { answer: "refuse" }, "lee");
    await app.settled(id);
  });
});

describe("S-64: a floor of the workspace", () => {
  const run = { tools: { write_file: "run", read_file: "run", http_get: "run" } };

  it("has a call asked for that the agent would run, wherever the team's agent is used", async () => {
    const agent = await askingAgent(app, { team_id: "team_red", approvals: run });
    const { id, item } = await askedOnce(app, message, { gummie_id: agent });
    expect(item.tool?.tool_call_id).toBe("write_file");
    await stop(id);
  });

  it("has it asked for in the team's conversations, whosever the agent is", async () => {
    const agent = await askingAgent(app, { approvals: run });
    const { id } = await askedOnce(app, message, { gummie_id: agent, ...ofRed });
    await stop(id);
    const alone = await app.start(message, { gummie_id: agent });
    expect((await app.settled(alone.body.interaction_id)).response).toContain("done");
  });

  it("forbids a call, and asks nobody about it", async () => {
    const agent = await askingAgent(app, { team_id: "team_red", approvals: run });
    const { body } = await app.start('/read_file {"name":"a.txt"}', { gummie_id: agent, ...ofRed });
    expect((await app.settled(body.interaction_id)).response).toContain("must not be called");
    const items = await app.call("kim", "GET", `/inbox?state=answered&session_id=${body.interaction_id}`);
    expect(items.body.items).toEqual([]);
  });

  it("of everybody fits tools by a pattern", async () => {
    const agent = await askingAgent(app, { tools: [{ type: "http_get" }], approvals: run });
    const url = '/http_get {"url":"https://example.invalid/"}';
    const { id, item } = await askedOnce(app, url, { gummie_id: agent });
    expect(item.tool?.tool_call_id).toBe("http_get");
    await stop(id);
  });

  it("is shown to whoever may see the agent, with its operators and whom it may name", async () => {
    const agent = await askingAgent(app, { team_id: "team_red" });
    const { body } = await app.call("kim", "GET", `/agents/${agent}/approvals`);
    expect(body.floors).toEqual([
      { tools: "http_*", at_least: "ask", team_id: null },
      { tools: "write_file", at_least: "ask", team_id: "team_red" },
      { tools: "read_file", at_least: "never", team_id: "team_red" },
    ]);
    expect(body.operators).toMatchObject([{ id: "user_lee" }]);
    expect(body.candidates).toMatchObject([{ id: "user_kim" }, { id: "user_lee" }]);
  });

  it("names nobody who only looks on in the team: what they would answer is refused", async () => {
    const ask = async (who: string, people: readonly string[] = []) => {
      const approvals = { tools: { write_file: "ask" }, who, people };
      const agent = await askingAgent(app, { team_id: "team_red", approvals });
      return { agent, ...(await askedOnce(app, message, { gummie_id: agent, ...ofRed })) };
    };
    const asks = [await ask("operators"), await ask("people", ["user_kim", "user_lee"])];
    const turn = (role: "viewer" | "editor") =>
      app.context.store.db
        .updateTable("team_members")
        .set({ role })
        .where("team_id", "=", "team_red")
        .where("user_id", "=", "user_lee")
        .execute();
    await turn("viewer");
    try {
      const items = await Promise.all(asks.map(({ item }) => app.call("lee", "GET", `/inbox/${item.id}`)));
      expect(items.map(({ body }) => body.item)).toMatchObject([
        { may_answer: false, who: { rule: "operators", people: [], count: 0 } },
        { may_answer: false, who: { rule: "people", people: [{ id: "user_kim" }], count: 1 } },
      ]);
      const { body } = await app.call("kim", "GET", `/agents/${asks[0]?.agent}/approvals`);
      expect(body.operators).toEqual([]);
      expect(body.candidates).toMatchObject([{ id: "user_kim" }]);
    } finally {
      await turn("editor");
    }
    for (const { id } of asks) await stop(id);
  });
});

describe("an agent's own setting", () => {
  it("never calls what is never to be called, and keeps it from the model", async () => {
    const agent = await askingAgent(app, { approvals: { tools: { write_file: "never" } } });
    const { body } = await app.start(message, { gummie_id: agent });
    expect((await app.settled(body.interaction_id)).response).toContain("must not be called");
  });

  it("is checked when it is saved", async () => {
    const wrong = { metadata: { approvals: { tools: { write_file: "perhaps" } } } };
    const agent = await askingAgent(app);
    const refused = await app.call("kim", "PATCH", `/agents/${agent}`, wrong, { "x-auth-key": "user_kim" });
    expect([refused.status, refused.body.error.param]).toEqual([400, "metadata.approvals.tools.write_file"]);
  });
});
