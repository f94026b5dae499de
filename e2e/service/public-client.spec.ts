import { GumloopClient } from "gumloop";
import { runEnds, startRun } from "../runs.ts";
import { keys } from "../service.ts";
import { expect, test } from "../starting.ts";

/** The public client with its base address set to ours; it offers no option for that. */
function publicClient(baseURL: string): GumloopClient {
  const client = new GumloopClient({ apiKey: keys.ada, userId: "user_ada" });
  Object.assign(Reflect.get(client, "api").defaults, { baseURL });
  return client;
}

test("the public JavaScript client runs a flow and reads its output", async ({ start }) => {
  const service = await start();
  const client = publicClient(`${service.url}/api/v1`);
  const outputs = await client.runFlow("flow_hello", { name: "Ada" }, 50, 120_000);
  expect(outputs).toEqual({ greeting: expect.stringContaining("Ada") });
});

test("the public JavaScript client is told when a flow fails", async ({ start }) => {
  const service = await start();
  const client = publicClient(`${service.url}/api/v1`);
  await expect(client.runFlow("flow_broken", {}, 50, 120_000)).rejects.toThrow(/execution failed/);
});

test("the public JavaScript client reads the state and log of a run that something else started", async ({
  start,
}) => {
  const service = await start();
  const id = await startRun(service, "flow_hello", { name: "Grace" });
  await runEnds(service, id);
  const status = await publicClient(`${service.url}/api/v1`).getRunStatus(id);
  expect(status.state).toBe("DONE");
  expect(status.log?.length).toBeGreaterThan(0);
});
