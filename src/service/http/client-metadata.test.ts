import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type TestService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ work: false, empty: true });
});
afterAll(() => service.stop());

const read = () => fetch(`${service.url}/mcp/oauth/client.json`);

it("sign-ins of MCP servers read without a key who this service is, where its address is https", async () => {
  expect((await read()).status).toBe(404);
  Object.assign(service.context, { publicUrl: "https://wheelhouse.example" });
  const answer = await read();
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(answer.headers.get("cache-control")).toBe("public, max-age=3600");
  expect(await answer.json()).toMatchObject({
    client_id: "https://wheelhouse.example/mcp/oauth/client.json",
    redirect_uris: ["https://wheelhouse.example/mcp/oauth/callback"],
    application_type: "web",
    token_endpoint_auth_method: "none",
  });
});
