import type { AgentTool } from "../../../../contract/agents.ts";
import { own, presentKeys, sameJson } from "../../../lib/json/json-value.ts";
import { joinLines, type TextChunk } from "../../../lib/merge/merge-text.ts";
import {
  grow,
  kindOf,
  type Leaf,
  type MergeKind,
  mergeLeaf,
  mergeTree,
} from "../../../lib/merge/merge-value.ts";
import { type AgentDraft, blankDraft } from "./agent-draft.ts";
import { growList, type MergedList, mergeList } from "./merge-list.ts";

export type { Leaf, MergeKind } from "../../../lib/merge/merge-value.ts";
export type { ListEntry } from "./merge-list.ts";

/** A field whose value is one leaf. `text` fields (description, system_prompt) merge by line. */
type LeafField = { readonly kind: MergeKind; readonly leaf: Leaf } & (
  | { readonly form: "value"; readonly field: "name" | "model_name" }
  | { readonly form: "text"; readonly field: "description" | "system_prompt" }
);

/** `tools` and `resources`: merged item by item; the whole list is sent. */
export type ListField = { readonly form: "list"; readonly field: "tools" | "resources" } & MergedList;

/** A section of metadata: merged key by key. */
interface SectionField {
  readonly form: "section";
  readonly field: `metadata.${string}`;
  readonly section: string;
  readonly kind: MergeKind;
  readonly leaves: readonly Leaf[];
}

export type MergedField = LeafField | ListField | SectionField;

/** Three versions of an agent in one. */
export interface MergeResult {
  /** What both sides together make; where a choice is open, mine. Send `resolve(result, choices)`, not this. */
  readonly merged: AgentDraft;
  /** Every field, also those that nobody changed; metadata by section. */
  readonly fields: readonly MergedField[];
}

/**
 * What a person chose for one conflict. `both`: of lines and lists mine, then theirs; of other values mine.
 * `write`: written anew (of lines the text, else the value; undefined takes it out).
 */
export type Choice = "mine" | "theirs" | "both" | { readonly write: unknown };

/** Choices by the id of the conflict. */
export type Choices = Readonly<Record<string, Choice>>;

/** One thing that a person has to decide. */
export interface Conflict {
  readonly id: string;
  readonly field: MergedField["field"];
  /** Of which tool or resource; null elsewhere. */
  readonly identity: string | null;
  /** From the field (or the tool) to the value. */
  readonly path: readonly string[];
  /** `lines`: the three are lists of lines; `list`: all that are there are lists; `order`: identities in order. */
  readonly form: "lines" | "list" | "value" | "order";
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/**
 * Merges two changes of one agent, field by field. What does not touch merges by itself: texts by line, tools and
 * resources by identity and value by value, metadata by section and key; what both changed differently is a conflict,
 * decided one by one (`openConflicts`, `resolve`). Nothing of either side is lost: what is not in `merged` stands in a
 * conflict. `merge(base, x, base)` is x, and so is `merge(base, base, x)`.
 * @param base what both began with (the version of the draft)
 * @param theirs what the service has now
 * @param mine the draft
 */
export function mergeAgents(base: AgentDraft, theirs: AgentDraft, mine: AgentDraft): MergeResult {
  const leafOf = (field: keyof AgentDraft, byLine: "always" | "never") =>
    mergeLeaf(
      { base: base[field], theirs: theirs[field], mine: mine[field] },
      { id: [field], path: [] },
      byLine,
    );
  const value = (field: "name" | "model_name"): MergedField => {
    const leaf = leafOf(field, "never");
    return { form: "value", field, kind: leaf.kind, leaf };
  };
  const text = (field: "description" | "system_prompt"): MergedField => {
    const leaf = leafOf(field, "always");
    return { form: "text", field, kind: leaf.kind, leaf };
  };
  const list = (field: "tools" | "resources"): MergedField => ({
    form: "list",
    field,
    ...mergeList(field, { base: base[field], theirs: theirs[field], mine: mine[field] }),
  });
  const fields = [
    value("name"),
    text("description"),
    value("model_name"),
    text("system_prompt"),
    list("tools"),
    list("resources"),
    ...sectionsOf(base, theirs, mine),
  ];
  return { merged: build(fields, {}), fields };
}

/** The conflicts of a merge, in the order of its fields; the same from both sides. */
export function conflictsOf({ fields }: Pick<MergeResult, "fields">): Conflict[] {
  return fields.flatMap((field) => {
    if (field.form === "section")
      return field.leaves.flatMap((leaf) => leafConflicts(leaf, field.field, null));
    if (field.form !== "list") return leafConflicts(field.leaf, field.field, null);
    const items = field.entries.flatMap(({ identity, leaves }) =>
      leaves.flatMap((leaf) => leafConflicts(leaf, field.field, identity)),
    );
    const order = leafConflicts(field.order, field.field, null);
    return [...items, ...order.map((conflict) => ({ ...conflict, form: "order" as const }))];
  });
}

/** The conflicts that have no choice yet. A save has to wait for them. */
export function openConflicts(result: Pick<MergeResult, "fields">, choices: Choices): Conflict[] {
  return conflictsOf(result).filter(({ id }) => !Object.hasOwn(choices, id));
}

/** The draft that a merge and the choices make. Where a choice is missing it has mine: see `openConflicts`. */
export function resolve(result: Pick<MergeResult, "fields">, choices: Choices): AgentDraft {
  return build(result.fields, choices);
}

/**
 * The choices that still hold after another merge: those of conflicts of which all three sides are what they were. For a
 * second refusal in a row.
 */
export function carryChoices(
  before: Pick<MergeResult, "fields">,
  after: Pick<MergeResult, "fields">,
  choices: Choices,
): Choices {
  const known = conflictsOf(before).filter(({ id }) => Object.hasOwn(choices, id));
  const kept = conflictsOf(after).flatMap((conflict) => {
    const same = known.find((one) => sameConflict(one, conflict));
    const choice = same === undefined ? undefined : choices[same.id];
    return choice === undefined ? [] : [[conflict.id, choice] as const];
  });
  return Object.fromEntries(kept);
}

function sameConflict({ id: _a, ...a }: Conflict, { id: _b, ...b }: Conflict): boolean {
  return sameJson(a, b);
}

function sectionsOf(base: AgentDraft, theirs: AgentDraft, mine: AgentDraft): MergedField[] {
  const first = presentKeys(base.metadata);
  const added = [...presentKeys(theirs.metadata), ...presentKeys(mine.metadata)].sort();
  return [...new Set([...first, ...added])].map((section): MergedField => {
    const at = ({ metadata }: AgentDraft) => own(metadata, section);
    const three = { base: at(base), theirs: at(theirs), mine: at(mine) };
    const leaves = mergeTree(three, { id: ["metadata", section], path: [] });
    const kind = kindOf(leaves.map((leaf) => leaf.kind));
    return { form: "section", field: `metadata.${section}`, section, kind, leaves };
  });
}

function leafConflicts(leaf: Leaf, field: MergedField["field"], identity: string | null): Conflict[] {
  const place = { field, identity, path: leaf.path };
  if (leaf.kind !== "conflict") return [];
  if (leaf.chunks !== null) {
    return leaf.chunks
      .filter((chunk) => chunk.kind === "conflict")
      .map(({ id, base, mine, theirs }) => ({ id, ...place, form: "lines", base, mine, theirs }));
  }
  const { id, base, mine, theirs } = leaf;
  const lists = [base, mine, theirs]
    .filter((side) => side !== undefined)
    .every((side) => Array.isArray(side));
  return [{ id, ...place, form: lists ? "list" : "value", base, mine, theirs }];
}

/** The value of a leaf after the choices. */
function chosen(leaf: Leaf, choices: Choices): unknown {
  if (leaf.kind !== "conflict") return leaf.merged;
  if (leaf.chunks !== null) {
    return joinLines(
      leaf.chunks.flatMap((chunk) => chosenLines(chunk, choices)),
      leaf.lineBreak,
    );
  }
  const choice = choiceOf(choices, leaf.id);
  if (typeof choice === "object") return choice.write;
  const { mine, theirs } = leaf;
  if (choice === "theirs") return theirs;
  if (choice === "mine" || !Array.isArray(mine) || !Array.isArray(theirs)) return mine;
  return [...mine, ...theirs.filter((item) => !mine.some((one) => sameJson(one, item)))];
}

function choiceOf(choices: Choices, id: string): Choice {
  return (Object.hasOwn(choices, id) ? choices[id] : undefined) ?? "mine";
}

/** The lines of a merged text at one place, after the choices; mine where there is none. */
export function chosenLines(chunk: TextChunk, choices: Choices): readonly string[] {
  if (chunk.kind !== "conflict") return chunk.lines;
  const choice = choiceOf(choices, chunk.id);
  if (typeof choice === "object") return typeof choice.write === "string" ? choice.write.split(/\r?\n/) : [];
  return choice === "both" ? [...chunk.mine, ...chunk.theirs] : chunk[choice];
}

function build(fields: readonly MergedField[], choices: Choices): AgentDraft {
  const pick = (leaf: Leaf) => chosen(leaf, choices);
  const sections: [string, unknown][] = [];
  const values: { -readonly [Field in keyof AgentDraft]: AgentDraft[Field] } = { ...blankDraft };
  for (const field of fields) {
    if (field.form === "section") {
      const parts = field.leaves.map((leaf) => ({ path: leaf.path, value: pick(leaf) }));
      const section = grow(parts);
      if (section !== undefined) sections.push([field.section, section]);
    } else if (field.form === "list") {
      const items = growList(field, pick);
      if (field.field === "tools") values.tools = items as AgentTool[];
      else values.resources = items;
    } else {
      const value = pick(field.leaf);
      const text = typeof value === "string" ? value : null;
      if (field.field === "name") values.name = text ?? "";
      else values[field.field] = text;
    }
  }
  return { ...values, metadata: Object.fromEntries(sections) };
}
