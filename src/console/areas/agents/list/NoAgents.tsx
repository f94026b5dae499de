import { Link } from "@tanstack/react-router";
import { useApi } from "../../../lib/api/api-context.tsx";
import { useCan } from "../../../lib/api/useCan.ts";
import { curlOf } from "../../../lib/curl.ts";
import { Button } from "../../../ui/Button.tsx";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";
import { credentialWords, useSignedIn } from "../../session/index.ts";

/** Why there are no agents, and the next step. */
export function NoAgents({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const api = useApi();
  const as = useSignedIn();
  const canMake = useCan("agent_create");
  if (isFiltered) {
    return (
      <EmptyState title="No matching agents" actions={<Button onClick={onClear}>Show all agents</Button>}>
        There are none with these words, or in this tab.
      </EmptyState>
    );
  }
  const url = new URL(`${api.base}/agents`, location.href).href;
  return (
    <EmptyState
      title="No agents yet"
      actions={
        canMake && (
          <Link to="/agents/new" className={buttonClass("plain")}>
            New agent
          </Link>
        )
      }
      curl={
        canMake
          ? curlOf({ method: "POST", url, body: { name: "My agent", model_name: "builtin/offline" } })
          : curlOf({ method: "GET", url })
      }
    >
      The service lists none for <strong>{credentialWords(as)}</strong>. Your own agents and those of your
      teams appear here;{" "}
      {canMake ? "the button or this line makes the first one." : "this line asks the service for them."}
    </EmptyState>
  );
}
