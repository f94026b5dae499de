import { Link } from "@tanstack/react-router";
import { evaluationQueries } from "../../../api/queries/evaluations.ts";
import { useApi } from "../../../components/api-context.tsx";
import { useCan } from "../../../components/useCan.ts";
import { useRead } from "../../../components/useRead.ts";
import { linkClass } from "../../../ui/linkClass.ts";

/** One line: by what the agent's conversations are evaluated, and where that is changed; nothing is graded where it is off. */
export function HowEvaluated({ agentId, isEmpty }: { agentId: string; isEmpty: boolean }) {
  const canEdit = useCan("evaluation_config_edit");
  const config = useRead(evaluationQueries.config(useApi(), agentId)).data?.data.config;
  if (!config) return null;
  const count = config.criteria?.length ?? 0;
  const words = config.enabled
    ? [
        `Evaluated by ${config.model_name || "code alone"}`,
        config.frequency?.replaceAll("_", " "),
        count === 1 ? "1 criterion" : `${count} criteria`,
        config.sentiment?.enabled && config.sentiment.affects_grade ? "the mood counts in the grade" : "",
      ]
        .filter(Boolean)
        .join(", ")
    : "Evaluation is off: conversations with this agent are not graded";
  return (
    <p className="shrink-0 border-b py-2 pr-edge-right pl-edge-left text-muted text-secondary">
      {words}.{" "}
      {(isEmpty || !config.enabled) && (
        <Link
          to="/agents/$agentId/evaluations"
          params={{ agentId }}
          search={{ view: "criteria" }}
          className={linkClass}
        >
          {canEdit ? (config.enabled ? "Change the criteria" : "Switch it on") : "See the criteria"}
        </Link>
      )}
    </p>
  );
}
