import { Link, useNavigate } from "@tanstack/react-router";
import { describeError } from "../../api/describe-error.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { LiveStatus, Page } from "../../lib/page/Page.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { later } from "../../ui/later.ts";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { RestCell, Table, Td, Th, Tr } from "../../ui/Table.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { agentPages } from "../directory/index.ts";
import { DeleteById } from "./DeleteById.tsx";
import { againstBefore, GradeBar, passWords, useGraded } from "./grades.tsx";
import { PeriodPicker } from "./PeriodPicker.tsx";
import { Rubrics } from "./Rubrics.tsx";
import { type AcrossSearch, readAcrossSearch, usualPeriod } from "./search.ts";

const RubricPage = later(() => import("./RubricPage.tsx"));

/** How conversations went, agent by agent, on one scale; and the rubrics that several agents share. */
export function AcrossPage({ search }: { search: AcrossSearch }) {
  const navigate = useNavigate({ from: "/evaluations" });
  const canRubrics = useCan("evaluations");
  const days = search.days ?? usualPeriod;
  const { query, rows, more } = usePages(agentPages(useApi(), { sort_order: "name_asc" }));
  const agents = rows.map(({ id, name }) => ({ id, name: name || id }));
  const hasFailed = query.isError && query.data === undefined;
  const showsRubrics = search.tab === "rubrics" && canRubrics;
  return (
    <Page title="Evaluations" heading="Evaluations" live={<LiveStatus queryKey={query.queryKey} />}>
      {canRubrics && (
        <TabBar label="Evaluations" className="shrink-0 pr-edge-right pl-edge-left">
          <Tab asChild isActive={!showsRubrics}>
            <Link to="/evaluations" search={search.days === undefined ? {} : { days: search.days }}>
              Agents
            </Link>
          </Tab>
          <Tab asChild isActive={showsRubrics}>
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
          {!hasFailed && <Stale query={query} />}
          <Damage damage={query.data?.damage ?? []} />
          {query.isPending ? (
            <SkeletonRows label="Reading agents" rows={6} columns={["2fr", "72px", "1fr", "1fr"]} />
          ) : hasFailed ? (
            <Failure
              error={query.error}
              what="The agents"
              onRetry={() => void query.refetch()}
              isRetrying={query.isRetrying}
            />
          ) : agents.length === 0 ? (
            <EmptyState
              title="No agents yet"
              actions={<Button onClick={() => void navigate({ to: "/agents" })}>Go to the agents</Button>}
            >
              Each agent appears here with how its conversations were graded. Make one first.
            </EmptyState>
          ) : (
            <Table label="Evaluations by agent">
              <thead>
                <tr>
                  <Th>Agent</Th>
                  <Th isFigure className="w-[160px] @max-[1100px]:w-[76px]">
                    Graded
                  </Th>
                  <Th className="w-[220px] max-sm:w-[136px]">Grades</Th>
                  <Th className="w-[176px] @max-[760px]:hidden">Needs attention</Th>
                  <Th className="w-[200px] @max-[960px]:hidden">Most given tags</Th>
                </tr>
              </thead>
              <tbody>
                {agents.map((agent) => (
                  <AgentRow key={agent.id} agent={agent} days={days} />
                ))}
              </tbody>
            </Table>
          )}
          {!canRubrics && <DeleteById />}
          <PageFoot more={more && { label: "Show more agents", ...more }}>
            Against the {days} days before
            {more ? `; the first ${agents.length} agents` : ""}
          </PageFoot>
        </>
      )}
    </Page>
  );
}

type Props = { agent: { readonly id: string; readonly name: string }; days: number };

/** One agent: how much was graded, in which shares, and what needs somebody against the days before. */
function AgentRow({ agent, days }: Props) {
  const { query: now, both, graded } = useGraded(agent.id, days);
  const bad = graded?.counts.get("needs_attention") ?? 0;
  const before = graded?.before ?? null;
  const tags = [...(graded?.tags ?? [])].sort((a, b) => b[1] - a[1]).slice(0, 2);
  const search = days === usualPeriod ? {} : { days };
  return (
    <Tr>
      <Td kind="name">
        <Link to="/agents/$agentId/evaluations" params={{ agentId: agent.id }} search={search}>
          <bdi>{agent.name}</bdi>
        </Link>
      </Td>
      {graded ? (
        <>
          <Td kind="figure">
            {graded.total.toLocaleString("en-GB")}{" "}
            <span className="text-muted @max-[1100px]:sr-only">
              {graded.total === 1 ? graded.noun : `${graded.noun}s`}
            </span>
          </Td>
          <Td>
            {graded.total === 0 ? (
              <span className="text-faint">none evaluated</span>
            ) : (
              <span className="flex items-baseline gap-2.5">
                <GradeBar counts={graded.counts} className="w-[72px] self-center max-sm:w-10" />
                <span className="min-w-0 truncate text-secondary tabular-nums">
                  {passWords(graded.counts, graded.total)}
                </span>
              </span>
            )}
          </Td>
          <Td kind="support" className="@max-[760px]:hidden">
            {graded.total > 0 && (
              <Link
                to="/agents/$agentId/evaluations"
                params={{ agentId: agent.id }}
                search={{ ...search, grade: "needs_attention" }}
                className={cx(bad > 0 && "font-medium text-state-failed-fg")}
              >
                {bad}
                <span className="ml-2 font-normal text-muted">
                  {before &&
                    againstBefore(bad, graded.total, before.counts.get("needs_attention") ?? 0, before.total)}
                </span>
              </Link>
            )}
          </Td>
          <Td kind="support" className="@max-[960px]:hidden">
            <span className="text-mono-narrow">{tags.map(([tag]) => tag).join(", ")}</span>
          </Td>
        </>
      ) : (
        <RestCell before={1} kind="faint">
          {now.isError ? (
            <span className="flex min-w-0 items-center gap-2">
              <span className="shrink-0">could not be read</span>
              <span className="min-w-0 truncate text-muted max-sm:hidden">
                {describeError(now.error).what}
              </span>
              <Button
                size="small"
                className="-my-1 shrink-0"
                loading={now.isRetrying}
                aria-label={`Retry: ${agent.name}`}
                onClick={() => void Promise.all([now.refetch(), both.isError && both.refetch()])}
              >
                Retry
              </Button>
            </span>
          ) : (
            "reading…"
          )}
        </RestCell>
      )}
    </Tr>
  );
}
