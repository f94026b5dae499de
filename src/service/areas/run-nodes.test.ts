import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Output } from "../../contract/define.ts";
import type { getRunNode, listRunNodeItems, listRunNodes } from "../../contract/run-nodes.ts";
import { startService, type TestService } from "../../testing/service.ts";
import { until } from "../../testing/until.ts";
import { toJson } from "../store/json.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
  await addFlow("flow_inner", [
    { id: "n", node: { type: "input" } },
    {
      id: "even",
      node: {
        type: "code",
        source: "if (inputs.n === 7) throw new Error('seven'); return inputs.n",
        inputs: { n: "{{ n.value }}" },
      },
    },
    { id: "out", node: { type: "output", value: "{{ even.value }}" } },
  ]);
  await addFlow("flow_list", [
    {
      id: "list",
      node: {
        type: "code",
        source: "return Array.from({ length: inputs.n }, (_, i) => i)",
        inputs: { n: "{{ count.value }}" },
      },
    },
    { id: "count", node: { type: "input", default: 3 } },
    {
      id: "ships",
      node: {
        type: "each",
        items: "{{ list.value }}",
        concurrency: 1,
        do: { type: "flow", flow: "flow_inner", inputs: { n: "{{ item }}" } },
      },
    },
    { id: "out", node: { type: "output", value: "{{ ships.count }}" } },
  ]);
  await addFlow("flow_ticks", [
    { id: "length", node: { type: "input", default: "600" } },
    { id: "wait", node: { type: "delay", seconds: "{{ length.value }}", log_every: 1 } },
  ]);
  await addFlow("flow_large", [
    { id: "big", node: { type: "code", source: "return 'x'.repeat(100000)" } },
    { id: "small", node: { type: "template", text: "{{ big.value | size }}" } },
    { id: "wait", node: { type: "delay", seconds: 600, after: ["small"] } },
    {
      id: "call",
      node: {
        type: "http",
        url: "https://ada:pw@example.com/a?key=hidden",
        headers: { authorization: "Bearer hidden" },
        after: ["wait"],
      },
    },
  ]);
});
afterAll(() => service.stop());

async function addFlow(id: string, nodes: object[]): Promise<void> {
  const row = { id, user_id: "user_ada", team_id: null, name: id, definition: toJson({ nodes }) };
  await service.context.store.db
    .insertInto("saved_items")
    .values({ ...row, removed_at: null })
    .execute();
}

async function start(flow: string, body: object = {}): Promise<string> {
  const answer = await service.call(
    service.keys.ada,
    "POST",
    `/start_pipeline?saved_item_id=${flow}&user_id=user_ada`,
    body,
  );
  return ((await answer.json()) as { run_id: string }).run_id;
}

async function read<T>(path: string): Promise<T> {
  const answer = await service.call(service.keys.ada, "GET", path);
  expect(answer.status).toBe(200);
  return (await answer.json()) as T;
}

type Nodes = Output<typeof listRunNodes>;
type Node = Output<typeof getRunNode>;
type Items = Output<typeof listRunNodeItems>;

const nodesOf = (id: string) => read<Nodes>(`/runs/${id}/nodes`);
async function ended(id: string): Promise<Nodes> {
  let last: Nodes | null = null;
  await until(`the end of ${id}`, async () => {
    last = await nodesOf(id);
    return last.state === "DONE" || last.state === "FAILED";
  });
  if (last === null) throw new Error("nothing was read");
  return last;
}

describe("The nodes of a run", () => {
  test("of each: counts, items in pages with the run of each, and which item failed", async () => {
    const id = await start("flow_list", { count: 10 });
    const { nodes, state } = await ended(id);
    expect(state).toBe("FAILED");
    const ships = nodes.find((node) => node.id === "ships");
    expect(ships).toMatchObject({
      state: "failed",
      items: { done: 7, total: 10 },
      needs: [{ node: "list", branch: null }],
    });
    expect(ships?.error).toContain("seven");
    expect(nodes.find((node) => node.id === "out")?.state).toBe("not_run");

    const first = await read<Items>(`/runs/${id}/nodes/ships/items?page_size=6`);
    expect(first.items.map(({ index, state }) => [index, state])).toEqual(
      [0, 1, 2, 3, 4, 5].map((index) => [index, "done"]),
    );
    const rest = await read<Items>(`/runs/${id}/nodes/ships/items?page_size=6&cursor=${first.next_cursor}`);
    expect(rest.items.map(({ index, state }) => [index, state])).toEqual([
      [6, "done"],
      [7, "failed"],
      [8, "not_run"],
      [9, "not_run"],
    ]);
    expect(rest.next_cursor).toBeNull();
    expect(rest.items[1]).toMatchObject({
      preview: "7",
      run_id: expect.stringMatching(/^run_/),
      error: expect.stringContaining("seven"),
    });
    const failed = await read<Items>(`/runs/${id}/nodes/ships/items?state=failed`);
    expect(failed.items.map(({ index }) => index)).toEqual([7]);

    const item = await read<Node>(`/runs/${id}/nodes/ships?item=4`);
    expect(item.inputs.value).toEqual({ flow: "flow_inner", inputs: { n: 4 } });
    expect(item.output).toMatchObject({ known: true, value: { out: 4 } });
    const other = await service.call(service.keys.ada, "GET", `/runs/${id}/nodes/ships?item=10`);
    expect(other.status).toBe(404);
  });

  test("a poll that brings nothing new is 304; a large output is cut, and whole where it is asked for; secrets stay out", async () => {
    const id = await start("flow_large");
    await until("the wait", async () => (await nodesOf(id)).nodes.some((node) => node.state === "waiting"));
    const answer = await service.call(service.keys.ada, "GET", `/runs/${id}/nodes`);
    const etag = answer.headers.get("etag") ?? "";
    const again = await service.call(service.keys.ada, "GET", `/runs/${id}/nodes`, undefined, {
      "if-none-match": etag,
    });
    expect(again.status).toBe(304);
    const { nodes } = (await answer.json()) as Nodes;
    expect(nodes.map(({ id: node, state }) => [node, state])).toEqual([
      ["big", "done"],
      ["small", "done"],
      ["wait", "waiting"],
      ["call", "pending"],
    ]);
    expect(nodes[2]?.waits).toMatchObject([{ kind: "pause", until: expect.stringMatching(/Z$/) }]);

    const cut = await read<Node>(`/runs/${id}/nodes/big`);
    expect(cut.output).toMatchObject({ known: true, value: null, size: 100_012 });
    expect(cut.output.beginning).toHaveLength(65_536);
    const whole = await read<Node>(`/runs/${id}/nodes/big?whole=true`);
    expect(whole.output).toMatchObject({ value: { value: "x".repeat(100_000) }, beginning: null });
    const pending = await read<Node>(`/runs/${id}/nodes/call`);
    expect(pending.inputs.value).toEqual({
      url: "https://example.com/a?…",
      method: "GET",
      allow_errors: false,
    });
    expect(pending.output).toMatchObject({ known: false, reason: "call has not ended" });
  });

  test("a delay says when it is over, not when it writes its next line", async () => {
    const id = await start("flow_ticks");
    const delayed = async () => (await nodesOf(id)).nodes.find((node) => node.id === "wait");
    await until("the wait", async () => (await delayed())?.state === "waiting");
    const { began_at, waits } = (await delayed()) ?? {};
    expect(waits).toMatchObject([{ kind: "pause", until: expect.any(String) }]);
    expect(Date.parse(waits?.[0]?.until ?? "") - Date.parse(began_at ?? "")).toBe(600_000);
  });
});
