import { useIsFetching } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { isNotFound } from "../../api/errors.ts";
import { once } from "../../api/poll.ts";
import { pollOptions } from "../../api/read.ts";
import { useApi } from "../../lib/api.tsx";
import { DeletedHere } from "../../lib/deletion/DeleteDialog.tsx";
import { artifactDeletion } from "../../lib/deletion/queries.ts";
import { useDeleted } from "../../lib/deletion/useDeletion.ts";
import { ReadFailure, Refusal } from "../../lib/failure/Failure.tsx";
import { useDeletedWords } from "../../lib/keep/deletion.ts";
import { LinkButton } from "../../lib/page/LinkButton.tsx";
import { Page } from "../../lib/page/Page.tsx";
import { type Read, useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { Button } from "../../ui/Button.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { artifactNouns } from "./deletion.tsx";
import { scopeOf } from "./links.ts";
import { type ArtifactIn, findInList } from "./queries.ts";
import type { Located } from "./queries-of-one.ts";
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
    refetchInterval: (query) => pollOptions(api, once).refetchInterval(query),
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
  const shown = name === undefined ? "Untitled file" : shownName(name);
  return (
    <Page
      title={shown}
      heading={<bdi>{shown}</bdi>}
      parents={[{ key: "artifacts", link: <Link to="/artifacts">Artifacts</Link> }]}
    >
      {found.isError ? (
        <ReadFailure query={found} what="The file" />
      ) : found.isPending ? (
        <SkeletonRows label="Loading the file" rows={6} columns={["32px", "2fr", "1fr"]} />
      ) : (
        <EmptyState
          title="File not found"
          actions={
            agent && (
              <LinkButton
                to="/agents/$agentId/conversations/$interactionId"
                params={{ agentId: agent, interactionId }}
              >
                Back to the conversation
              </LinkButton>
            )
          }
        >
          It was deleted, or your key has no access to it.
        </EmptyState>
      )}
    </Page>
  );
}

type ArtifactMissingProps = {
  artifactId: string;
  /** It was there, and its list does not hold it any more. */
  isGone: boolean;
  located: Read<Located>;
};

/**
 * There is no such artifact for this key, or it could not be looked for; it says where it was looked for. One that the
 * person deleted here can be restored.
 */
export function ArtifactMissing({ artifactId, isGone, located }: ArtifactMissingProps) {
  const api = useApi();
  const deleted = useDeleted(artifactId);
  const isRefused = located.error != null && !isNotFound(located.error);
  const words = useDeletedWords("artifact", artifactId, deleted === null && (isGone || !isRefused));
  const isLooking = useIsFetching({ queryKey: located.queryKey }) > 0;
  const all = <LinkButton to="/artifacts">All artifacts</LinkButton>;
  if (deleted === null && !isGone && isRefused) {
    return (
      <ReadFailure
        query={located}
        what="The artifact"
        actions={
          <LinkButton to="/artifacts" size="small">
            All artifacts
          </LinkButton>
        }
      />
    );
  }
  if (deleted !== null) {
    return (
      <DeletedHere
        id={artifactId}
        deleted={deleted}
        nouns={artifactNouns}
        mutations={artifactDeletion(api)}
        actions={all}
        onRestored={() => void located.refetch()}
      >
        No one can see it, and its links no longer work.
      </DeletedHere>
    );
  }
  const agents = located.data?.agents;
  return (
    <EmptyState
      title={
        words !== null
          ? "Artifact deleted"
          : isGone
            ? "This artifact is gone"
            : "Artifact not found, or you have no access"
      }
      actions={
        <>
          {all}
          {!isGone && words === null && located.data && (
            <Button onClick={() => void located.refetch()} loading={isLooking}>
              Try again
            </Button>
          )}
        </>
      }
      foot={
        <>
          <Id id={artifactId} what="artifact ID" />
          {located.error != null && <Refusal error={located.error} />}
        </>
      }
    >
      {words !== null
        ? words
        : isGone
          ? "It was deleted, or is no longer shared with you."
          : agents == null
            ? "It does not exist, or your key has no access to it."
            : `This service can’t look up a single artifact. It is not in the lists of ${agents === 1 ? "one agent" : `${agents} agents`}${located.data?.isCut ? ", though there are more agents" : ""}.`}
    </EmptyState>
  );
}
