import type { AgentChange, AgentTool } from "../../../../contract/agents.ts";
import { isObject, type JsonObject, own, presentKeys, sameJson } from "../../../lib/json/json-value.ts";
import type { FieldRule } from "../../../lib/merge/merge-record.ts";
import { identify } from "./tools.ts";

/**
 * The fields of an agent that a person edits (§4.14), as a value: what the editor holds, the merge takes three of, and a
 * version is shown as. Transfer (`team_id`) and retiring (`is_active`) are acts of their own. Never changed in place.
 */
export interface AgentDraft {
  readonly name: string;
  readonly description: string | null;
  /** `<provider>/<model>`; null where the service said none. */
  readonly model_name: string | null;
  readonly system_prompt: string | null;
  /** Unknown kinds and keys are kept as they came. */
  readonly tools: readonly AgentTool[];
  readonly resources: readonly JsonObject[];
  /** By section (`preferences`, `chat`, …); a section that is not known is kept as it came. */
  readonly metadata: JsonObject;
}

/** The fields of an agent in the order in which they are shown: what each is called, and how it is merged and compared. */
export const agentFields = {
  name: { title: "Name", form: "value" },
  description: { title: "Description", form: "text" },
  model_name: { title: "Model", form: "value" },
  system_prompt: { title: "System prompt", form: "text" },
  // Which tools of a server, and which sources it may search, are sets.
  tools: { title: "Tools", form: "list", identify, sets: ["allowed_tool_call_ids", "source_ids"] },
  resources: { title: "Resources", form: "list", identify },
  metadata: { title: "Metadata", form: "sections" },
} as const satisfies Record<keyof AgentDraft, FieldRule & { readonly title: string }>;
export type DraftField = keyof typeof agentFields;

/** The names of the fields, in their order. */
export const draftFields = Object.keys(agentFields) as readonly DraftField[];

/** A field as pages address it: metadata by section, such as `metadata.chat`. */
export type FieldPath = Exclude<DraftField, "metadata"> | `metadata.${string}`;

/** A draft of nothing, to begin a new agent with. */
export const blankDraft: AgentDraft = {
  name: "",
  description: null,
  model_name: null,
  system_prompt: null,
  tools: [],
  resources: [],
  metadata: {},
};

/**
 * The editable fields of an agent as the service sent it (`GET /agents/{id}`, a version). Never throws: what is missing
 * or of another type is empty here and named by `unreadFields`, so that an editor can refuse to touch it.
 */
export function draftOf(agent: unknown): AgentDraft {
  const source = isObject(agent) ? agent : {};
  const text = (key: DraftField) => {
    const value = own(source, key);
    return typeof value === "string" ? value : null;
  };
  const objects = (key: DraftField) => {
    const list = own(source, key);
    return Array.isArray(list) ? list.filter((item): item is AgentTool => isObject(item)) : [];
  };
  const metadata = own(source, "metadata");
  return {
    name: text("name") ?? "",
    description: text("description"),
    model_name: text("model_name"),
    system_prompt: text("system_prompt"),
    tools: objects("tools"),
    resources: objects("resources"),
    metadata: isObject(metadata) ? metadata : {},
  };
}

/**
 * The fields of an agent that `draftOf` could not take whole: missing, or of a type that cannot be sent back. To send one
 * of these would replace what nobody saw.
 */
export function unreadFields(agent: unknown): DraftField[] {
  const source = isObject(agent) ? agent : {};
  return draftFields.filter((field) => {
    const value = own(source, field);
    const { form } = agentFields[field];
    if (form === "list") return !Array.isArray(value) || !value.every((item) => isObject(item));
    if (form === "sections") return !isObject(value);
    return value === undefined || (value !== null && typeof value !== "string");
  });
}

/** Whether two drafts say the same. */
export function sameDraft(a: AgentDraft, b: AgentDraft): boolean {
  return draftFields.every((field) => sameJson(a[field], b[field]));
}

/** The fields in which a save of `mine` would change `base`, metadata by section; in the order of `draftFields`. */
export function changedFields(base: AgentDraft, mine: AgentDraft): FieldPath[] {
  const patch = patchOf(base, mine);
  return draftFields.flatMap((field): FieldPath[] => {
    if (field !== "metadata") return Object.hasOwn(patch, field) ? [field] : [];
    return Object.keys(patch.metadata ?? {}).map((section) => `metadata.${section}` as const);
  });
}

/**
 * Exactly the body of the PATCH that makes `base` into `mine` (§4.14): only what differs; `tools` and `resources` whole;
 * of metadata only the keys that differ, a key that was taken out as null, because objects merge there.
 * @param version the version last read, sent so that the service refuses to overwrite another person's change; null: not
 * sent, the last write wins
 * @returns an empty object (or `version` alone) where there is nothing to save; see `changedFields`
 */
export function patchOf(base: AgentDraft, mine: AgentDraft, version: number | null = null): AgentChange {
  const patch: AgentChange = {};
  if (version !== null) patch.version = version;
  if (mine.name !== base.name) patch.name = mine.name;
  // Null means absent for the model (§4.14 and its decision), so it cannot be cleared.
  if (mine.model_name !== null && mine.model_name !== base.model_name) patch.model_name = mine.model_name;
  for (const field of ["description", "system_prompt"] as const) {
    if ((mine[field] ?? "") !== (base[field] ?? "")) patch[field] = mine[field];
  }
  if (!sameJson(mine.tools, base.tools)) patch.tools = [...mine.tools];
  if (!sameJson(mine.resources, base.resources))
    patch.resources = mine.resources.map((item) => ({ ...item }));
  const metadata = objectChange(base.metadata, mine.metadata);
  if (metadata !== null) patch.metadata = metadata;
  return patch;
}

/** What to send so that merging it into `before` gives `after`; null where nothing differs. */
function objectChange(before: JsonObject, after: JsonObject): Record<string, unknown> | null {
  const changes: [string, unknown][] = [];
  for (const key of presentKeys(after)) {
    const [was, is] = [own(before, key), after[key]];
    if (sameJson(was, is)) continue;
    if (!isObject(was) || !isObject(is)) changes.push([key, is]);
    else {
      // Null where only an absent key and a null one differ, which is the same to the service.
      const inner = objectChange(was, is);
      if (inner !== null) changes.push([key, inner]);
    }
  }
  for (const key of presentKeys(before)) {
    if (own(after, key) === undefined && before[key] !== null) changes.push([key, null]);
  }
  return changes.length === 0 ? null : Object.fromEntries(changes);
}

/**
 * Whether an agent's answer says that the caller may only read it. The interface has no field for that, and most services
 * leave it out; where one names the caller's role, it is named as for artifacts (§2.4). Everything else is found out by a
 * save that is refused.
 */
export function onlyReads(agent: unknown): boolean {
  return isObject(agent) && own(agent, "role") === "viewer";
}
