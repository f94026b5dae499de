import { afterAll, beforeAll, expect, it } from "vitest";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

it("S-26: the link to a source's file opens it as long as the person is in the team, and the key holds", async () => {
  const source = { name: "Tides", scope: "team", team_id: "team_red" };
  const { body } = await app.call("lee", "POST", "/brain/sources", source);
  const path = `/brain/sources/${body.source.id}`;
  const files = [
    { file_name: "tide.txt", file_content: Buffer.from("High water at six.").toString("base64") },
  ];
  expect((await app.call("lee", "POST", `${path}/files`, { files })).status).toBe(200);
  const linkOf = async (key: "kim" | "lee") => (await app.call(key, "GET", path)).body.source.files[0].url;
  const [kims, lees] = [await linkOf("kim"), await linkOf("lee")];
  const open = async (link: string) => {
    const answer = await fetch(link);
    return answer.status === 200 ? await answer.text() : answer.status;
  };
  expect([await open(kims), await open(lees)]).toEqual(["High water at six.", "High water at six."]);
  const { pool } = app.context.store;
  await pool.query("delete from team_members where team_id = 'team_red' and user_id = 'user_kim'");
  expect([await open(kims), await open(lees)]).toEqual([404, "High water at six."]);
  await pool.query("insert into team_members (team_id, user_id) values ('team_red', 'user_kim')");
  await pool.query("update credentials set revoked_at = now() where user_id = 'user_lee'");
  expect([await open(kims), await open(lees)]).toEqual(["High water at six.", 404]);
});
