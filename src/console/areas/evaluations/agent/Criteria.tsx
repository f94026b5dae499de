import { cx } from "../../../ui/cx.ts";
import { Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import { few, gradeFill, gradeWords, percent } from "../grades.tsx";
import { type EvaluationsSearch, ownRubric } from "../search.ts";
import { FilterLink } from "./Grades.tsx";
import type { CriterionShare } from "./results.ts";

type Props = { criteria: readonly CriterionShare[]; agentId: string; search: EvaluationsSearch };

/** In how many conversations each criterion was not met, on one scale that says where it ends. */
export function Criteria({ criteria, agentId, search }: Props) {
  const shares = criteria.map((one) => percent(one.failed, one.judged));
  const rubrics = new Set(criteria.map((one) => one.rubric?.id));
  const scale = [5, 10, 20, 50, 100].find((one) => one >= Math.max(0, ...shares)) ?? 100;
  return (
    <section aria-label="Criteria">
      <header className="flex items-baseline justify-between gap-3 py-3 pr-edge-right pl-edge-left">
        <h3 className="font-semibold">Criteria</h3>
        <span className="text-muted text-secondary">by conversation, from the results of the same days</span>
      </header>
      <Table label="Criteria">
        <thead>
          <tr>
            <Th>Criterion</Th>
            <Th className="w-[112px] @max-[840px]:hidden">Type</Th>
            <Th className="w-[136px] max-sm:hidden">If it fails</Th>
            <Th className="w-[164px]">Not met, bar to {scale} %</Th>
            <Th className="w-[132px] @max-[720px]:hidden">Against before</Th>
          </tr>
        </thead>
        <tbody>
          {criteria.map((one) => {
            const { tone, title } = gradeWords(one.priority);
            const rubric = one.rubric?.id ?? ownRubric;
            const isChosen =
              search.criterion === one.id && (search.rubric === undefined || search.rubric === rubric);
            return (
              <Tr key={`${rubric} ${one.id}`} isSelected={isChosen}>
                <Td kind="name">
                  <FilterLink
                    {...{ agentId, search }}
                    by={{
                      criterion: isChosen ? undefined : one.id,
                      rubric: isChosen ? undefined : rubrics.size > 1 ? rubric : search.rubric,
                    }}
                  >
                    <bdi>{one.name}</bdi>
                  </FilterLink>
                  {one.rubric && (
                    <span className="ml-2.5 font-normal text-muted text-secondary">
                      <bdi>{one.rubric.name}</bdi>
                    </span>
                  )}
                </Td>
                <Td kind="support" className="@max-[840px]:hidden">
                  {one.type.replaceAll("_", " ")}
                </Td>
                <Td kind="support" className="max-sm:hidden">
                  <span className="inline-flex items-baseline gap-2">
                    <span
                      className={cx("size-2 self-center rounded-mark", gradeFill[tone])}
                      aria-hidden="true"
                    />
                    {title.toLowerCase()}
                  </span>
                </Td>
                <Td>
                  <span className="flex items-baseline gap-2 tabular-nums">
                    <span className="h-1 w-[72px] self-center bg-line" aria-hidden="true">
                      <span
                        className={cx("block h-full", gradeFill[tone])}
                        style={{
                          width: `${Math.min(100, (percent(one.failed, one.judged) / scale) * 100)}%`,
                        }}
                      />
                    </span>
                    {one.failed} of {one.judged}
                  </span>
                </Td>
                <Td kind="support" className="@max-[720px]:hidden">
                  {beforeWords(one)}
                </Td>
              </Tr>
            );
          })}
        </tbody>
      </Table>
      {criteria.some((one) => one.unknown > 0) && (
        <p className="py-2 pr-edge-right pl-edge-left text-muted text-secondary">
          What was not judged, for want of a model or of a clear answer, counts neither as met nor as not met.
        </p>
      )}
    </section>
  );
}

function beforeWords({ failed, judged, failedBefore, judgedBefore }: CriterionShare): string {
  if (judgedBefore === 0) return "not judged before";
  if (judged < few || judgedBefore < few) return `${failedBefore} of ${judgedBefore}, too few`;
  const difference = failed - failedBefore;
  return difference === 0 ? "as many" : `${Math.abs(difference)} ${difference > 0 ? "more" : "fewer"}`;
}
