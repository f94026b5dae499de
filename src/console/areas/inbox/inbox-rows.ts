import { parseTime } from "../../lib/time/format.ts";
import type { QuestionIn } from "./queries.ts";

/** A knowledge source as a row of the inbox. The area of sources uses this one, so that whoever puts them together makes it. */
export interface SourceRow {
  readonly id: string;
  /** `mine` and `others`: who has to approve it. */
  readonly state: "mine" | "others" | "approved";
  /** When it was made, or approved. ISO 8601. */
  readonly at: string | null | undefined;
  readonly name: string;
  /** Over what it is decided, or who did after how long. */
  readonly words: string;
  /** What it costs, in words; null where that is not known, or over. */
  readonly cost: string | null;
}

/** One row of the inbox. */
export type InboxRow =
  | { readonly kind: "question"; readonly id: string; readonly question: QuestionIn }
  | { readonly kind: "source"; readonly id: string; readonly source: SourceRow };

/** Rows under a title. */
export interface InboxGroup {
  readonly name: string;
  readonly rows: readonly InboxRow[];
}

/**
 * What waits for this person before what waits for others, each the oldest first; what was answered in one group, the newest
 * first. The service's order of questions stays as it is: sources are put between them.
 * @param isWhole false where older answers are not read yet: sources older than those are left out till then
 */
export function groupRows(
  questions: readonly QuestionIn[],
  sources: readonly SourceRow[],
  isAnswered: boolean,
  isWhole: boolean,
): readonly InboxGroup[] {
  const of = (state: SourceRow["state"]) => sources.filter((source) => source.state === state);
  if (isAnswered) {
    const last = isWhole ? Number.NEGATIVE_INFINITY : timeOf(questions.at(-1)?.ended_at);
    const known = of("approved").filter(({ at }) => timeOf(at) >= last);
    return withRows([{ name: "Answered", rows: inOrder(questions, known, isAnswered) }]);
  }
  const mine = questions.filter((one) => one.may_answer);
  const others = questions.filter((one) => !one.may_answer);
  return withRows([
    { name: "Waiting for you", rows: inOrder(mine, of("mine"), isAnswered) },
    { name: "Waiting for others", rows: inOrder(others, of("others"), isAnswered) },
  ]);
}

const withRows = (groups: readonly InboxGroup[]) => groups.filter(({ rows }) => rows.length > 0);

const timeOf = (at: string | null | undefined): number => parseTime(at) ?? 0;

function inOrder(
  questions: readonly QuestionIn[],
  sources: readonly SourceRow[],
  isAnswered: boolean,
): readonly InboxRow[] {
  const sign = isAnswered ? -1 : 1;
  const left = [...sources].sort((a, b) => sign * (timeOf(a.at) - timeOf(b.at)));
  const rows: InboxRow[] = [];
  const take = (before: number) => {
    for (let [next] = left; next !== undefined && sign * timeOf(next.at) < before; [next] = left) {
      rows.push({ kind: "source", id: next.id, source: next });
      left.shift();
    }
  };
  for (const question of questions) {
    take(sign * timeOf(isAnswered ? question.ended_at : question.asked_at));
    rows.push({ kind: "question", id: question.id, question });
  }
  take(Number.POSITIVE_INFINITY);
  return rows;
}
