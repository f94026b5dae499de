import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { someDraft } from "../../../../testing/agent-drafts.ts";
import { type AgentDraft, blankDraft, changedFields, sameDraft } from "./agent-draft.ts";
import { diffAgents } from "./compare.ts";

const base: AgentDraft = {
  ...blankDraft,
  name: "Claims",
  tools: [
    { type: "mcp_server", server_id: "drive", approval_mode: "off" },
    { type: "flow", saved_item_id: "f" },
    { type: "odd" },
  ],
  metadata: { preferences: { max_steps: 5, deep: { a: 1 } }, chat: { starter_prompts: ["x"] } },
};

describe("the comparison of two versions", () => {
  it("names fields, tools by what they are, and keys of metadata", () => {
    const after: AgentDraft = {
      ...base,
      name: "Claims desk",
      description: "New",
      tools: [
        { type: "flow", saved_item_id: "f" },
        { type: "mcp_server", server_id: "drive", approval_mode: "all" },
        { type: "mcp_server", server_id: "new" },
      ],
      metadata: { preferences: { max_steps: 5, deep: { a: 2 } }, own: 1 },
    };
    expect(diffAgents(base, after)).toEqual([
      { form: "value", field: "name", before: "Claims", after: "Claims desk" },
      { form: "text", field: "description", before: "", after: "New" },
      {
        form: "list",
        field: "tools",
        same: 1,
        isReordered: true,
        items: [
          {
            identity: "server drive",
            kind: "changed",
            item: after.tools[1],
            changes: [{ path: ["approval_mode"], before: "off", after: "all" }],
          },
          { identity: "server new", kind: "added", item: after.tools[2], changes: [] },
          { identity: 'raw {"type":"odd"}', kind: "removed", item: { type: "odd" }, changes: [] },
        ],
      },
      {
        form: "section",
        field: "metadata.preferences",
        changes: [{ path: ["deep", "a"], before: 1, after: 2 }],
      },
      {
        form: "section",
        field: "metadata.chat",
        changes: [{ path: [], before: { starter_prompts: ["x"] }, after: undefined }],
      },
      {
        form: "section",
        field: "metadata.own",
        changes: [{ path: [], before: undefined, after: 1 }],
      },
    ]);
  });

  it("says nothing of what is the same, and something of all that a save would change", () => {
    fc.assert(
      fc.property(someDraft, someDraft, (before, after) => {
        expect(diffAgents(before, before)).toEqual([]);
        const named = diffAgents(before, after).map(({ field }) => field);
        for (const field of changedFields(before, after)) expect(named).toContain(field);
        if (named.length === 0) {
          expect(
            sameDraft(
              { ...before, description: null, system_prompt: null },
              { ...after, description: null, system_prompt: null },
            ),
          ).toBe(true);
        }
      }),
    );
  });
});
