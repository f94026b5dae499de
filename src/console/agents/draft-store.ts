import type { Drafts } from "../history/drafts.ts";
import { type AgentDraft, draftOf } from "./agent-draft.ts";
import { isObject, type JsonObject } from "./json.ts";

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

/**
 * The kept draft of an agent, or null. Answers from what `drafts.load()` has read; damaged parts become empty, as
 * `draftOf` reads them.
 */
export function readAgentDraft(drafts: Drafts, agentId: string): StoredAgentDraft | null {
  const stored = drafts.get(agentDraftName(agentId));
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
  await drafts.set(agentDraftName(agentId), draft);
}

/** Forgets a draft: it was saved, or its writer let it go. */
export async function removeAgentDraft(drafts: Drafts, agentId: string): Promise<void> {
  await drafts.remove(agentDraftName(agentId));
}
