import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useCan } from "../../lib/api.tsx";
import { curlOf } from "../../lib/curl.ts";
import { Failure } from "../../lib/failure/Failure.tsx";
import { usePages } from "../../lib/paging/usePages.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { PageFoot } from "../../ui/PageFrame.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { State } from "../../ui/State.tsx";
import { Table, Td, Th, Tr } from "../../ui/Table.tsx";
import { DeleteEvaluation } from "./DeleteById.tsx";
import { type RubricIn, rubricPages } from "./queries.ts";
import { newRubric } from "./search.ts";

/** Rubrics that several agents share: whether they run, what they judged, and where each is looked at (§3.6, §4.13). */
export function Rubrics() {
  const api = useApi();
  const navigate = useNavigate();
  const canLook = useCan("rubric_edit");
  const { query: read, rows: rubrics, more } = usePages(rubricPages(api));
  const [asked, setAsked] = useState<RubricIn | null>(null);
  // As the service has it: a team's key is nobody whose rubric it could be.
  const isTeamKey = api.who.kind === "team";
  const make = (
    <Button
      onClick={() => void navigate({ to: "/evaluations", search: { tab: "rubrics", rubric: newRubric } })}
      {...(isTeamKey && { disabledReason: "A new rubric needs a personal key", reasonAs: "title" })}
    >
      New rubric
    </Button>
  );
  if (read.isPending)
    return <SkeletonRows label="Reading rubrics" rows={4} columns={["2fr", "1fr", "80px"]} />;
  if (read.isError && !read.data)
    return (
      <Failure
        error={read.error}
        what="The saved rubrics"
        onRetry={() => void read.refetch()}
        isRetrying={read.isRetrying}
      />
    );
  if (rubrics.length === 0)
    return (
      <EmptyState
        title="No saved rubrics"
        actions={make}
        curl={curlOf({
          method: "POST",
          url: new URL(`${api.base}/evaluations`, location.href).href,
          body: {
            name: "No promises",
            config: { criteria: [{ name: "No promises", prompt: "guarantee", type: "prohibited_words" }] },
          },
        })}
      >
        A saved rubric is applied to all agents of its team, or to all of its owner's own, beside what each
        agent has itself.
      </EmptyState>
    );
  const tellsUse = rubrics.some((one) => amountWords(one) !== null);
  return (
    <>
      <div className="flex min-h-filters shrink-0 items-center py-2 pr-edge-right pl-edge-left">{make}</div>
      <Table label="Saved rubrics">
        <thead>
          <tr>
            <Th>Rubric</Th>
            <Th className="w-[88px]">State</Th>
            <Th className="w-[168px] @max-[980px]:hidden">Judged by</Th>
            <Th isFigure className="w-[88px] @max-[680px]:hidden">
              Criteria
            </Th>
            {tellsUse && <Th className="w-[248px] @max-[820px]:hidden">Judged</Th>}
            <Th className="w-[120px] @max-[1100px]:hidden">Changed</Th>
            <Th className="w-[96px]">
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {rubrics.map((rubric) => (
            <Tr key={rubric.id}>
              <Td>
                {canLook ? (
                  <Link
                    to="/evaluations"
                    search={{ tab: "rubrics", rubric: rubric.id }}
                    className="font-medium"
                  >
                    <bdi>{rubricName(rubric)}</bdi>
                  </Link>
                ) : (
                  <bdi className="font-medium">{rubricName(rubric)}</bdi>
                )}
                <span className="ml-2.5 text-muted text-secondary">{rubric.description}</span>
              </Td>
              <Td kind="muted">
                <State tone={rubric.enabled ? "done" : "waiting"} word={rubric.enabled ? "on" : "off"} />
              </Td>
              <Td kind="support" className="@max-[980px]:hidden">
                {judgeWords(rubric)}
              </Td>
              <Td kind="figure" className="@max-[680px]:hidden">
                {rubric.config?.criteria?.length ?? "–"}
              </Td>
              {tellsUse && (
                <Td kind="support" className="@max-[820px]:hidden">
                  {amountWords(rubric) ?? "–"}
                </Td>
              )}
              <Td kind="support" className="@max-[1100px]:hidden">
                <Ago at={rubric.updated_at} />
              </Td>
              <Td className="text-right">
                <Button size="small" variant="quiet" className="-my-1" onClick={() => setAsked(rubric)}>
                  Delete…
                </Button>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <PageFoot more={more && { label: "Show older", ...more }}>
        {more ? `The newest ${rubrics.length} saved rubrics` : "Saved rubrics that this key can see"}
        {isTeamKey && "; a new one needs a personal key"}
      </PageFoot>
      {asked && (
        <DeleteRubric
          key={asked.id}
          rubric={asked}
          canSwitchOff={canLook}
          onClose={() => setAsked(null)}
          onDeleted={() => setAsked(null)}
        />
      )}
    </>
  );
}

type Props = { rubric: RubricIn; onClose: () => void; onDeleted: () => void; canSwitchOff: boolean };

/** Asks before a saved rubric is deleted (§3.6, §4.13). */
export function DeleteRubric({ rubric, canSwitchOff, ...rest }: Props) {
  return (
    <DeleteEvaluation
      {...rest}
      {...{ id: rubric.id, name: rubricName(rubric), noun: "rubric" }}
      remark={canSwitchOff && rubric.enabled ? " To only stop it, switch it off." : ""}
      isGone="It is not there any more: somebody deleted it already."
    />
  );
}

export const rubricName = (rubric: Pick<RubricIn, "id" | "name">): string => rubric.name || rubric.id;

/** Which conversations it judges: "all agents of team Harbor". */
export function reachWords(teamId: string | null | undefined, teamName: (id: string) => string): string {
  if (teamId === undefined) return "the agents of its team, or its owner's own";
  return teamId === null ? "your own agents" : `all agents of team ${teamName(teamId)}`;
}

/** How much it judged lately: "12 conversations of 3 agents in 30 days"; null where the service does not say. */
export function amountWords({ use }: RubricIn): string | null {
  if (typeof use?.sessions !== "number") return null;
  const days = typeof use.days === "number" ? ` in ${use.days} days` : "";
  if (use.sessions === 0) return `nothing${days}`;
  const agents = typeof use.agents === "number" ? ` of ${counted(use.agents, "agent")}` : "";
  return `${counted(use.sessions, "conversation")}${agents}${days}`;
}

/** Who judges by it. */
const judgeWords = ({ config }: RubricIn): string => config?.model_name || "each agent’s own model";
