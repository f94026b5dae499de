import type { DraftKind } from "../../../lib/drafts/draft.ts";
import type { Drafts } from "../../../lib/history/drafts.ts";
import { isObject, type JsonObject } from "../../../lib/json/json-value.ts";
import { type AgentDraft, changedFields, draftOf, sameDraft } from "./agent-draft.ts";
import { mergeAgents } from "./compare.ts";

/** What a person changed on an agent and has not saved, as this browser keeps it. */
export interface StoredAgentDraft {
  /** The agent as it was when the editing began; what the merge compares both sides with. */
  readonly base: AgentDraft;
  /** The `version` of `base`; null where the service sent none. */
  readonly baseVersion: number | null;
  readonly mine: AgentDraft;
  /** When it was last changed, in ms since 1970 by this browser's clock. */
  readonly at: number;
  /** When the editing began; the same clock. */
  readonly since?: number;
  /** What was typed and cannot be read yet (JSON, a number), by the path of its field; `mine` has the value before. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** The agent as the service has it now. */
export interface Latest {
  readonly draft: AgentDraft;
  readonly version: number | null;
}

/** The name of an agent's draft among the drafts. */
export function agentDraftName(agentId: string): string {
  return `agent ${agentId}`;
}

/** The drafts of agents. Two browsers have two, and the version decides between them (§4.14). */
export const agentDrafts: DraftKind<StoredAgentDraft> = {
  isShared: true,
  read: parseAgentDraft,
  /** Where both touched the same, as typed. */
  join: (kept, typed) => ({
    ...kept,
    mine: mergeAgents(typed.base, kept.mine, typed.mine).merged,
    at: typed.at,
    texts: { ...kept.texts, ...typed.texts },
  }),
};

/** The kept draft of an agent, or null. Answers from what `drafts.load()` has read. */
export function readAgentDraft(drafts: Drafts, agentId: string): StoredAgentDraft | null {
  return parseAgentDraft(drafts.get(agentDraftName(agentId)));
}

/** A draft as it was stored, or null; damaged parts become empty, as `draftOf` reads them. */
function parseAgentDraft(stored: unknown): StoredAgentDraft | null {
  if (!isObject(stored) || !isObject(stored.base) || !isObject(stored.mine)) return null;
  const { base, mine, baseVersion, at, since, texts } = stored;
  return {
    base: draftOf(base),
    baseVersion: typeof baseVersion === "number" ? baseVersion : null,
    mine: draftOf(mine),
    at: typeof at === "number" ? at : 0,
    ...(typeof since === "number" && { since }),
    ...(isObject(texts) && { texts: textsOf(texts) }),
  };
}

function textsOf(stored: JsonObject): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/**
 * A draft after a change; one that says nothing new any more is none.
 * @param before null: this change begins it, with `latest`
 * @param part the fields as they are now
 * @param texts what cannot be read yet by its path; null: it can be read now
 */
export function changedDraft(
  before: StoredAgentDraft | null,
  latest: Latest,
  part: Partial<AgentDraft>,
  texts: Readonly<Record<string, string | null>>,
  now: number,
): StoredAgentDraft | null {
  const begun = before ?? {
    base: latest.draft,
    baseVersion: latest.version,
    mine: latest.draft,
    since: now,
  };
  const mine = { ...begun.mine, ...part };
  const held = textsOf({ ...before?.texts, ...texts });
  const isNothing = Object.keys(held).length === 0 && changedFields(begun.base, mine).length === 0;
  return isNothing ? null : { ...begun, mine, at: now, texts: held };
}

/**
 * What another tab typed while `sent` was saved: a change of what is saved now; where both touched the same, as that tab
 * has it.
 * @param now the agent as the save made it; null where the answer did not tell
 */
export function draftAfterSave(
  kept: StoredAgentDraft,
  sent: StoredAgentDraft,
  now: Latest | null,
): StoredAgentDraft {
  // One that began on another version is merged by its writer.
  if (now === null || kept.baseVersion !== sent.baseVersion || !sameDraft(kept.base, sent.base)) return kept;
  const { merged } = mergeAgents(kept.base, now.draft, kept.mine);
  return { ...kept, base: now.draft, baseVersion: now.version, mine: merged };
}
