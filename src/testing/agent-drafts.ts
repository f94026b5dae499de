import fc from "fast-check";
import type { AgentDraft } from "../console/areas/agents/agent/agent-draft.ts";

const word = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "", "é");
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null), fc.array(word, { maxLength: 3 }));

/** Any small JSON value, with keys that mean something to JavaScript. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(word, tie("value"), { maxKeys: 3 }),
  ),
})).value;

const lines = fc.array(fc.constantFrom("one", "two", "three", "four", "", "constructor"), { maxLength: 8 });
const text = fc.option(lines.map((list) => list.join("\n")));
const ids = fc.constantFrom("s1", "s2", "s3");
const tool = fc.oneof(
  fc.record(
    {
      type: fc.constantFrom("mcp_server", "gumcp_server"),
      server_id: ids,
      approval_mode: fc.constantFrom("off", "all"),
      allowed_tool_call_ids: fc.option(fc.subarray(["s1__a", "s1__b", "s1__c"])),
    },
    { requiredKeys: ["type", "server_id"] },
  ),
  fc.record({ type: fc.constant("flow"), saved_item_id: ids }),
  fc.dictionary(word, leaf, { maxKeys: 3 }),
);

/** Drafts that are alike enough to meet: few lines, few tools, few sections. */
export const someDraft: fc.Arbitrary<AgentDraft> = fc.record({
  name: fc.constantFrom("One", "Two", "Three"),
  description: text,
  model_name: fc.option(fc.constantFrom("local/a", "local/b")),
  system_prompt: text,
  tools: fc.array(tool, { maxLength: 5 }),
  resources: fc.array(fc.dictionary(word, leaf, { maxKeys: 2 }), { maxLength: 3 }),
  metadata: fc.dictionary(fc.constantFrom("preferences", "chat", "odd", "constructor"), anyJson, {
    maxKeys: 4,
  }),
});
