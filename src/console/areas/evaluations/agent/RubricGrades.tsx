import { Link } from "@tanstack/react-router";
import { Table, Td, Th, Tr } from "../../../ui/Table.tsx";
import { GradeBar } from "../GradeBar.tsx";
import type { RubricGrades as OfRubric } from "../graded.ts";
import { passWords, sumOf } from "../grades.ts";
import { type EvaluationsSearch, ownRubric } from "./search.ts";

type Props = { rubrics: readonly OfRubric[]; agentId: string; search: EvaluationsSearch; opens: boolean };

/** How each rubric graded the same conversations; nothing where only the agent's own criteria judge. */
export function RubricGrades({ rubrics, agentId, search, opens }: Props) {
  if (rubrics.every(({ id }) => id === null)) return null;
  return (
    <Table label="By rubric" className="mt-4">
      <thead>
        <tr>
          <Th>By rubric</Th>
          <Th isFigure className="w-[112px]">
            Conversations
          </Th>
          <Th className="w-[148px]">Grades</Th>
        </tr>
      </thead>
      <tbody>
        {rubrics.map(({ id, name, counts }) => {
          const rubric = id ?? ownRubric;
          const isChosen = search.rubric === rubric;
          const total = sumOf(counts);
          return (
            <Tr key={rubric} isSelected={isChosen}>
              <Td kind="name" className="whitespace-normal break-words">
                {opens ? (
                  <Link
                    to="/agents/$agentId/evaluations"
                    params={{ agentId }}
                    search={{ ...search, result: undefined, rubric: isChosen ? undefined : rubric }}
                    replace
                    title={name}
                  >
                    <bdi>{name}</bdi>
                  </Link>
                ) : (
                  <bdi>{name}</bdi>
                )}
              </Td>
              <Td kind="figure">{total.toLocaleString("en-GB")}</Td>
              <Td>
                <span className="flex items-baseline gap-2">
                  <GradeBar counts={counts} className="w-12 shrink-0 self-center" />
                  <span className="min-w-0 truncate text-secondary tabular-nums">
                    {passWords(counts, total)}
                  </span>
                </span>
              </Td>
            </Tr>
          );
        })}
      </tbody>
    </Table>
  );
}
