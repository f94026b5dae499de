import type { QuestionIn } from "./queries.ts";
import { isSource } from "./questions.ts";

/** Rows under a title. */
export interface InboxGroup {
  readonly name: string;
  readonly rows: readonly QuestionIn[];
}

/**
 * What waits for this person before what waits for others, each in the service's order; what was answered in one group.
 * @param snoozed ids of sources that this person put off: they are not shown while they wait
 */
export function groupRows(
  rows: readonly QuestionIn[],
  isAnswered: boolean,
  snoozed: ReadonlySet<string>,
): readonly InboxGroup[] {
  if (isAnswered) return withRows([{ name: "Answered", rows }]);
  const shown = rows.filter((row) => !(isSource(row) && snoozed.has(row.id)));
  return withRows([
    { name: "Waiting for you", rows: shown.filter((one) => one.may_answer) },
    { name: "Waiting for others", rows: shown.filter((one) => !one.may_answer) },
  ]);
}

const withRows = (groups: readonly InboxGroup[]) => groups.filter(({ rows }) => rows.length > 0);
