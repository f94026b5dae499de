import { mutationOptions, queryOptions } from "@tanstack/react-query";
import { getArtifactAccess, updateArtifactAccess } from "../../../contract/access.ts";
import { listArtifacts } from "../../../contract/artifacts.ts";
import type { Call, Output } from "../../../contract/define.ts";
import { listTeams } from "../../../contract/teams.ts";
import { type Answer, call } from "../../api/client.ts";
import { teamScope } from "../../api/connection.ts";
import { keyOf, type ReadKey, readOptions } from "../../api/read.ts";
import type { Api } from "../../lib/api.tsx";
import { useApi, useCan } from "../../lib/api.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { useSignedIn } from "../session/index.ts";
import type { Team } from "./addresses.ts";

/** A change of access as it is sent (§4.7); what is left out stays as it is. */
export type AccessBody = Pick<
  NonNullable<Call<typeof updateArtifactAccess>["body"]>,
  "share" | "remove" | "link"
>;

/** A row of the artifacts list, with how far it is shared where the service says so. */
export type SharedArtifact = Output<typeof listArtifacts>["artifacts"][number];

/** One answer about who may open an artifact, from either endpoint. */
export type AccessAnswer = Pick<
  Answer<typeof getArtifactAccess>,
  "data" | "damage" | "receivedAt" | "requestId"
>;

/**
 * Who may open an artifact: the public read where the service has it, else the change that changes nothing (`PUT {}`,
 * §4.7). Only ever asked for a person who opened it: a `PUT` is no thing to do in the background.
 * @throws ConsoleError, 403 and 404 as the service says them
 */
async function readAccess(api: Api, artifactId: string, signal?: AbortSignal): Promise<AccessAnswer> {
  const params = { artifact_id: artifactId };
  const query = teamScope(api);
  if (api.capabilities.can("artifact_access")) {
    try {
      return await call(api, getArtifactAccess, { params, query }, { signal });
    } catch (error) {
      // Still said to be there: then it is the artifact that is not.
      if (api.capabilities.can("artifact_access")) throw error;
    }
  }
  return await call(api, updateArtifactAccess, { params, query, body: {} }, { signal });
}

// A `PUT` may stand behind it: asked once, and again only when a person wants it.
const once = { refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false } as const;

/** Reads about who may open an artifact. Apart from the artifacts themselves: its shapes are much code. */
export const artifactAccessQueries = {
  /** The same for one row of an overview, where the service has the public read (`can("artifact_access")`). */
  ofRow: (api: Api, artifactId: string) =>
    queryOptions({
      queryKey: [...keyOf(api, getArtifactAccess), { row: artifactId }] as ReadKey,
      queryFn: ({ signal }) => readAccess(api, artifactId, signal),
      staleTime: 60_000,
      ...once,
    }),

  /** Who may open it, read anew at each opening; nothing polls it. */
  one: (api: Api, artifactId: string) =>
    queryOptions({
      queryKey: [...keyOf(api, getArtifactAccess), artifactId] as ReadKey,
      queryFn: ({ signal }) => readAccess(api, artifactId, signal),
      staleTime: 0,
      gcTime: 0,
      ...once,
    }),
};

/** The actions on who may open an artifact. */
export const artifactAccessMutations = {
  /** Reads the settings as they are now, past every cache: what a change is compared with before it is sent. */
  read: (api: Api, artifactId: string) => readAccess(api, artifactId),

  /** Sends a change (§4.7) and keeps what came back as the settings that are known now. */
  change: (api: Api) =>
    mutationOptions({
      mutationKey: [...keyOf(api, updateArtifactAccess)],
      mutationFn: ({ artifactId, body }: { artifactId: string; body: AccessBody }) =>
        call(api, updateArtifactAccess, {
          params: { artifact_id: artifactId },
          query: teamScope(api),
          body,
        }),
      onSuccess: (answer, { artifactId }, _made, { client }) => {
        api.polling.acted();
        client.setQueryData(artifactAccessQueries.one(api, artifactId).queryKey, answer);
        client.setQueryData(artifactAccessQueries.ofRow(api, artifactId).queryKey, answer);
        return client.invalidateQueries({ queryKey: keyOf(api, listArtifacts) });
      },
    }),
};

interface Teams {
  /** The teams that this person is in, as far as the service tells. */
  readonly mine: readonly Team[];
  /** The team's name; its id where the service tells none. */
  readonly nameOf: (teamId: string) => string;
}

/** The person's teams by name: from `GET /teams` where the service has it, else what the sign-in learned. */
export function useTeams(): Teams {
  const api = useApi();
  const { teams: known } = useSignedIn();
  const read = useRead({
    ...readOptions(api, listTeams, {}, { staleTime: 60_000 }),
    enabled: useCan("teams"),
  });
  const mine = (read.data?.data.teams ?? known ?? []).flatMap(({ id, name }) =>
    id ? [{ id, name: shownName(name || id) }] : [],
  );
  return { mine, nameOf: (teamId) => mine.find(({ id }) => id === teamId)?.name ?? shownName(teamId) };
}
