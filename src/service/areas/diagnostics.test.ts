import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getDiagnostics } from "../../contract/diagnostics.ts";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ empty: true, work: false });
  await service.context.store.pool.query("update users set role = 'admin' where id = 'user_ada'");
});
afterAll(() => service.stop());

describe("GET /admin/diagnostics", () => {
  it("says of the running installation what was looked at, in the contract's form and without its secret", async () => {
    const answer = await service.call(service.keys.ada, "GET", "/admin/diagnostics");
    expect(answer.status).toBe(200);
    const body = await answer.json();
    const { findings, version } = getDiagnostics.response.parse(body);
    expect(version).toBe(service.context.config.version);
    const checks = findings.map(({ check }) => check);
    expect(checks).toEqual(
      expect.arrayContaining(["node", "data.folder", "secret", "files.folder", "database.reach"]),
    );
    expect(JSON.stringify(body)).not.toContain("a secret that only tests have");
  });

  it("is looked at once for all who ask meanwhile", async () => {
    const asked = [1, 2, 3].map(() => service.call(service.keys.ada, "GET", "/admin/diagnostics"));
    const bodies = await Promise.all((await Promise.all(asked)).map((answer) => answer.json()));
    expect(new Set(bodies.map(({ looked_at }) => looked_at)).size).toBe(1);
  });

  it("is for admins of the installation alone", async () => {
    const answer = await service.call(service.keys.grace, "GET", "/admin/diagnostics");
    expect(answer.status).toBe(403);
  });
});
