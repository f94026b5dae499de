import { Link, useNavigate } from "@tanstack/react-router";
import { describeError } from "../../api/describe-error.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { ListView, shapeOf } from "../../lib/list/ListView.tsx";
import { narrowedTitle } from "../../lib/page/narrowed-title.ts";
import { Page } from "../../lib/page/Page.tsx";
import { useFocusKept } from "../../lib/page/useFocusKept.ts";
import { usePages } from "../../lib/paging/usePages.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { counted, grouped } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { later } from "../../ui/later.ts";
import { type Columns, TableFrame, TableRow } from "../../ui/Table.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { agentPages } from "../directory/index.ts";
import { DeleteById } from "./DeleteById.tsx";
import { againstBefore, GradeBar, type Graded, passWords, useGraded, useWorstFirst } from "./grades.tsx";
import { PeriodPicker, periodWords } from "./PeriodPicker.tsx";
import { evaluationQueries } from "./queries.ts";
import { NewRubric, Rubrics } from "./Rubrics.tsx";
import { type AcrossSearch, newRubric, readAcrossSearch, usualPeriod } from "./search.ts";

const RubricPage = later(() => import("./RubricPage.tsx"));

/** How conversations went, agent by agent, on one scale; and the rubrics that several agents share. */
export function AcrossPage({ search }: { search: AcrossSearch }) {
  const navigate = useNavigate({ from: "/evaluations" });
  const canRubrics = useCan("evaluations");
  const days = search.days ?? usualPeriod;
  const list = usePages(agentPages(useApi(), { sort_order: "name_asc" }));
  const { query, rows, more } = list;
  const agents = useWorstFirst(
    rows.map(({ id, name }) => ({ id, name: name || id })),
    days,
  );
  const showsRubrics = search.tab === "rubrics" && canRubrics;
  const rubricTitle = useRubricTitle(showsRubrics ? search.rubric : undefined);
  useFocusKept((showsRubrics && search.rubric) || "list");
  return (
    <Page
      title={narrowedTitle(
        "Evaluations",
        undefined,
        ...(showsRubrics ? [rubricTitle, "Saved rubrics"] : [periodWords(search.days)]),
      )}
      heading="Evaluations"
      live={query.queryKey}
      actions={showsRubrics && search.rubric === undefined && <NewRubric />}
    >
      {canRubrics && (
        <TabBar label="Evaluations" className="shrink-0 pr-edge-right pl-edge-left">
          <Tab isActive={!showsRubrics}>
            <Link to="/evaluations" search={search.days === undefined ? {} : { days: search.days }}>
              Agents
            </Link>
          </Tab>
          <Tab isActive={showsRubrics}>
            <Link
              to="/evaluations"
              search={{ tab: "rubrics", ...(search.days !== undefined && { days: search.days }) }}
            >
              Saved rubrics
            </Link>
          </Tab>
        </TabBar>
      )}
      {showsRubrics && search.rubric !== undefined ? (
        <LazyPart>
          <RubricPage rubricId={search.rubric} part={search.part} />
        </LazyPart>
      ) : showsRubrics ? (
        <Rubrics />
      ) : (
        <>
          <div className="flex min-h-filters shrink-0 items-center py-2 pr-edge-right pl-edge-left">
            <PeriodPicker
              days={days}
              onChange={(value) =>
                void navigate({ search: (old) => readAcrossSearch({ ...old, days: value }), replace: true })
              }
            />
          </div>
          <ListView
            list={list}
            what="The agents"
            shape={shapeOf(columns(days))}
            isEmpty={agents.length === 0}
            empty={
              <EmptyState
                title="No agents yet"
                actions={<Button onClick={() => void navigate({ to: "/agents" })}>Go to agents</Button>}
              >
                Once you have agents, this page shows how their conversations were graded.
              </EmptyState>
            }
            foot={`Most “needs attention” first, compared with the previous ${counted(days, "day")}${more ? `; first ${counted(agents.length, "agent")}` : ""}`}
            below={!canRubrics && <DeleteById />}
            moreLabel="Show more agents"
          >
            <TableFrame label="Evaluations by agent" columns={columns(days)}>
              <tbody>
                {agents.map((agent) => (
                  <AgentRow key={agent.id} agent={agent} days={days} />
                ))}
              </tbody>
            </TableFrame>
          </ListView>
        </>
      )}
    </Page>
  );
}

/** What the opened rubric is called, as far as it is read; undefined for none. */
function useRubricTitle(rubricId: string | undefined): string | undefined {
  const isRead = useCan("rubric_edit") && rubricId !== undefined && rubricId !== newRubric;
  const read = useRead({ ...evaluationQueries.rubric(useApi(), rubricId ?? ""), enabled: isRead });
  if (rubricId === newRubric) return "New rubric";
  return rubricId && (read.data?.data.evaluation?.name || rubricId);
}

type Agent = { readonly id: string; readonly name: string };
/** An agent with what its evaluations say; null before they were read. */
type Row = { readonly agent: Agent; readonly graded: Graded | null };

/** One agent: how much was graded, in which shares, and what needs somebody against the days before. */
function AgentRow({ agent, days }: { agent: Agent; days: number }) {
  const { query, both, graded } = useGraded(agent.id, days);
  const retry = () => void Promise.all([query.refetch(), both.isError && both.refetch()]);
  const unread = query.isError ? (
    <span className="flex min-w-0 items-center gap-2">
      <span className="shrink-0">could not be loaded</span>
      <span className="min-w-0 truncate text-muted max-sm:hidden">{describeError(query.error).what}</span>
      <Button
        size="small"
        className="-my-1 shrink-0"
        loading={query.isRetrying}
        aria-label={`Retry: ${agent.name}`}
        onClick={retry}
      >
        Retry
      </Button>
    </span>
  ) : (
    "loading…"
  );
  return (
    <TableRow
      id={agent.id}
      columns={columns(days)}
      row={{ agent, graded: graded ?? null }}
      rest={!graded && { after: 1, kind: "faint", content: unread }}
    />
  );
}

const columns = (days: number): Columns<Row> => {
  const search = days === usualPeriod ? {} : { days };
  return {
    agent: {
      head: "Agent",
      kind: "name",
      cell: ({ agent: { id: agentId, name } }) => (
        <Link to="/agents/$agentId/evaluations" params={{ agentId }} search={search}>
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    graded: {
      head: "Graded",
      width: 160,
      kind: "figure",
      headClass: "@max-[1100px]:w-[76px]",
      cell: ({ graded }) =>
        graded && (
          <>
            {grouped(graded.total)}{" "}
            <span className="text-muted @max-[1100px]:sr-only">
              {graded.total === 1 ? graded.noun : `${graded.noun}s`}
            </span>
          </>
        ),
    },
    grades: {
      head: "Grades",
      width: 220,
      headClass: "max-sm:w-[148px]",
      cell: ({ graded }) =>
        graded?.total ? (
          <span className="flex items-baseline gap-2.5">
            <GradeBar counts={graded.counts} className="w-[72px] self-center max-sm:w-10" />
            <span className="min-w-0 truncate text-secondary tabular-nums">
              {passWords(graded.counts, graded.total)}
            </span>
          </span>
        ) : (
          <span className="text-faint">no evaluations</span>
        ),
    },
    attention: {
      head: "Needs attention",
      width: 176,
      kind: "support",
      className: "@max-[760px]:hidden",
      cell: ({ agent, graded }) => {
        if (!graded?.total) return null;
        const { counts, total, before } = graded;
        const bad = counts.get("needs_attention") ?? 0;
        return (
          <Link
            to="/agents/$agentId/evaluations"
            params={{ agentId: agent.id }}
            search={{ ...search, grade: "needs_attention" }}
            className={cx(bad > 0 && "font-medium text-state-failed-fg")}
          >
            {bad}
            <span className="ml-2 font-normal text-muted">
              {before && againstBefore(bad, total, before.counts.get("needs_attention") ?? 0, before.total)}
            </span>
          </Link>
        );
      },
    },
    tags: {
      head: "Top tags",
      width: 200,
      kind: "support",
      className: "@max-[960px]:hidden",
      cell: ({ graded }) => {
        const tags = [...(graded?.tags ?? [])].sort((a, b) => b[1] - a[1]).slice(0, 2);
        return <span className="text-mono-narrow">{tags.map(([tag]) => tag).join(", ")}</span>;
      },
    },
  };
};
