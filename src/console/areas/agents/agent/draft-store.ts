import type { Drafts } from "../../../lib/history/drafts.ts";
import { isObject, type JsonObject, sameJson } from "../../../lib/json/json-value.ts";
import { type AgentDraft, draftOf, sameDraft } from "./agent-draft.ts";
import { mergeAgents } from "./merge.ts";

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

/** The name of an agent's draft among the drafts. */
export function agentDraftName(agentId: string): string {
  return `agent ${agentId}`;
}

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

/** Keeps a draft; resolves when it is written, so that a reload or a crash finds it. */
export async function writeAgentDraft(
  drafts: Drafts,
  agentId: string,
  draft: StoredAgentDraft,
): Promise<void> {
  await drafts.set(agentDraftName(agentId), draft, joinDrafts);
}

/** Forgets this draft. One that says something else by now, because another tab was typed in, stays. */
export async function removeAgentDraft(
  drafts: Drafts,
  agentId: string,
  shown: StoredAgentDraft | null,
): Promise<void> {
  await drafts.change(agentDraftName(agentId), (kept) => (isSame(kept, shown) ? undefined : kept));
}

/**
 * This draft was saved, so it is none any more. What another tab typed meanwhile goes on as a change of what is saved
 * now; where both touched the same, as that tab has it.
 * @param now the agent as the save made it; null where the answer did not tell
 */
export async function settleAgentDraft(
  drafts: Drafts,
  agentId: string,
  sent: StoredAgentDraft,
  now: { readonly draft: AgentDraft; readonly version: number | null } | null,
): Promise<void> {
  await drafts.change(agentDraftName(agentId), (stored) => {
    const kept = parseAgentDraft(stored);
    if (kept === null || isSame(stored, sent)) return undefined;
    // One that began on another version is merged by its writer.
    if (now === null || kept.baseVersion !== sent.baseVersion || !sameDraft(kept.base, sent.base))
      return stored;
    const { merged } = mergeAgents(kept.base, now.draft, kept.mine);
    return { ...kept, base: now.draft, baseVersion: now.version, mine: merged };
  });
}

const isSame = (stored: unknown, shown: StoredAgentDraft | null): boolean =>
  shown === null || sameJson(parseAgentDraft(stored), shown);

/** A draft that was kept, with what was typed over it before it was known; where both touched the same, as typed. */
function joinDrafts(stored: unknown, typed: unknown): unknown {
  const [kept, now] = [parseAgentDraft(stored), parseAgentDraft(typed)];
  if (!kept || !now) return now ?? kept ?? undefined;
  const { merged } = mergeAgents(now.base, kept.mine, now.mine);
  return { ...kept, mine: merged, at: now.at, texts: { ...kept.texts, ...now.texts } };
}
