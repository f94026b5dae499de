import { Link } from "@tanstack/react-router";
import { counted } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { GradeBar } from "../GradeBar.tsx";
import type { Graded } from "../graded.ts";
import { againstBefore, few, gradeFill, gradeOrder, gradeWords, percent } from "../grades.ts";
import type { EvaluationsSearch } from "./search.ts";

type Props = {
  graded: Graded;
  agentId: string;
  search: EvaluationsSearch;
  opens: boolean;
};

/** Shares of the grades against the period before; under twenty the count, and that it is too few. */
export function Grades({ graded, agentId, search, opens }: Props) {
  const { counts, total, noun, before } = graded;
  const others = [...counts.keys()].filter((grade) => !gradeOrder.some((one) => one === grade));
  return (
    <section aria-label="Grades">
      <h3 className="font-semibold">Grades</h3>
      <p className="text-muted text-secondary tabular-nums">
        {counted(total, noun)}
        {before && `, ${before.total.toLocaleString("en-GB")} before`}
      </p>
      <GradeBar counts={counts} className="mt-2.5 h-3! w-full" />
      {before !== null && before.total > 0 && (
        <GradeBar counts={before.counts} className="mt-1 h-1! w-full opacity-50" />
      )}
      <dl className="mt-3 flex flex-col gap-1.5">
        {[...gradeOrder, ...others].map((grade) => {
          const count = counts.get(grade) ?? 0;
          const { tone, title } = gradeWords(grade);
          const name = (
            <>
              <span className={cx("size-2.5 shrink-0 rounded-mark", gradeFill[tone])} aria-hidden="true" />
              {title}
            </>
          );
          return (
            <div
              key={grade}
              className="grid grid-cols-[minmax(120px,1fr)_40px_48px_minmax(72px,1.2fr)] items-baseline gap-x-2"
            >
              <dt>
                {opens && count > 0 ? (
                  <Link
                    to="/agents/$agentId/evaluations"
                    params={{ agentId }}
                    search={{
                      ...search,
                      result: undefined,
                      grade: search.grade === grade ? undefined : grade,
                    }}
                    replace
                    aria-current={search.grade === grade ? "true" : undefined}
                    className="hit inline-flex items-center gap-2 hover:text-accent aria-[current]:font-medium aria-[current]:text-accent"
                  >
                    {name}
                  </Link>
                ) : (
                  <span className="inline-flex items-center gap-2">{name}</span>
                )}
              </dt>
              <dd className="text-right text-title tabular-nums">{count}</dd>
              <dd className="text-right text-muted tabular-nums">
                {total >= few ? `${percent(count, total)} %` : ""}
              </dd>
              <dd className="truncate text-muted text-secondary">
                {before && againstBefore(count, total, before.counts.get(grade) ?? 0, before.total)}
              </dd>
            </div>
          );
        })}
      </dl>
      {total > 0 && total < few && (
        <p className="mt-2 text-muted text-secondary">
          {counted(total, noun)} {total === 1 ? "is" : "are"} too few to speak of shares.
        </p>
      )}
      {total > 0 && (
        <p className="mt-2 text-muted text-secondary">
          {noun === "conversation"
            ? "Each conversation counts once, by the worst grade that it got in these days."
            : "This service may count each result: a conversation that was judged twice would count twice."}
        </p>
      )}
    </section>
  );
}
