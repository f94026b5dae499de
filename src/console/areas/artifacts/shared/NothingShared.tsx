import { Link } from "@tanstack/react-router";
import { useApi } from "../../../lib/api/api-context.tsx";
import { curlOf } from "../../../lib/curl.ts";
import { buttonClass } from "../../../ui/buttonClass.ts";
import { EmptyState } from "../../../ui/EmptyState.tsx";

/** Nothing of this person's is open to anybody else. */
export function NothingShared() {
  const api = useApi();
  const url = new URL(`${api.base}/artifacts`, location.href);
  url.searchParams.set("shared_by_me", "true");
  return (
    <EmptyState
      title="You share nothing"
      actions={
        <Link to="/artifacts" className={buttonClass("plain")}>
          Look at the artifacts
        </Link>
      }
      curl={curlOf({ method: "GET", url: url.href })}
    >
      Files of your agents that others can open would be here: by a link, by name, through a team, or because
      everyone in the organisation may. Share one from its page.
    </EmptyState>
  );
}

/** A service without a list over all agents cannot say what a person shares. */
export function CannotList() {
  return (
    <EmptyState
      title="This service does not list what you share"
      actions={
        <Link to="/agents" className={buttonClass("plain")}>
          Go to the agents
        </Link>
      }
    >
      It lists the artifacts of one agent at a time, without saying with whom they are shared. Who may open an
      artifact is shown, and changed, from its own page.
    </EmptyState>
  );
}
