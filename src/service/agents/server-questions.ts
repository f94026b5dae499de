import type { Ids } from "../context.ts";
import type { Journal } from "../engine/kind.ts";
import type { JsonObject } from "../json.ts";
import type { Asks } from "../mcp/server-question.ts";
import { askedRows } from "../questions/rows.ts";
import { type AskedInCall, type AskKeys, recordableAsks } from "../questions/server-questions.ts";
import type { Asking } from "./approvals/ask.ts";
import { type AnswerPlace, answerRows } from "./conversation-writes.ts";
import type { StoredPart } from "./parts.ts";
import type { Tool, TurnFacts } from "./tools/tool.ts";

/** @param call the key of the call's own step in its turn */
export const turnAskKeys = (call: string): AskKeys => ({
  asked: (round) => `asked ${round} ${call}`,
  wait: (round, index) => `ask server ${round}.${index} ${call}`,
});

/** Records what a server asked. */
export async function recordAsks(journal: Journal, call: string, asks: Asks, round: number): Promise<void> {
  await journal.record(turnAskKeys(call).asked(round), { type: "done", output: recordableAsks(asks) });
}

/** The turn and the call in which a server asks. */
interface AskingCall {
  readonly journal: Journal;
  readonly ids: Ids;
  readonly facts: TurnFacts;
  readonly place: AnswerPlace;
  readonly asking: Asking;
}

/** Puts the questions that nobody was asked yet: the turn has a step more for each, which waits for the answer. */
export async function putServerQuestions(
  { journal, ids, facts, place, asking }: AskingCall,
  tool: Tool,
  args: JsonObject,
  part: StoredPart,
  { unasked }: AskedInCall,
): Promise<void> {
  const { server, toolCallId = tool.spec.name, name = tool.spec.name } = tool.server?.definition ?? {};
  for (const { stepKey, question } of unasked) {
    const { message = "", fields = [], link = null } = question.shown ?? {};
    const asked = askedRows({
      kind: "server",
      id: ids.make("ask"),
      stepKey,
      interactionId: place.interactionId,
      messageSeq: place.seq,
      partId: part.id,
      agentId: facts.agentId,
      userId: facts.userId,
      teamId: facts.teamId,
      toolCallId,
      definition: { name, server: server ?? null, question: message, details: null, fields, link },
      definitionHash: question.digest,
      argumentsText: JSON.stringify(args),
      who: asking.who,
      people: asking.people,
      againForStep: null,
      lapseSeconds: asking.lapseSeconds,
    });
    const said = answerRows(ids, place, { parts: [part] });
    await journal.wait(stepKey, asking.lapseSeconds * 1000, { rows: [said, asked] });
  }
}

/** What the model is told beside the answer of a tool whose server asked what nobody is shown. */
export function refusalNote(refusals: readonly string[]): string | null {
  if (refusals.length === 0) return null;
  return `The tool's server ${[...new Set(refusals)].join(", and ")}. That was declined without asking anybody.`;
}
