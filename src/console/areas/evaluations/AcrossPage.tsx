import { Link, useNavigate } from "@tanstack/react-router";
import { useApi } from "../../lib/api/api-context.tsx";
import { useCan } from "../../lib/api/useCan.ts";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Stale } from "../../lib/failure/Stale.tsx";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { LiveStatus } from "../../lib/page/LiveStatus.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { later } from "../../ui/later.ts";
import { PageFoot } from "../../ui/PageFoot.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { Table, Th } from "../../ui/Table.tsx";
import { Tab, TabBar } from "../../ui/Tabs.tsx";
import { agentPages } from "../directory/index.ts";

import { AgentRow } from "./AgentRow.tsx";
import { DeleteById } from "./DeleteById.tsx";
import { PeriodPicker } from "./PeriodPicker.tsx";
import { usualPeriod } from "./period.ts";
import { Rubrics } from "./Rubrics.tsx";
import { type AcrossSearch, readAcrossSearch } from "./search.ts";

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
