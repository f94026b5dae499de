import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { someDraft } from "../../../../testing/agent-drafts.ts";
import { isObject, type JsonObject } from "../../../lib/json/json-value.ts";
import { type AgentDraft, blankDraft, changedFields, draftOf, patchOf, unreadFields } from "./agent-draft.ts";

const base: AgentDraft = {
  ...blankDraft,
  name: "Claims",
  tools: [{ type: "flow", saved_item_id: "f" }],
  metadata: { preferences: { max_steps: 5, temperature: 1 }, chat: { starter_prompts: ["x"] }, odd: null },
};

describe("what a save sends", () => {
  it("is only what differs: lists whole, metadata by key, a removed key as null, and the version", () => {
    const mine: AgentDraft = {
      ...base,
      description: "New",
      tools: [...base.tools, { type: "mcp_server", server_id: "s" }],
      metadata: { preferences: { max_steps: 9 }, chat: { starter_prompts: ["x"] } },
    };
    expect(patchOf(base, mine, 14)).toEqual({
      version: 14,
      description: "New",
      tools: [
        { type: "flow", saved_item_id: "f" },
        { type: "mcp_server", server_id: "s" },
      ],
      metadata: { preferences: { max_steps: 9, temperature: null } },
    });
    expect(changedFields(base, mine)).toEqual(["description", "tools", "metadata.preferences"]);
  });

  it("is nothing where nothing differs for the service: empty text for none, null for an absent key", () => {
    const mine = {
      ...base,
      description: "",
      metadata: { ...base.metadata, preferences: { max_steps: 5, temperature: 1, more: null } },
    };
    expect(patchOf(base, { ...mine, metadata: { ...base.metadata, odd: undefined } })).toEqual({});
    expect(changedFields(base, { ...base, description: "" })).toEqual([]);
    const before = { ...base, metadata: { preferences: { a: null, b: 1 } } };
    expect(patchOf(before, { ...before, metadata: { preferences: { b: 1 } } })).toEqual({});
  });

  it("makes the base into mine where a service merges as §4.14 says", () => {
    fc.assert(
      fc.property(someDraft, someDraft, (before, after) => {
        const patch = patchOf(before, after);
        const saved = { ...before, ...patch, metadata: applied(before.metadata, patch.metadata ?? {}) };
        if (after.model_name === null) saved.model_name = null;
        expect(patchOf(draftOf(saved), after)).toEqual({});
      }),
    );
  });
});

describe("an agent as it came", () => {
  it("is read as far as it can be, and what could not be read whole is named", () => {
    const agent = { name: 7, description: null, model_name: "m", tools: [{ type: "x" }, 5], metadata: [] };
    expect(draftOf(agent)).toEqual({ ...blankDraft, model_name: "m", tools: [{ type: "x" }] });
    expect(unreadFields(agent)).toEqual(["name", "system_prompt", "tools", "resources", "metadata"]);
    expect(unreadFields({ ...base })).toEqual([]);
  });
});

/** What §4.14 does with metadata, written down once more. */
function applied(current: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(current));
  for (const [key, value] of Object.entries(change)) {
    const before = merged.get(key);
    merged.set(key, isObject(before) && isObject(value) ? applied(before, value) : value);
  }
  return Object.fromEntries(merged);
}
