import { describe, expect, it } from "vitest";
import {
  givenOf,
  hasBuiltin,
  hasServerTool,
  toggleBuiltin,
  toggleFlow,
  toggleServer,
  toggleServerTool,
} from "./selection.ts";

const almanac = { type: "gumcp_server", server_id: "almanac", approval_mode: "all" };
const server = { id: "almanac", type: "gumcp_server" };
const flow = { type: "flow", saved_item_id: "flow_a" };
const odd = { type: "crystal_ball", id: "x" };
const ids = ["almanac__a", "almanac__b", "almanac__c"];

describe("picking the tools of an agent", () => {
  it("gives a built-in tool in the service's own form, and takes it away again", () => {
    const given = toggleBuiltin({ base: [], mine: [odd] }, "write_file");
    expect(given).toEqual([odd, { type: "write_file" }]);
    expect(toggleBuiltin({ base: [], mine: given }, "write_file")).toEqual([odd]);
  });

  it("brings back what was there as it was, at its place", () => {
    const search = { type: "search_knowledge", source_ids: ["source_law"] };
    const base = [search, almanac, flow];
    for (const gone of [
      toggleBuiltin({ base, mine: base }, "search_knowledge"),
      toggleServer({ base, mine: base }, server),
      toggleFlow({ base, mine: base }, "flow_a"),
    ]) {
      expect(gone).toHaveLength(2);
    }
    const without = toggleBuiltin({ base, mine: base }, "search_knowledge");
    expect(hasBuiltin({ base, mine: without }, "search_knowledge")).toBe(false);
    expect(toggleBuiltin({ base, mine: without }, "search_knowledge")).toEqual(base);
  });

  it("takes one tool from all of a server, and the server with its last one", () => {
    const base = [almanac];
    const two = toggleServerTool({ base, mine: base }, server, "almanac__b", ids);
    expect(two).toEqual([{ ...almanac, allowed_tool_call_ids: ["almanac__a", "almanac__c"] }]);
    const one = toggleServerTool({ base, mine: two }, server, "almanac__a", ids);
    expect(toggleServerTool({ base, mine: one }, server, "almanac__c", ids)).toEqual([]);
  });

  it("gives one tool of a server that is not given, and all of it where some are", () => {
    const none = { base: [], mine: [] };
    const one = toggleServerTool(none, server, "almanac__a", ids);
    expect(one).toEqual([
      { type: "gumcp_server", server_id: "almanac", allowed_tool_call_ids: ["almanac__a"] },
    ]);
    const picked = { base: [], mine: one };
    expect(givenOf(picked, "almanac")).toBe("some");
    expect(hasServerTool(picked, "almanac", "almanac__b")).toBe(false);
    expect(toggleServer(picked, server)).toEqual([{ type: "gumcp_server", server_id: "almanac" }]);
  });

  it("gives all of a server that was given in part and taken away whole", () => {
    const base = [{ ...almanac, allowed_tool_call_ids: ["almanac__a"] }];
    const all = toggleServer({ base, mine: [] }, server);
    expect(all).toEqual([almanac]);
  });

  it("keeps what an entry says beside its tools", () => {
    const team = { ...almanac, credentials: "team" };
    const next = toggleServerTool({ base: [team], mine: [team] }, server, "almanac__a", ids);
    expect(next).toEqual([{ ...team, allowed_tool_call_ids: ["almanac__b", "almanac__c"] }]);
  });
});
