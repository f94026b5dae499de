import { Link } from "@tanstack/react-router";
import { useApi } from "../../lib/api.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { State } from "../../ui/State.tsx";
import { Table, Td, Th, Tr } from "../../ui/Table.tsx";
import { gradeWords } from "./grades.tsx";
import { type RubricResultIn, rubricResultPages } from "./queries.ts";

/** What a rubric found, conversation by conversation, newest first; each leads to the result and its reasons. */
export function RubricResults({ rubricId, isOn }: { rubricId: string; isOn: boolean }) {
  const { query, rows, damage, more } = usePages(rubricResultPages(useApi(), rubricId));
  if (query.isPending)
    return <SkeletonRows label="Reading results" rows={6} columns={["2fr", "1fr", "1fr", "80px"]} />;
  if (query.isError && query.data === undefined)
    return (
      <Failure
        error={query.error}
        what="The results"
        onRetry={() => void query.refetch()}
        isRetrying={query.isRetrying}
      />
    );
  if (rows.length === 0)
    return (
      <EmptyState title="No results yet">
        {isOn
          ? "A result comes after the next turn of a conversation that it judges. Results of conversations that you may not read are not listed."
          : "It is switched off, so it judges nothing. Switched on, a result comes after the next turn."}
      </EmptyState>
    );
  return (
    <>
      <Stale query={query} />
      <Damage damage={damage} />
      <Table label="Results">
        <thead>
          <tr>
            <Th>Conversation</Th>
            <Th className="w-[200px] @max-[620px]:hidden">Agent</Th>
            <Th className="w-[148px]">Grade</Th>
            <Th className="w-[240px] @max-[900px]:hidden">Not met</Th>
            <Th className="w-[112px] @max-[480px]:hidden">Evaluated</Th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <ResultRow key={one.evaluation_id} one={one} />
          ))}
        </tbody>
      </Table>
      <PageFoot more={more && { label: "Show older", ...more }}>
        {more ? `The newest ${rows.length} results` : "Results of conversations that you may read"}
      </PageFoot>
    </>
  );
}

function ResultRow({ one }: { one: RubricResultIn }) {
  const name = one.session_name || one.interaction_id || one.evaluation_id;
  const failed = (one.criteria_results ?? []).flatMap((each) =>
    each?.result === "failure" ? [each.name || each.id || ""] : [],
  );
  return (
    <Tr>
      <Td kind="name">
        {one.agent_id ? (
          <Link
            to="/agents/$agentId/evaluations"
            params={{ agentId: one.agent_id }}
            search={{ result: one.evaluation_id }}
          >
            <bdi>{name}</bdi>
          </Link>
        ) : (
          <bdi>{name}</bdi>
        )}
      </Td>
      <Td kind="support" className="@max-[620px]:hidden">
        <bdi>{one.agent_name || one.agent_id}</bdi>
      </Td>
      <Td>
        <GradeState one={one} />
      </Td>
      <Td kind="support" className="@max-[900px]:hidden">
        <bdi>{failed.join(", ")}</bdi>
      </Td>
      <Td kind="support" className="@max-[480px]:hidden">
        <Ago at={one.finished_ts ?? one.created_ts} />
      </Td>
    </Tr>
  );
}

function GradeState({ one }: { one: RubricResultIn }) {
  if (one.status === "failed") return <State tone="failed" word="could not be judged" />;
  if (one.status === "queued" || one.status === "running")
    return <State tone="running" word={one.status === "queued" ? "waiting" : "running"} />;
  if (!one.grade) return <State tone="waiting" word="no grade" />;
  const { tone, title } = gradeWords(one.grade);
  return <State tone={tone} word={title.toLowerCase()} />;
}
