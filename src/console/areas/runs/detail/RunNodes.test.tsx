import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { getRunNode, listRunNodeItems, listRunNodes, type RunNode } from "../../../../contract/run-nodes.ts";
import { aRun } from "../../../../testing/builders.ts";
import { mockServicePerTest } from "../../../../testing/msw-suite.ts";
import { renderConsole } from "../../../../testing/render-console.tsx";
import { aRunNode, endedProgress } from "../../../../testing/run-nodes.ts";

const service = mockServicePerTest();

const known = (value: unknown) => ({
  ...{ known: true, reason: null, value, size: JSON.stringify(value).length, beginning: null },
});

const nodes = [
  aRunNode({ id: "Name", type: "input" }),
  aRunNode({
    id: "Ask",
    type: "agent",
    state: "waiting",
    needs: [{ node: "Name", branch: null }],
    waits: [
      {
        kind: "agent_turn",
        until: null,
        run_id: null,
        interaction_id: "int_1",
        agent_id: "agent_clerk",
        item: null,
      },
    ],
    waits_count: 1,
  }),
  aRunNode({ id: "Later", state: "pending", tries: 0, needs: [{ node: "Ask", branch: null }] }),
];

function aRunWith(of: readonly RunNode[]) {
  service().state.runs = [
    aRun({
      state: "RUNNING",
      log: ["2026-11-20T08:15:00.010Z [Name] started", "2026-11-20T08:15:00.020Z [Ask] started"],
    }),
  ];
  service().override(listRunNodes, { run_id: "run_hello", state: "RUNNING", readable: true, nodes: [...of] });
  service().override(getRunNode, {
    inputs: known({ message: "Hello" }),
    output: { known: false, reason: "Ask has not ended", value: null, size: null, beginning: null },
  });
}

describe("the nodes of a run, as the service tells them", () => {
  it("stand in the list and in the picture, with what they wait for, also where they have no lines", async () => {
    aRunWith(nodes);
    renderConsole("/runs/run_hello");
    const list = within(await screen.findByRole("region", { name: "Nodes" }));
    await list.findByText("1 of 3 done");
    expect(list.getByRole("button", { name: /Ask.*waits for an agent/ })).toBeInTheDocument();
    expect(list.getByRole("button", { name: /Later/ })).toBeInTheDocument();
    const picture = within(screen.getByRole("navigation", { name: "Flow" }));
    expect(picture.getAllByRole("link").map((link) => link.title)).toEqual(["Name", "Ask", "Later"]);
    expect(picture.getByRole("link", { name: /waiting for its turn.*Later/ })).toBeInTheDocument();
  });

  it("open from the list and by their address: inputs, output, and the conversation that they wait for", async () => {
    aRunWith(nodes);
    const { user, router } = renderConsole("/runs/run_hello");
    const list = within(await screen.findByRole("region", { name: "Nodes" }));
    await user.click(await list.findByRole("button", { name: /Ask.*waits/ }));
    await waitFor(() => expect(router.state.location.search).toMatchObject({ node: "Ask" }));
    const node = within(await screen.findByRole("region", { name: "Node Ask" }));
    expect(node.getByRole("link", { name: "the conversation" })).toHaveAttribute(
      "href",
      "/agents/agent_clerk/conversations/int_1",
    );
    await node.findByText("Not known: Ask has not ended.");
    expect(node.getByRole("region", { name: "Inputs of Ask" })).toHaveTextContent("Hello");
    await user.click(node.getByRole("link", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("region", { name: "Node Ask" })).toBeNull());
  });

  it("show the items of a list, each with its values, and only those that failed where that is asked for", async () => {
    aRunWith([aRunNode({ id: "Ships", type: "each", state: "failed", items: { done: 1, total: 2 } })]);
    service().override(listRunNodeItems, ({ query }) => ({
      items: [
        { index: 0, ...endedProgress, state: "done", preview: '"Aurora"' },
        { index: 1, ...endedProgress, state: "failed", error: "no answer", preview: '"Borealis"' },
      ].filter(({ state }) => query.state === undefined || query.state.split(",").includes(state)),
      next_cursor: null,
    }));
    const { user } = renderConsole("/runs/run_hello?node=Ships");
    const items = within(await screen.findByRole("region", { name: "Items of Ships" }));
    await items.findByRole("button", { name: /Aurora/ });
    await user.click(items.getByRole("radio", { name: "Failed" }));
    await waitFor(() => expect(items.queryByRole("button", { name: /Aurora/ })).toBeNull());
    await user.click(items.getByRole("button", { name: /Borealis/ }));
    await items.findByText("no answer");
    await waitFor(() =>
      expect(service().requests.some(({ url }) => url.searchParams.get("item") === "1")).toBe(true),
    );
  });

  it("are in sight around the first that failed, however many came before it", async () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      aRunNode({ id: `Step ${n}`, ...endedProgress, state: n === 50 ? "failed" : "done" }),
    );
    aRunWith(many);
    service().state.runs = [aRun({ state: "FAILED" })];
    vi.spyOn(HTMLElement.prototype, "offsetTop", "get").mockImplementation(function (this: HTMLElement) {
      return Array.from(this.parentElement?.children ?? []).indexOf(this) * 22;
    });
    renderConsole("/runs/run_hello");
    const list = await screen.findByRole("region", { name: "Nodes" });
    await within(list).findByRole("button", { name: /Step 50/ });
    await waitFor(() => expect(list.querySelector("[data-rows]")?.scrollTop).toBe(1_100));
  });

  it("say of a node that the flow does not have that there is none", async () => {
    aRunWith(nodes);
    renderConsole("/runs/run_hello?node=Nowhere");
    const node = within(await screen.findByRole("region", { name: "Node Nowhere" }));
    expect(node.getByText("The flow of this run has no such node.")).toBeInTheDocument();
  });
});
