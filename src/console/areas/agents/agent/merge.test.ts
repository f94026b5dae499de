import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyJson, someDraft } from "../../../../testing/agent-drafts.ts";
import { carryChoices, conflictsOf, openConflicts, resolve } from "../../../lib/merge/merge-record.ts";
import {
  type AgentDraft,
  blankDraft,
  changedFields,
  draftOf,
  patchOf,
  sameDraft,
  unreadFields,
} from "./agent-draft.ts";
import { mergeAgents } from "./compare.ts";

const base: AgentDraft = {
  ...blankDraft,
  name: "Claims",
  model_name: "local/a",
  system_prompt: "First\nSecond\nThird\nFourth\nFifth",
  tools: [
    {
      type: "mcp_server",
      server_id: "drive",
      approval_mode: "off",
      allowed_tool_call_ids: ["drive__a", "drive__b"],
    },
    { type: "flow", saved_item_id: "flow_1" },
    { type: "write_file", unknown: { deep: 1 } },
  ],
  metadata: { preferences: { max_steps: 5, temperature: 1 }, chat: { starter_prompts: ["x"] }, odd: [1] },
};

const change = (part: Partial<AgentDraft>): AgentDraft => ({ ...base, ...part });
const merge = (theirs: Partial<AgentDraft>, mine: Partial<AgentDraft>) =>
  mergeAgents(base, change(theirs), change(mine));

describe("C-23: a merge of two people's changes", () => {
  it("takes both where they do not touch: other lines, other tools, other keys of one section", () => {
    const [drive, flow, file] = base.tools;
    const result = merge(
      {
        system_prompt: "First\nSecond, theirs\nThird\nFourth\nFifth",
        tools: [
          { ...drive, approval_mode: "all" },
          { type: "mcp_server", server_id: "new" },
          flow ?? {},
          file ?? {},
        ],
        metadata: { ...base.metadata, preferences: { max_steps: 5, temperature: 0 } },
      },
      {
        name: "Claims desk",
        system_prompt: "First\nSecond\nThird\nFourth\nFifth, mine\nSixth",
        tools: [{ ...drive, allowed_tool_call_ids: ["drive__a"] }, file ?? {}],
        metadata: { ...base.metadata, preferences: { max_steps: 9, temperature: 1 } },
      },
    );
    expect(conflictsOf(result)).toEqual([]);
    expect(result.merged).toEqual({
      ...base,
      name: "Claims desk",
      system_prompt: "First\nSecond, theirs\nThird\nFourth\nFifth, mine\nSixth",
      tools: [
        { type: "mcp_server", server_id: "drive", approval_mode: "all", allowed_tool_call_ids: ["drive__a"] },
        { type: "mcp_server", server_id: "new" },
        { type: "write_file", unknown: { deep: 1 } },
      ],
      metadata: { ...base.metadata, preferences: { max_steps: 9, temperature: 0 } },
    });
    expect(result.fields.map(({ field, kind }) => [field, kind])).toEqual([
      ["name", "mine"],
      ["description", "same"],
      ["model_name", "same"],
      ["system_prompt", "both"],
      ["tools", "both"],
      ["resources", "same"],
      ["metadata.preferences", "both"],
      ["metadata.chat", "same"],
      ["metadata.odd", "same"],
    ]);
  });

  it("asks where both changed the same line, and keeps what each changed beside it", () => {
    const result = merge(
      { system_prompt: "First\nSecond\nTheirs\nFourth\nFifth\nSixth" },
      { system_prompt: "Zeroth\nFirst\nSecond\nMine\nFourth\nFifth" },
    );
    const [conflict, ...others] = conflictsOf(result);
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      field: "system_prompt",
      form: "lines",
      base: ["Third"],
      mine: ["Mine"],
      theirs: ["Theirs"],
    });
    const id = conflict?.id ?? "";
    const prompt = (choice: "mine" | "theirs" | "both" | { write: unknown }) =>
      resolve(result, { [id]: choice }).system_prompt;
    expect(prompt("mine")).toBe("Zeroth\nFirst\nSecond\nMine\nFourth\nFifth\nSixth");
    expect(prompt("theirs")).toBe("Zeroth\nFirst\nSecond\nTheirs\nFourth\nFifth\nSixth");
    expect(prompt("both")).toBe("Zeroth\nFirst\nSecond\nMine\nTheirs\nFourth\nFifth\nSixth");
    expect(prompt({ write: "New\nlines" })).toBe("Zeroth\nFirst\nSecond\nNew\nlines\nFourth\nFifth\nSixth");
    expect(openConflicts(result, {})).toHaveLength(1);
    expect(openConflicts(result, { [id]: "theirs" })).toEqual([]);
  });

  it("asks for a tool that one changed and the other took out, and leaves the other tools alone", () => {
    const [drive, flow, file] = base.tools;
    const theirs = { ...drive, approval_mode: "all" };
    const result = merge({ tools: [theirs, flow ?? {}, file ?? {}] }, { tools: [flow ?? {}, file ?? {}] });
    const [conflict] = conflictsOf(result);
    expect(conflict).toMatchObject({ field: "tools", identity: "server drive", path: [], theirs });
    expect(conflict?.mine).toBeUndefined();
    expect(resolve(result, { [conflict?.id ?? ""]: "mine" }).tools).toEqual([flow, file]);
    expect(resolve(result, { [conflict?.id ?? ""]: "theirs" }).tools).toEqual([theirs, flow, file]);
  });

  it("takes the knowledge sources that two people each chose for one search as a set", () => {
    const search = (...ids: string[]) => ({ tools: [{ type: "search_knowledge", source_ids: ids }] });
    const before = change(search("law"));
    const result = mergeAgents(before, change(search("law", "tides")), change(search("law", "maps")));
    expect(conflictsOf(result)).toEqual([]);
    expect(result.merged.tools).toEqual([{ type: "search_knowledge", source_ids: ["law", "maps", "tides"] }]);
  });

  it("takes the tools of a server that two people allowed as a set", () => {
    const [drive, ...rest] = base.tools;
    const allow = (...ids: string[]) => ({ tools: [{ ...drive, allowed_tool_call_ids: ids }, ...rest] });
    const result = merge(allow("drive__a", "drive__b", "drive__c"), allow("drive__b"));
    expect(conflictsOf(result)).toEqual([]);
    expect(result.merged.tools[0]?.allowed_tool_call_ids).toEqual(["drive__b", "drive__c"]);
  });

  it("merges long texts of metadata by line, and lists of it as a whole", () => {
    const at = (instructions: string, starter_prompts: string[]): Partial<AgentDraft> => ({
      metadata: { personalization: { instructions }, chat: { starter_prompts } },
    });
    const result = mergeAgents(
      change(at("a\nb\nc", ["x"])),
      change(at("a\nb\nC", ["x", "t"])),
      change(at("A\nb\nc", ["m", "x"])),
    );
    expect(result.merged.metadata.personalization).toEqual({ instructions: "A\nb\nC" });
    const [conflict] = conflictsOf(result);
    expect(conflict).toMatchObject({ field: "metadata.chat", path: ["starter_prompts"], form: "list" });
    expect(resolve(result, { [conflict?.id ?? ""]: "both" }).metadata.chat).toEqual({
      starter_prompts: ["m", "x", "t"],
    });
  });

  it("takes other line breaks for no change of the text", () => {
    const windows = (text: string | null) => text?.replaceAll("\n", "\r\n") ?? null;
    const result = mergeAgents(
      change({ system_prompt: windows(base.system_prompt) }),
      change({ system_prompt: windows("First\nSecond\nThird\nFourth\nFifth, theirs") }),
      change({ system_prompt: "First, mine\nSecond\nThird\nFourth\nFifth" }),
    );
    expect(result.merged.system_prompt).toBe(windows("First, mine\nSecond\nThird\nFourth\nFifth, theirs"));
  });

  it("asks for the order only where both moved tools differently", () => {
    const [a = {}, b = {}, c = {}] = base.tools;
    const one = merge({ tools: [a, b, c] }, { tools: [c, a, b] });
    expect(one.merged.tools).toEqual([c, a, b]);
    const two = merge({ tools: [b, a, c] }, { tools: [c, a, b] });
    const [conflict] = conflictsOf(two);
    expect(conflict).toMatchObject({ field: "tools", form: "order" });
    expect(resolve(two, { [conflict?.id ?? ""]: "theirs" }).tools).toEqual([b, a, c]);
  });

  it("carries choices over to the next refusal where nothing of the conflict changed", () => {
    const mine = change({ system_prompt: "First\nSecond\nMine\nFourth\nFifth", name: "Mine" });
    const first = mergeAgents(
      base,
      change({ system_prompt: "First\nSecond\nTheirs\nFourth\nFifth", name: "T" }),
      mine,
    );
    const second = mergeAgents(
      base,
      change({ system_prompt: "0\nFirst\nSecond\nTheirs\nFourth\nFifth", name: "T2" }),
      mine,
    );
    const choices = Object.fromEntries(conflictsOf(first).map(({ id }) => [id, "theirs" as const]));
    const carried = carryChoices(first, second, choices);
    expect(openConflicts(second, carried).map(({ field }) => field)).toEqual(["name"]);
    expect(resolve(second, carried).system_prompt).toBe("0\nFirst\nSecond\nTheirs\nFourth\nFifth");
  });

  it("keeps each choice at its own place where both changed the same lines at several places", () => {
    const text = (line: string) => ({ system_prompt: `First\n${line}\nThird\n${line}\nFifth` });
    const again = () => mergeAgents(change(text("Ask")), change(text("Ask twice")), change(text("Guess")));
    const [one = "", other = ""] = conflictsOf(again()).map(({ id }) => id);
    const both = { [one]: "theirs", [other]: "mine" } as const;
    expect(carryChoices(again(), again(), both)).toEqual(both);
    expect(carryChoices(again(), again(), { [other]: "mine" })).toEqual({ [other]: "mine" });
    // One of the two is settled: nothing tells which choice was made for the other.
    const settled = mergeAgents(
      change(text("Ask")),
      change({ system_prompt: "First\nAsk twice\nThird\nGuess\nFifth" }),
      change(text("Guess")),
    );
    expect(carryChoices(again(), settled, both)).toEqual({});
  });

  it("answers at once for long texts of equal lines", () => {
    const text = (first: string, last: string) =>
      [first, ...Array.from({ length: 20_000 }, () => ""), last].join("\n");
    const result = mergeAgents(
      change({ system_prompt: text("a", "z") }),
      change({ system_prompt: text("A", "z") }),
      change({ system_prompt: text("a", "Z") }),
    );
    expect(conflictsOf(result).length).toBeLessThan(2);
  });
});

describe("a merge, whatever the drafts are", () => {
  it("is the other side where one side changed nothing", () => {
    fc.assert(
      fc.property(someDraft, someDraft, (before, after) => {
        for (const result of [mergeAgents(before, after, before), mergeAgents(before, before, after)]) {
          expect(conflictsOf(result)).toEqual([]);
          expect(result.merged).toEqual(after);
        }
      }),
    );
  });

  it("is what both made where both made the same", () => {
    fc.assert(
      fc.property(someDraft, someDraft, (before, after) => {
        const result = mergeAgents(before, after, after);
        expect(conflictsOf(result)).toEqual([]);
        expect(result.merged).toEqual(after);
      }),
    );
  });

  it("asks both sides the same questions", () => {
    fc.assert(
      fc.property(someDraft, someDraft, someDraft, (before, theirs, mine) => {
        const here = conflictsOf(mergeAgents(before, theirs, mine));
        const there = conflictsOf(mergeAgents(before, mine, theirs));
        const key = ({ id }: { readonly id: string }) => id;
        expect(here.map(key).sort()).toEqual(there.map(key).sort());
        for (const conflict of here) {
          const mirrored = there.find(({ id }) => id === conflict.id);
          expect([conflict.mine, conflict.theirs]).toEqual([mirrored?.theirs, mirrored?.mine]);
        }
        expect(new Set(here.map(key)).size).toBe(here.length);
      }),
    );
  });

  it("keeps every field, tool and key that only one side changed", () => {
    fc.assert(
      fc.property(someDraft, someDraft, someDraft, (before, theirs, mine) => {
        const result = mergeAgents(before, theirs, mine);
        for (const part of result.fields) {
          const leaves =
            part.form === "list"
              ? part.entries.flatMap((entry) => entry.leaves)
              : part.form === "section"
                ? part.leaves
                : [part.leaf];
          for (const leaf of leaves) {
            if (leaf.kind === "mine" && leaf.chunks === null) expect(leaf.merged).toEqual(leaf.mine);
            if (leaf.kind === "theirs" && leaf.chunks === null) expect(leaf.merged).toEqual(leaf.theirs);
          }
        }
        // All of mine: only what is theirs alone differs from my draft; and the other way round.
        const choose = (choice: "mine" | "theirs") =>
          resolve(result, Object.fromEntries(conflictsOf(result).map(({ id }) => [id, choice])));
        const untouched = result.fields
          .filter(({ kind }) => kind === "mine" || kind === "same")
          .map(({ field }) => field);
        for (const field of changedFields(mine, choose("mine"))) expect(untouched).not.toContain(field);
      }),
    );
  });

  it("keeps every line of both sides: in the result or in a conflict", () => {
    fc.assert(
      fc.property(someDraft, someDraft, someDraft, (before, theirs, mine) => {
        const result = mergeAgents(before, theirs, mine);
        const part = result.fields.find(({ field }) => field === "system_prompt");
        if (part?.form !== "text" || part.leaf.chunks === null) return;
        const side = (which: "mine" | "theirs") =>
          part.leaf.chunks?.flatMap((chunk) => {
            if (chunk.kind === "conflict") return chunk[which];
            return chunk.kind === "same" || chunk.kind === "both" || chunk.kind === which
              ? chunk.lines
              : chunk.base;
          });
        expect(side("mine")).toEqual(mine.system_prompt?.split("\n") ?? []);
        expect(side("theirs")).toEqual(theirs.system_prompt?.split("\n") ?? []);
      }),
    );
  });

  it("C-01: never throws, whatever a service sent as an agent", () => {
    const agents = fc.record(
      {
        name: anyJson,
        description: anyJson,
        system_prompt: anyJson,
        tools: anyJson,
        resources: anyJson,
        metadata: anyJson,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(agents, anyJson), fc.oneof(agents, anyJson), agents, (before, theirs, mine) => {
        const result = mergeAgents(draftOf(before), draftOf(theirs), draftOf(mine));
        expect(sameDraft(resolve(result, {}), result.merged)).toBe(true);
        unreadFields(theirs);
        patchOf(draftOf(before), result.merged, 3);
      }),
    );
    expect(Reflect.get({}, "a")).toBeUndefined();
  });
});
