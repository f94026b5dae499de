import { Link } from "@tanstack/react-router";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { useRead } from "../../../lib/paging/useRead.ts";
import { linkClass } from "../../../ui/linkClass.ts";
import { evaluationQueries } from "../queries.ts";
import { howWords } from "./how-words.ts";

/** One line: who evaluates the agent's conversations, by what and when, and where that is changed. */
export function HowEvaluated({ agentId, isEmpty }: { agentId: string; isEmpty: boolean }) {
  const canEdit = useCan("evaluation_config_edit");
  const config = useRead(evaluationQueries.config(useApi(), agentId)).data?.data.config;
  if (!config) return null;
  return (
    <p
      role="note"
      aria-label="How it is evaluated"
      className="shrink-0 border-b py-2 pr-edge-right pl-edge-left text-muted text-secondary"
    >
      {howWords(config)}{" "}
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
