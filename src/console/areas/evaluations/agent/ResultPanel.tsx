import { criterionStates } from "../../../../contract/area-states.ts";
import { describeState } from "../../../../contract/states.ts";
import { useApi } from "../../../lib/api.tsx";
import { ReadFailure } from "../../../lib/failure/Failure.tsx";
import { LinkButton } from "../../../lib/page/LinkButton.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import { Ago } from "../../../lib/time/Time.tsx";
import { DefinitionList } from "../../../ui/DefinitionList.tsx";
import { Id } from "../../../ui/Id.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { PanelSection } from "../../../ui/Panel.tsx";
import { StateShape } from "../../../ui/State.tsx";
import { Tag } from "../../../ui/Tag.tsx";
import { gradeWords } from "../grades.tsx";
import { evaluationQueries, type ResultIn } from "../queries.ts";
import { ResultState } from "./Results.tsx";

type Props = { agentId: string; id: string; known: ResultIn | undefined };

/** One result: the grade, each criterion with why, data, tags, and the conversation that it is about. */
export function ResultPanel({ agentId, id, known }: Props) {
  const read = useRead({ ...evaluationQueries.result(useApi(), agentId, id), enabled: known === undefined });
  const result =
    known ?? (read.data?.data.evaluations?.find((one) => one?.evaluation_id === id) as ResultIn | undefined);
  return (
    <div className="-mx-4 -mb-4 sm:-mx-5">
      <header className="flex items-start gap-3 border-b px-edge-left pb-3">
        <div className="min-w-0 flex-1">
          <h3 className="break-words text-heading">
            <bdi>{result?.session_name || result?.interaction_id || "A result"}</bdi>
          </h3>
          {result && (
            <p className="mt-1">
              <ResultState result={result} />
            </p>
          )}
        </div>
      </header>
      {result ? (
        <Body result={result} agentId={agentId} />
      ) : read.isPending ? (
        <p className="p-5 text-faint">loading…</p>
      ) : read.isError ? (
        <ReadFailure query={read} what="The result" />
      ) : (
        <p className="p-5 text-muted">Result not found, or you have no access to its conversation.</p>
      )}
    </div>
  );
}

/** Who judged; a service that only leaves the model out has not said that there was none. */
function judgeOf({ judged_by, model_name }: ResultIn): string {
  if (judged_by === "code") return "code only";
  return model_name || "unknown";
}

function Body({ result, agentId }: { result: ResultIn; agentId: string }) {
  const criteria = (result.criteria_results ?? []).filter((one) => one !== null);
  const data = (result.data_results ?? []).filter((one) => one !== null);
  const tags = (result.applied_tags ?? []).filter((one) => one !== null);
  return (
    <>
      {result.status === "failed" && (
        <Notice kind="failed" title="Evaluation failed">
          {result.error || "The service gave no reason."}
        </Notice>
      )}
      <PanelSection>
        {result.summary && <p className="mb-3 whitespace-pre-line break-words">{result.summary}</p>}
        {result.interaction_id && (
          <LinkButton
            to="/agents/$agentId/conversations/$interactionId"
            params={{ agentId, interactionId: result.interaction_id }}
            size="small"
          >
            Open conversation{typeof result.turn === "number" && ` (turn ${result.turn})`}
          </LinkButton>
        )}
      </PanelSection>
      {criteria.length > 0 && (
        <PanelSection title="Criteria">
          <ul className="flex flex-col gap-2.5">
            {criteria.map((one, at) => {
              const { tone, word } = describeState(criterionStates, one.result ?? null);
              return (
                <li key={one.id ?? at} className="flex gap-2.5">
                  <StateShape tone={tone} label={word} className="mt-[3px]" />
                  <div className="min-w-0">
                    <p className="break-words font-medium">
                      <bdi>{one.name || one.id}</bdi>{" "}
                      <span className="font-normal text-muted text-secondary">
                        {word}
                        {one.result === "failure" &&
                          one.priority &&
                          `, ${gradeWords(one.priority).title.toLowerCase()}`}
                      </span>
                    </p>
                    {one.rationale && (
                      <p className="whitespace-pre-line break-words text-muted">{one.rationale}</p>
                    )}
                  </div>
                </li>
              );
            })}
          </ul>
        </PanelSection>
      )}
      {tags.length > 0 && (
        <PanelSection title="Tags">
          <p className="flex flex-wrap gap-1.5">
            {tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </p>
        </PanelSection>
      )}
      {data.length > 0 && (
        <PanelSection title="Data points">
          <DefinitionList
            nameWidth={128}
            rows={data.map((one, at) => ({
              key: one.id ?? String(at),
              name: one.name ?? one.id ?? "",
              value: one.value === null || one.value === undefined ? "not found" : String(one.value),
            }))}
          />
        </PanelSection>
      )}
      <PanelSection title="How it was evaluated">
        <DefinitionList
          nameWidth={128}
          rows={[
            { key: "sentiment", name: "Sentiment", value: result.sentiment ?? "not evaluated" },
            { key: "model", name: "Evaluated by", value: judgeOf(result) },
            {
              key: "rubric",
              name: "Criteria from",
              value: result.rubric ? <bdi>{result.rubric.name}</bdi> : "the agent",
            },
            { key: "when", name: "Evaluated", value: <Ago at={result.finished_ts ?? result.created_ts} /> },
            {
              key: "id",
              name: "ID",
              value: <Id id={result.evaluation_id} what="evaluation ID" cut={[10, 4]} />,
            },
          ]}
        />
      </PanelSection>
    </>
  );
}
