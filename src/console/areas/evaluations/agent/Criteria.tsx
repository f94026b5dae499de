import { cx } from "../../../ui/cx.ts";
import { Table } from "../../../ui/Table.tsx";
import { few, gradeFill, gradeWords, percent } from "../grades.tsx";
import { type EvaluationsSearch, ownRubric } from "../search.ts";
import { FilterLink } from "./Grades.tsx";
import type { CriterionShare } from "./results.ts";

type Props = { criteria: readonly CriterionShare[]; agentId: string; search: EvaluationsSearch };

/** In how many conversations each criterion was not met, on one scale that says where it ends. */
export function Criteria({ criteria, agentId, search }: Props) {
  const shares = criteria.map((one) => percent(one.failed, one.judged));
  const rubrics = new Set(criteria.map((one) => one.rubric?.id));
  const isChosen = (one: CriterionShare) =>
    search.criterion === one.id && (search.rubric === undefined || search.rubric === rubricOf(one));
  const scale = [5, 10, 20, 50, 100].find((one) => one >= Math.max(0, ...shares)) ?? 100;
  return (
    <section aria-label="Criteria">
      <header className="flex items-baseline justify-between gap-3 py-3 pr-edge-right pl-edge-left">
        <h3 className="font-semibold">Criteria</h3>
        <span className="text-muted text-secondary">by conversation, same period</span>
      </header>
      <Table
        label="Criteria"
        rows={criteria}
        idOf={(one) => `${rubricOf(one)} ${one.id}`}
        isSelected={isChosen}
        columns={{
          criterion: {
            head: "Criterion",
            kind: "name",
            cell: (one) => (
              <>
                <FilterLink
                  {...{ agentId, search }}
                  by={{
                    criterion: isChosen(one) ? undefined : one.id,
                    rubric: isChosen(one) ? undefined : rubrics.size > 1 ? rubricOf(one) : search.rubric,
                  }}
                >
                  <bdi>{one.name}</bdi>
                </FilterLink>
                {one.rubric && (
                  <span className="ml-2.5 font-normal text-muted text-secondary">
                    <bdi>{one.rubric.name}</bdi>
                  </span>
                )}
              </>
            ),
          },
          type: {
            head: "Type",
            width: 112,
            kind: "support",
            className: "@max-[840px]:hidden",
            cell: ({ type }) => type.replaceAll("_", " "),
          },
          priority: {
            head: "If it fails",
            width: 136,
            kind: "support",
            className: "max-sm:hidden",
            cell: ({ priority }) => (
              <span className="inline-flex items-baseline gap-2">
                <span
                  className={cx("size-2 self-center rounded-mark", fillOf(priority))}
                  aria-hidden="true"
                />
                {gradeWords(priority).title.toLowerCase()}
              </span>
            ),
          },
          failed: {
            head: `Not met, bar to ${scale} %`,
            width: 164,
            cell: ({ priority, failed, judged }) => (
              <span className="flex items-baseline gap-2 tabular-nums">
                <span className="h-1 w-[72px] self-center bg-line" aria-hidden="true">
                  <span
                    className={cx("block h-full", fillOf(priority))}
                    style={{ width: `${Math.min(100, (percent(failed, judged) / scale) * 100)}%` }}
                  />
                </span>
                {failed} of {judged}
              </span>
            ),
          },
          before: {
            head: "Change",
            width: 132,
            kind: "support",
            className: "@max-[720px]:hidden",
            cell: beforeWords,
          },
        }}
      />
      {criteria.some((one) => one.unknown > 0) && (
        <p className="py-2 pr-edge-right pl-edge-left text-muted text-secondary">
          Criteria that could not be judged count neither as met nor as not met.
        </p>
      )}
    </section>
  );
}

const rubricOf = ({ rubric }: CriterionShare): string => rubric?.id ?? ownRubric;
const fillOf = (priority: CriterionShare["priority"]) => gradeFill[gradeWords(priority).tone];

function beforeWords({ failed, judged, failedBefore, judgedBefore }: CriterionShare): string {
  if (judgedBefore === 0) return "no earlier results";
  if (judged < few || judgedBefore < few) return `${failedBefore} of ${judgedBefore}, too few`;
  const difference = failed - failedBefore;
  return difference === 0 ? "no change" : `${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"}`;
}
