import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { capabilities } from "../../contract/console.ts";
import { type AgentService, startAgentService } from "../../testing/agents.ts";

let app: AgentService;
beforeAll(async () => {
  app = await startAgentService({ work: false });
});
afterAll(() => app.stop());

describe("GET /models", () => {
  it("lists what is connected, the built-in model last", async () => {
    const { body } = await app.call("kim", "GET", "/models");
    const values = body.model_groups.flatMap(({ options }: { options: { value: string }[] }) =>
      options.map(({ value }) => value),
    );
    expect(values).toEqual(["local/fake", "builtin/offline"]);
  });
});

describe("GET /capabilities", () => {
  it("names every extension that the contract knows, also those that are parts of other endpoints", async () => {
    const { body } = await app.call("kim", "GET", "/capabilities");
    expect(body.extensions).toEqual([...capabilities]);
  });
});
