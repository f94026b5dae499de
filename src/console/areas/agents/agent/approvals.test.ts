import { describe, expect, it } from "vitest";
import { floorOf, modeByServer, readApprovals, readLapse, unitOf, withMode } from "./approvals.ts";

describe("how calls of tools are approved", () => {
  it("is read with what is not set left to the service, and not at all where a form would lose something", () => {
    expect(readApprovals(undefined)).toEqual({ tools: {}, who: "person", people: [], lapseS: null });
    expect(readApprovals({ tools: { a: "ask", b: null }, lapse_s: 60 })).toEqual({
      ...{ tools: { a: "ask" }, who: "person", people: [], lapseS: 60 },
    });
    for (const odd of [7, { tools: { a: "sometimes" } }, { who: "everybody" }, { people: [1] }])
      expect(readApprovals(odd)).toBeNull();
  });

  it("writes down only what a tool's server does not say anyway, and keeps what it does not know", () => {
    const asks = { server_id: "mail", type: "mcp_server", approval_mode: "all" };
    expect(modeByServer(asks)).toBe("ask");
    expect(modeByServer({ type: "write_file" })).toBe("run");
    expect(withMode({ odd: 1 }, "mail__send", "never", "ask")).toEqual({
      ...{ odd: 1, tools: { mail__send: "never" } },
    });
    expect(withMode({ odd: 1, tools: { mail__send: "never" } }, "mail__send", "ask", "ask")).toEqual({
      odd: 1,
    });
  });

  it("cannot go below the strictest floor that fits, whatever the pattern has in it", () => {
    const floors = [
      { tools: "mail__*", at_least: "ask", team_id: null },
      { tools: "*__delete*all", at_least: "never", team_id: "team_harbor" },
      { tools: "a.c", at_least: "ask", team_id: null },
      null,
    ];
    expect(floorOf("mail__send", floors)).toEqual({ mode: "ask", teamId: null });
    expect(floorOf("mail__delete_them_all", floors)).toEqual({ mode: "never", teamId: "team_harbor" });
    expect(floorOf("drive__delete_some", floors)).toBeNull();
    expect(floorOf("abc", floors)).toBeNull();
    expect(floorOf("x__delete_all_all", floors)).toEqual({ mode: "never", teamId: "team_harbor" });
    expect(floorOf("any", [{ tools: "*", at_least: "twice", team_id: null }])).toMatchObject({
      mode: "never",
    });
  });

  it("lapses after a time that is typed in minutes, hours or days, within the limits", () => {
    expect(unitOf(604_800)).toBe("days");
    expect(unitOf(7_200)).toBe("hours");
    expect(unitOf(90)).toBe("minutes");
    expect(readLapse("1,5", "hours")).toEqual({ ok: true, value: 5_400 });
    expect(readLapse("", "days")).toEqual({ ok: true, value: undefined });
    for (const [text, unit] of [
      ["0", "minutes"],
      ["31", "days"],
      ["soon", "days"],
    ] as const)
      expect(readLapse(text, unit)).toEqual({ ok: false });
  });
});
