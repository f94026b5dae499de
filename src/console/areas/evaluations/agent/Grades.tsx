import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { counted, grouped } from "../../../lib/words.ts";
import { cx } from "../../../ui/cx.ts";
import { PanelSection } from "../../../ui/Panel.tsx";
import { Table } from "../../../ui/Table.tsx";
import {
  againstBefore,
  few,
  GradeBar,
  type Graded,
  gradeFill,
  gradeWords,
  passWords,
  percent,
  type RubricGrades,
  shownGrades,
  sumOf,
} from "../grades.tsx";
import { type EvaluationsSearch, ownRubric } from "../search.ts";
import type { DataPointSummary } from "./results.ts";

type Props = {
  graded: Graded;
  agentId: string;
  search: EvaluationsSearch;
  opens: boolean;
};

type FilterLinkProps = Pick<Props, "agentId" | "search"> & {
  /** What is filtered by, or undefined to take it away. */
  by: Partial<EvaluationsSearch>;
  /** A bar of the chart, which the arrow keys go through. */
  "data-bar"?: "";
} & Pick<ComponentProps<"a">, "className" | "title" | "style" | "aria-label" | "aria-current" | "children">;

/** Leads to the results with one filter more, or less, in the address. */
export function FilterLink({ agentId, search, by, ...rest }: FilterLinkProps) {
  return (
    <Link
      to="/agents/$agentId/evaluations"
      params={{ agentId }}
      search={{ ...search, result: undefined, ...by }}
      replace
      {...rest}
    />
  );
}

/** Shares of the grades against the period before; under twenty the count, and that it is too few. */
export function Grades({ graded, agentId, search, opens }: Props) {
  const { counts, total, noun, before } = graded;
  return (
    <section aria-label="Grades">
      <h3 className="font-semibold">Grades</h3>
      <p className="text-muted text-secondary tabular-nums">
        {counted(total, noun)}
        {before && `, ${grouped(before.total)} before`}
      </p>
      <GradeBar counts={counts} className="mt-2.5 h-3! w-full" />
      {before !== null && before.total > 0 && (
        <GradeBar counts={before.counts} className="mt-1 h-1! w-full opacity-50" />
      )}
      <dl className="mt-3 flex flex-col gap-1.5">
        {shownGrades(counts.keys()).map((grade) => {
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
              className="grid grid-cols-[minmax(120px,1fr)_40px_40px_minmax(96px,1.2fr)] items-baseline gap-x-2"
            >
              <dt>
                {opens && count > 0 ? (
                  <FilterLink
                    {...{ agentId, search }}
                    by={{ grade: search.grade === grade ? undefined : grade }}
                    aria-current={search.grade === grade ? "true" : undefined}
                    className="hit inline-flex items-center gap-2 hover:text-accent aria-[current]:font-medium aria-[current]:text-accent"
                  >
                    {name}
                  </FilterLink>
                ) : (
                  <span className="inline-flex items-center gap-2">{name}</span>
                )}
              </dt>
              <dd className="text-right text-title tabular-nums">{count}</dd>
              <dd className="text-right text-muted tabular-nums">
                {total >= few ? `${percent(count, total)} %` : ""}
              </dd>
              <dd className="text-muted text-secondary">
                {before && againstBefore(count, total, before.counts.get(grade) ?? 0, before.total)}
              </dd>
            </div>
          );
        })}
      </dl>
      {total > 0 && total < few && (
        <p className="mt-2 text-muted text-secondary">
          {counted(total, noun)} {total === 1 ? "is" : "are"} too few for percentages.
        </p>
      )}
      {total > 0 && (
        <p className="mt-2 text-muted text-secondary">
          {noun === "conversation"
            ? "Each conversation counts once, by its worst grade in this period."
            : "This service may count results: a conversation evaluated twice counts twice."}
        </p>
      )}
    </section>
  );
}

type GradesByRubricProps = Omit<Props, "graded"> & { rubrics: readonly RubricGrades[] };

/** How each rubric graded the same conversations; nothing where only the agent's own criteria judge. */
export function GradesByRubric({ rubrics, agentId, search, opens }: GradesByRubricProps) {
  if (rubrics.every(({ id }) => id === null)) return null;
  return (
    <Table
      label="By rubric"
      // It stands in a section that has the page's edges.
      className="mt-4 [&_:is(td,th)]:first:pl-0 [&_:is(td,th)]:last:pr-0"
      rows={rubrics}
      idOf={({ id }) => id ?? ownRubric}
      isSelected={({ id }) => search.rubric === (id ?? ownRubric)}
      columns={{
        rubric: {
          head: "By rubric",
          kind: "name",
          cellClass: "whitespace-normal break-words",
          cell: ({ id, name }) => {
            const rubric = id ?? ownRubric;
            if (!opens) return <bdi>{name}</bdi>;
            return (
              <FilterLink
                {...{ agentId, search }}
                by={{ rubric: search.rubric === rubric ? undefined : rubric }}
                title={name}
              >
                <bdi>{name}</bdi>
              </FilterLink>
            );
          },
        },
        conversations: {
          head: "Graded",
          width: 64,
          kind: "figure",
          cell: ({ counts }) => grouped(sumOf(counts)),
        },
        grades: {
          head: "Grades",
          width: 156,
          headClass: "@max-[340px]:w-[100px]",
          cell: ({ counts }) => (
            <span className="flex items-baseline gap-2">
              <GradeBar counts={counts} className="w-12 shrink-0 self-center @max-[340px]:hidden" />
              <span className="min-w-0 truncate text-secondary tabular-nums">
                {passWords(counts, sumOf(counts))}
              </span>
            </span>
          ),
        },
      }}
    />
  );
}

type TagsProps = Omit<Props, "graded"> & {
  graded: Pick<Graded, "tags" | "before" | "noun">;
  dataPoints: readonly DataPointSummary[];
};

/** How many conversations (or results) got each tag, with a tick where it stood before; and what the data points say. */
export function Tags({ graded, dataPoints, agentId, search, opens }: TagsProps) {
  const { tags, before: period, noun } = graded;
  const tagsBefore = period?.tags ?? new Map<string, number>();
  const sorted = [...tags].sort((a, b) => b[1] - a[1]);
  const most = Math.max(1, ...tags.values(), ...tagsBefore.values());
  return (
    <>
      <PanelSection title="Tags" aside={`by ${noun}${tagsBefore.size > 0 ? ", tick: previous period" : ""}`}>
        {sorted.length === 0 ? (
          <p className="text-faint">none</p>
        ) : (
          <ul>
            {sorted.map(([tag, count]) => {
              const before = tagsBefore.get(tag) ?? 0;
              const difference = count - before;
              return (
                <li key={tag} className="grid min-h-7 grid-cols-[1fr_84px_32px_40px] items-center gap-2">
                  {opens ? (
                    <FilterLink
                      {...{ agentId, search }}
                      by={{ tag: search.tag === tag ? undefined : tag }}
                      aria-current={search.tag === tag ? "true" : undefined}
                      title={tag}
                      className="truncate text-mono hover:text-accent aria-[current]:text-accent"
                    >
                      {tag}
                    </FilterLink>
                  ) : (
                    <span className="truncate text-mono" title={tag}>
                      {tag}
                    </span>
                  )}
                  <span className="relative h-1.5" aria-hidden="true">
                    <span
                      className="block h-full bg-chart-quiet"
                      style={{ width: `${(count / most) * 100}%` }}
                    />
                    {before > 0 && (
                      <span
                        className="-top-0.5 absolute h-2.5 w-px bg-surface-inverse"
                        style={{ left: `${(before / most) * 100}%` }}
                      />
                    )}
                  </span>
                  <span className="text-right tabular-nums">{count}</span>
                  <span className="text-right text-muted text-secondary tabular-nums">
                    {period === null || difference === 0
                      ? ""
                      : difference > 0
                        ? `+${difference}`
                        : `−${-difference}`}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </PanelSection>
      {dataPoints.length > 0 && (
        <PanelSection title="Data points">
          <ul>
            {dataPoints.map((point) => (
              <li
                key={`${point.rubric?.id} ${point.id}`}
                className="grid min-h-7 grid-cols-[minmax(0,1fr)_72px_fit-content(45%)] items-center gap-2"
              >
                <span className="truncate text-mono" title={point.id}>
                  {point.name}
                  {point.rubric && (
                    <span className="ml-2 text-muted text-secondary">
                      <bdi>{point.rubric.name}</bdi>
                    </span>
                  )}
                </span>
                <span className="text-muted text-secondary">{point.type}</span>
                <span className="text-right text-secondary tabular-nums [overflow-wrap:anywhere]">
                  {point.words}
                </span>
              </li>
            ))}
          </ul>
        </PanelSection>
      )}
    </>
  );
}
