import { Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import type { Graded } from "../graded.ts";
import { gradeOrder, gradeWords, sumOf } from "../grades.ts";
import { perDay, shortDay } from "./DayChart.tsx";
import type { DayOfGrades } from "./results.ts";

/** The chart's numbers as a table, newest first. */
export function DayTable({ days, noun }: { days: readonly DayOfGrades[]; noun: Graded["noun"] }) {
  const others = [...new Set(days.flatMap((one) => [...one.counts.keys()]))].filter(
    (grade) => !gradeOrder.some((one) => one === grade),
  );
  const grades = [...gradeOrder, ...others];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and without this only by a pointer
    <section aria-label="The numbers of the days" tabIndex={0} className="max-h-64 overflow-y-auto">
      <Table label={perDay(noun)}>
        <thead>
          <tr>
            <Th>Day</Th>
            <Th isFigure>{noun === "conversation" ? "Conversations" : "Results"}</Th>
            {grades.map((grade) => (
              <Th key={grade} isFigure>
                {gradeWords(grade).title}
              </Th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map((one) => (
            <Tr key={one.day}>
              <Td>
                {shortDay(one.day, days.at(-1)?.day)}
                {one.days > 1 && <span className="text-muted"> and {one.days - 1} more days</span>}
              </Td>
              <Td kind="figure">{sumOf(one.counts)}</Td>
              {grades.map((grade) => (
                <Td key={grade} kind="figure" className="text-muted">
                  {one.counts.get(grade) ?? 0}
                </Td>
              ))}
            </Tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}
