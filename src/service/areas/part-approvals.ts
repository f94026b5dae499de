import { sql } from "kysely";
import type { MessagePart } from "../../contract/messages.ts";
import { loadPeople, showPerson } from "../agents/agent-view.ts";
import { isCall, isOfConversation } from "../agents/approvals/answered-call.ts";
import type { CopiedPart } from "../agents/conversation.ts";
import type { Context } from "../context.ts";
import { isWaiting } from "./inbox-list.ts";
import { stateOf } from "./inbox-rows.ts";

export type ShownApproval = NonNullable<MessagePart["approval"]>;

/** What was asked about calls of a conversation, by the part that shows the call. */
export type ApprovalsByPart = ReadonlyMap<string, ShownApproval>;

/** The key of a part in `ApprovalsByPart`: ids of parts are those of their message alone. @param messageSeq of the message in its conversation */
export const partKey = (messageSeq: number, partId: string) => `${messageSeq} ${partId}`;

/** Of each call the question that was asked last. */
export async function approvalsOfParts(
  { store }: Context,
  parts: readonly CopiedPart[],
): Promise<ApprovalsByPart> {
  const found = await store.db
    .selectFrom("approvals")
    .selectAll()
    .select(isWaiting.as("is_waiting"))
    .where("interaction_id", "=", sql<string>`any(${parts.map(({ id }) => id)}::text[])`)
    .orderBy("asked_at")
    .execute();
  const rows = found
    .filter(isOfConversation)
    .filter(({ interaction_id, message_seq }) =>
      parts.some(({ id, before }) => id === interaction_id && message_seq < before),
    );
  const people = await loadPeople(
    store.db,
    rows.map(({ answered_by }) => answered_by),
  );
  return new Map(
    rows.map((row): [string, ShownApproval] => {
      const by = row.answered_by === null ? undefined : people.get(row.answered_by);
      const approval = {
        inbox_id: row.id,
        kind: isCall(row) ? ("tool_call" as const) : ("server" as const),
        state: stateOf(row),
        answer: row.answer,
        answered_by: by === undefined ? null : showPerson(by),
        answered_at: row.answered_at?.toISOString() ?? null,
        reason: row.reason,
        lapses_at: row.lapses_at.toISOString(),
      };
      return [partKey(row.message_seq, row.part_id), approval];
    }),
  );
}
