import { Link, Navigate } from "@tanstack/react-router";
import { useApi } from "../../lib/api/api-context.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { buttonClass } from "../../ui/buttonClass.ts";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { scopeOf } from "./links.ts";
import { type ArtifactIn, findInList } from "./queries.ts";
import type { FindSearch } from "./search.ts";

type Props = { interactionId: string; search: FindSearch };

/** Leads from a file in a conversation, which is known by its name there, to the page of the artifact. */
export function FindArtifact({ interactionId, search: { agent, name } }: Props) {
  const api = useApi();
  const scope = scopeOf(api, agent);
  const found = useRead({
    queryKey: [api.id, "find artifact", interactionId, agent ?? null, name ?? null],
    queryFn: ({ signal }): Promise<ArtifactIn | null> => {
      if (scope === null || name === undefined) return Promise.resolve(null);
      const filters = { session_id: interactionId, search_query: name };
      return findInList(api, scope, filters, (row) => row.filename === name, { signal });
    },
    retry: false,
    gcTime: 0,
  });
  if (found.data) {
    return (
      <Navigate
        replace
        to="/artifacts/$artifactId"
        params={{ artifactId: found.data.id }}
        search={found.data.agent_id ? { agent: found.data.agent_id } : {}}
      />
    );
  }
  const shown = name === undefined ? "a file without a name" : shownName(name);
  return (
    <Page
      title={shown}
      heading={<bdi>{shown}</bdi>}
      parents={[{ key: "artifacts", link: <Link to="/artifacts">Artifacts</Link> }]}
    >
      {found.isError ? (
        <Failure
          error={found.error}
          what="The file"
          onRetry={() => void found.refetch()}
          isRetrying={found.isRetrying}
        />
      ) : found.isPending ? (
        <SkeletonRows label="Looking for the file" rows={6} columns={["32px", "2fr", "1fr"]} />
      ) : (
        <EmptyState
          title="This file is not among the artifacts"
          actions={
            agent && (
              <Link
                to="/agents/$agentId/conversations/$interactionId"
                params={{ agentId: agent, interactionId }}
                className={buttonClass("plain")}
              >
                Back to the conversation
              </Link>
            )
          }
        >
          It was deleted since, or the service does not list it for this key.
        </EmptyState>
      )}
    </Page>
  );
}
