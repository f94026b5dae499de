import { describe, expect, it } from "vitest";
import { compareAnswer, droppedKeys } from "./compare.ts";

describe("what came back against what was sent", () => {
  const tools = [
    { type: "mcp_server", server_id: "s", approval_mode: "ask" },
    { type: "odd", x: 1 },
  ];

  it("is silent where all was kept, whatever else the agent has", () => {
    const sent = {
      version: 3,
      name: "N",
      description: null,
      tools,
      metadata: { chat: { a: [1] }, gone: null },
    };
    expect(
      compareAnswer(sent, {
        ...sent,
        version: 4,
        description: "",
        metadata: { chat: { a: [1], b: 2 } },
        id: "x",
      }),
    ).toEqual([]);
  });

  it("names dropped keys, other values and what the service put in", () => {
    const found = compareAnswer(
      { name: "N", tools, metadata: { preferences: { max_steps: 9, colour: "red" }, nonsense: { a: 1 } } },
      {
        name: "n",
        tools: [{ type: "mcp_server", server_id: "s", approval_mode: "all", credentials: "personal" }],
        metadata: { preferences: { max_steps: 9 } },
      },
    );
    expect(found.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      "changed name",
      "changed tools[server s].approval_mode",
      "added tools[server s].credentials",
      'dropped tools[raw {"type":"odd","x":1}]',
      "dropped metadata.preferences.colour",
      "dropped metadata.nonsense",
    ]);
    expect(droppedKeys(found)).toHaveLength(3);
  });

  it("C-01: lives with an answer that is no agent", () => {
    for (const answer of [null, 5, [], { tools: "x", metadata: 7 }]) {
      expect(compareAnswer({ tools, metadata: { chat: {} } }, answer).length).toBeGreaterThan(0);
    }
  });
});
