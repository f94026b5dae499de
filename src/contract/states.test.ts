import { describe, expect, it } from "vitest";
import * as areaStates from "./area-states.ts";
import { runCan } from "./state-actions.ts";
import * as states from "./states.ts";
import { describeState, isTerminal, type Machine } from "./states.ts";

const machines: Record<string, [Machine, readonly string[]]> = {
  "a run (§3.2)": [
    states.runStates,
    ["QUEUED", "STARTED", "RUNNING", "TERMINATING", "TERMINATED", "FAILED", "DONE"],
  ],
  "an interaction (§3.1)": [states.interactionStates, ["ASYNC_PROCESSING", "COMPLETED", "FAILED"]],
  "a session": [
    states.sessionStates,
    ["idle", "queued", "processing", "approval_required", "completed", "failed", "stopped"],
  ],
  "a knowledge source (§3.3)": [areaStates.sourceStates, ["draft", "active", "paused"]],
  "an MCP connection (§3.5)": [areaStates.connectionStates, ["connected", "unauthenticated", "blocked"]],
  "a grade (§2.7)": [areaStates.gradeStates, ["pass", "needs_review", "needs_attention"]],
  "a criterion's result": [areaStates.criterionStates, ["success", "failure", "unknown"]],
  "a tool call": [areaStates.toolCallStates, ["running", "approval_required", "completed", "failed"]],
  "what an agent asked": [
    areaStates.inboxStates,
    ["waiting", "approved", "refused", "lapsed", "withdrawn", "tool_changed"],
  ],
};

describe.each(Object.entries(machines))("the states of %s", (_name, [machine, known]) => {
  it("are all there, and no others", () => {
    expect(Object.keys(machine).sort()).toEqual([...known].sort());
  });

  it("have a word and a title each", () => {
    for (const raw of known) {
      const shown = describeState(machine, raw);
      expect(shown.known).toBe(true);
      expect(shown.word).toMatch(/^[a-z ]+$/);
      expect(shown.title).toMatch(/^[A-Z][a-z ]+$/);
    }
  });

  it("show any other value as it came, keep polling and allow nothing", () => {
    for (const raw of ["SOMETHING_NEW", "constructor", "__proto__", "toString"]) {
      expect(describeState(machine, raw)).toEqual({
        tone: "unknown",
        word: raw,
        title: raw,
        terminal: false,
        actions: [],
        known: false,
      });
    }
  });

  it("bear nothing at all", () => {
    for (const raw of [null, undefined, ""]) expect(describeState(machine, raw).word).toBe("unknown");
  });
});

describe("a person looking at a run", () => {
  it("may kill it until it ends or is stopping", () => {
    const killable = Object.keys(states.runStates).filter((state) => runCan(state, "kill"));
    expect(killable).toEqual(["QUEUED", "STARTED", "RUNNING"]);
    expect(runCan("SOMETHING_NEW", "kill")).toBe(false);
  });

  it("sees it polled until DONE, FAILED or TERMINATED", () => {
    const ends = Object.keys(states.runStates).filter((state) => isTerminal(states.runStates, state));
    expect(ends.sort()).toEqual(["DONE", "FAILED", "TERMINATED"]);
  });

  it("tells stopping from stopped", () => {
    expect(describeState(states.runStates, "TERMINATING").tone).toBe("stopping");
    expect(describeState(states.runStates, "TERMINATED").tone).toBe("stopped");
  });
});
