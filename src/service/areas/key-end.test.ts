import { afterAll, beforeAll, expect, test } from "vitest";
import { adminCalls } from "../../testing/admin-calls.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false });
});
afterAll(() => service.stop());

const { call, newcomer, teamOf } = adminCalls(() => service);

test("S-366: no key outlives the one that made it, whoever it is for; people who are signed in make any", async () => {
  const { ada } = service.keys;
  const team_id = await teamOf("Lasting");
  const short = (await call(ada, "POST", "/admin/keys", { name: "ci", expires_in_days: 30 })).json.secret;
  for (const more of [{}, { expires_in_days: null }, { expires_in_days: 31 }, { team_id }]) {
    const answer = await call(short, "POST", "/admin/keys", { name: "for ever", ...more });
    expect({ ...more, status: answer.status, error: answer.error }).toEqual({
      ...{ ...more, status: 400, error: "invalid_parameter" },
    });
  }
  const shorter = await call(short, "POST", "/admin/keys", { name: "for a while", expires_in_days: 29 });
  expect(shorter.status).toBe(200);
  const last = await call(shorter.json.secret, "POST", "/admin/keys", { name: "more", expires_in_days: 30 });
  expect(last.status).toBe(400);
  // A session ends as well, but whoever has one has signed in.
  for (const secret of [ada, (await newcomer()).secret])
    expect((await call(secret, "POST", "/admin/keys", { name: "without end" })).status).toBe(200);
});
