import { describe, expect, it } from "vitest";
import { toolLines, withAllowed, withApproval, withSources, withTool } from "./tools.ts";

const almanac = { type: "mcp_server", server_id: "almanac" };
const flow = { type: "flow", saved_item_id: "flow_a" };
const odd = { type: "crystal_ball", id: "x", depth: 3 };

describe("the tools of a draft", () => {
  it("say what was added, edited and taken out, each at its place", () => {
    const lines = toolLines(
      [almanac, flow, odd],
      [{ ...almanac, approval_mode: "all" }, odd, { type: "new" }],
    );
    expect(lines.map(({ tool, mark }) => [tool.type, mark])).toEqual([
      ["mcp_server", "edited"],
      ["flow", "removed"],
      ["crystal_ball", null],
      ["new", "added"],
    ]);
  });

  it("come back to where they stood", () => {
    const base = [almanac, flow, odd];
    const gone = withTool(base, base, "flow flow_a", null);
    expect(gone).toEqual([almanac, odd]);
    expect(withTool(base, gone, "flow flow_a", flow)).toEqual(base);
  });

  it("keep what they say beside the known fields", () => {
    const strange = { ...almanac, depth: 3 };
    expect(withApproval(strange, strange, "all")).toEqual({ ...strange, approval_mode: "all" });
  });

  it("are unedited again after a change and its way back, however the service wrote it", () => {
    for (const was of [almanac, { ...almanac, approval_mode: "off", allowed_tool_call_ids: null }]) {
      const there = withAllowed(withApproval(was, was, "all"), was, ["almanac__a"]);
      expect(withAllowed(withApproval(there, was, "off"), was, null)).toEqual(was);
    }
    const search = { type: "search_knowledge", source_ids: ["b", "a"] };
    expect(withSources(withSources(search, search, null), search, ["a", "b"])).toEqual(search);
    const all = { type: "search_knowledge" };
    expect(withSources(withSources(all, all, ["a"]), all, null)).toEqual(all);
    const chosen = { ...almanac, allowed_tool_call_ids: ["almanac__b", "almanac__a"] };
    expect(withAllowed(chosen, chosen, ["almanac__a", "almanac__b"])).toEqual(chosen);
  });
});
