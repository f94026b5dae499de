import { Link } from "@tanstack/react-router";
import { useApi } from "../../lib/api.tsx";
import { TableList } from "../../lib/list/ListView.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { State } from "../../ui/State.tsx";
import type { Columns } from "../../ui/Table.tsx";
import { gradeWords } from "./grades.tsx";
import { type RubricResultIn, rubricResultPages } from "./queries.ts";

/** What a rubric found, conversation by conversation, newest first; each leads to the result and its reasons. */
export function RubricResults({ rubricId, isOn }: { rubricId: string; isOn: boolean }) {
  const list = usePages(rubricResultPages(useApi(), rubricId));
  const { rows, more } = list;
  return (
    <TableList
      list={list}
      what="The results"
      table={{ label: "Results", columns, rows, idOf: (one) => one.evaluation_id }}
      empty={
        <EmptyState title="No results yet">
          {isOn
            ? "Results appear after the next turn of a conversation. Only conversations you can read are listed."
            : "This rubric is off. Once it is on, results appear after the next turn."}
        </EmptyState>
      }
      foot={more ? `The newest ${counted(rows.length, "result")}` : "Results of conversations you can read"}
    />
  );
}

const columns: Columns<RubricResultIn> = {
  conversation: {
    head: "Conversation",
    kind: "name",
    cell: (one) => {
      const name = <bdi>{one.session_name || one.interaction_id || one.evaluation_id}</bdi>;
      if (!one.agent_id) return name;
      return (
        <Link
          to="/agents/$agentId/evaluations"
          params={{ agentId: one.agent_id }}
          search={{ result: one.evaluation_id }}
        >
          {name}
        </Link>
      );
    },
  },
  agent: {
    head: "Agent",
    width: 200,
    kind: "support",
    className: "@max-[620px]:hidden",
    cell: (one) => <bdi>{one.agent_name || one.agent_id}</bdi>,
  },
  grade: { head: "Grade", width: 148, cell: (one) => <GradeState one={one} /> },
  failed: {
    head: "Not met",
    width: 240,
    kind: "support",
    className: "@max-[900px]:hidden",
    cell: (one) => {
      const failed = (one.criteria_results ?? []).filter((each) => each?.result === "failure");
      return <bdi>{failed.map((each) => each?.name || each?.id).join(", ")}</bdi>;
    },
  },
  evaluated: {
    head: "Evaluated",
    width: 112,
    kind: "support",
    className: "@max-[480px]:hidden",
    cell: (one) => <Ago at={one.finished_ts ?? one.created_ts} />,
  },
};

function GradeState({ one }: { one: RubricResultIn }) {
  if (one.status === "failed") return <State tone="failed" word="failed" />;
  if (one.status === "queued" || one.status === "running")
    return <State tone="running" word={one.status === "queued" ? "waiting" : "running"} />;
  if (!one.grade) return <State tone="waiting" word="no grade" />;
  const { tone, title } = gradeWords(one.grade);
  return <State tone={tone} word={title.toLowerCase()} />;
}
