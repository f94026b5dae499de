import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Ago } from "../../../lib/time/Time.tsx";
import { counted } from "../../../lib/words.ts";
import { Button } from "../../../ui/Button.tsx";
import { State } from "../../../ui/State.tsx";
import { Table } from "../../../ui/Table.tsx";
import { linkClass } from "../../../ui/textClass.ts";
import { gradeWords } from "../grades.tsx";
import type { ResultIn } from "../queries.ts";
import { type EvaluationsSearch, ownRubric } from "../search.ts";
import { shortDay } from "./DayChart.tsx";
import { type CriterionShare, conversationOf } from "./results.ts";

type Props = {
  results: readonly ResultIn[];
  criteria: readonly CriterionShare[];
  agentId: string;
  search: EvaluationsSearch;
  isCut: boolean;
  /** There are some, and none that this person may read. */
  isUnread: boolean;
  onOpen: (id: string) => void;
};

/** So many rows at first; more on demand. */
const step = 50;

/** The results behind the numbers, those of one bar, grade, tag, rubric or criterion. */
export function Results({ results, criteria, agentId, search, isCut, isUnread, onOpen }: Props) {
  const [most, setMost] = useState(step);
  const filters = filterWords(search, criteria, results);
  const conversations = new Set(results.map(conversationOf)).size;
  return (
    <section aria-label="Results">
      <header className="flex flex-wrap items-baseline gap-x-3 py-3 pr-edge-right pl-edge-left">
        <h3 className="font-semibold">Results</h3>
        <span className="text-muted text-secondary tabular-nums">
          {`${counted(results.length, "result")} of ${counted(conversations, "conversation")}`}
          {filters !== "" && `, ${filters}`}
          {isCut && "; only the newest 1,000 are shown"}
        </span>
        {filters !== "" && (
          <Link
            to="/agents/$agentId/evaluations"
            params={{ agentId }}
            search={{ ...(search.days !== undefined && { days: search.days }) }}
            className={linkClass}
          >
            Show all
          </Link>
        )}
      </header>
      {results.length === 0 ? (
        <p className="pr-edge-right pb-4 pl-edge-left text-muted">
          {isUnread
            ? "You can’t read the conversations graded in this period."
            : "No results in this period."}
        </p>
      ) : (
        <Table
          label="Results"
          rows={results.slice(0, most)}
          idOf={(one) => one.evaluation_id}
          isSelected={(one) => one.evaluation_id === search.result}
          onRow={(one) => onOpen(one.evaluation_id)}
          columns={{
            conversation: {
              head: "Conversation",
              cell: (one) => <Conversation one={one} onOpen={onOpen} />,
            },
            grade: { head: "Grade", width: 148, cell: (one) => <ResultState result={one} /> },
            failed: {
              head: "Not met",
              width: 220,
              kind: "support",
              className: "@max-[800px]:hidden",
              cell: (one) =>
                (one.criteria_results ?? [])
                  .filter((each) => each?.result === "failure")
                  .map((each) => each?.name)
                  .join(", "),
            },
            evaluated: {
              head: "Evaluated",
              width: 104,
              kind: "support",
              className: "max-sm:hidden",
              cell: (one) => <Ago at={one.created_ts} />,
            },
          }}
        />
      )}
      {results.length > most && (
        <Button size="small" variant="quiet" className="m-3" onClick={() => setMost(most + 4 * step)}>
          Show more
        </Button>
      )}
    </section>
  );
}

function Conversation({ one, onOpen }: { one: ResultIn; onOpen: Props["onOpen"] }) {
  const name = one.session_name || one.interaction_id;
  return (
    <span className="flex items-baseline gap-2.5">
      <button
        type="button"
        onClick={() => onOpen(one.evaluation_id)}
        title={name || undefined}
        className="min-w-0 truncate font-medium"
      >
        <bdi>{name}</bdi>
      </button>
      {typeof one.turn === "number" && one.turn > 1 && (
        <span className="shrink-0 text-muted text-secondary tabular-nums">turn {one.turn}</span>
      )}
      {one.rubric && (
        <span className="shrink-0 text-muted text-secondary max-sm:hidden">
          <bdi>{one.rubric.name || one.rubric.id}</bdi>
        </span>
      )}
      {one.summary && (
        <span className="min-w-0 flex-1 basis-0 truncate text-muted text-secondary">
          <bdi>{one.summary}</bdi>
        </span>
      )}
    </span>
  );
}

/** The grade of a result; of one that has none yet, how far it is. */
export function ResultState({ result }: { result: ResultIn }) {
  if (result.grade) {
    const { tone, title } = gradeWords(result.grade);
    return <State tone={tone} word={title.toLowerCase()} />;
  }
  const { status } = result;
  if (status === "failed") return <State tone="failed" word="not evaluated" />;
  if (status === "completed") return <State tone="done" word="no grade" />;
  if (status === "queued" || status === "running") return <State tone="running" word="evaluating" />;
  return <State tone="unknown" word={status || "unknown"} />;
}

function filterWords(
  { day, grade, tag, rubric, criterion }: EvaluationsSearch,
  criteria: readonly CriterionShare[],
  results: readonly ResultIn[],
): string {
  return [
    day === undefined ? "" : `on ${shortDay(day)}`,
    grade === undefined ? "" : gradeWords(grade).title.toLowerCase(),
    tag === undefined ? "" : `tagged ${tag}`,
    rubric === undefined
      ? ""
      : `by ${
          rubric === ownRubric
            ? "the agent’s own criteria"
            : (results.find((one) => one.rubric?.id === rubric)?.rubric?.name ?? rubric)
        }`,
    criterion === undefined
      ? ""
      : `not meeting “${criteria.find((one) => one.id === criterion)?.name ?? criterion}”`,
  ]
    .filter(Boolean)
    .join(", ");
}
