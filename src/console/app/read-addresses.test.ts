import { expect, test, vi } from "vitest";
import { readAddresses } from "./read-addresses.ts";
import * as reads from "./reads.ts";

test("what a page reads first is told by its addresses, with the parameters of its route left open", async () => {
  expect(await readAddresses("runs", [])).toEqual([
    "/runs?page_size=100",
    "/list_saved_items?user_id={user}",
  ]);
  expect(await readAddresses("conversation", ["agentId", "interactionId"])).toEqual([
    "/agents/{agentId}",
    "/sessions/{interactionId}",
  ]);
  expect(await readAddresses("overview", [])).toEqual(
    expect.arrayContaining([
      "/runs?page_size=100",
      "/mcp/servers",
      "/agents?sort_order=name_asc&page_size=100",
    ]),
  );
});

test("every page's reads begin without a browser, so that the build can ask them", async () => {
  const params = ["runId", "agentId", "interactionId", "artifactId", "sourceId", "itemId"];
  for (const page of Object.keys(reads)) await readAddresses(page, params);
  expect(await readAddresses("inbox", params)).toContain("/inbox/{itemId}");
});

test("what a run's reader will ask for in its worker is among them", async () => {
  expect(await readAddresses("run", ["runId"])).toEqual([
    "/runs/{runId}",
    "/get_pl_run?run_id={runId}&user_id={user}",
  ]);
});

test("what only a search would say is not among them", async () => {
  expect(await readAddresses("everywhere", [])).toEqual([]);
  expect(await readAddresses("comparedRuns", [])).toEqual([]);
  expect(await readAddresses(null, [])).toEqual([]);
});

test("a read that asks for nothing is no build", async () => {
  vi.resetModules();
  const start = { queryKey: ["nothing"], queryFn: async () => "nothing" };
  vi.doMock("./runs-reads.ts", () => ({ runs: (reader: reads.Reader) => reader.start(start) }));
  const { readAddresses } = await import("./read-addresses.ts");
  await expect(readAddresses("runs", [])).rejects.toThrow("A read of runs came to no request");
  vi.doUnmock("./runs-reads.ts");
});
