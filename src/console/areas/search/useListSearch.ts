import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type SearchKind, searchKinds } from "../../../contract/search.ts";
import { eachOnce } from "../../api/paged.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { useStore } from "../../lib/useStore.ts";
import { counted } from "../../lib/words.ts";
import { artifactQueries, readArtifacts } from "../artifacts/index.ts";
import { agentQueries } from "../directory/index.ts";
import { flowQueries, rowOfHistory, rowOfService, runName, runQueries, valueWord } from "../runs/index.ts";
import type { Found } from "./found.ts";
import type { HitIn, PlaceIn } from "./queries.ts";

/** What services without a search of their own list: where it was looked, and in how many. */
export interface ListSearch {
  readonly found: readonly Found[];
  /** What was looked through: "100 runs". */
  readonly reach: readonly string[];
}

/** Something of a list, with its texts by where they stand. */
interface Candidate extends Omit<HitIn, "places" | "place_count"> {
  readonly texts: readonly (readonly [place: string, name: string | null, text: Text])[];
}

type Text = string | null | undefined;

const described = (kind: SearchKind, id: string, name: Text, at: Text, description: Text): Candidate => ({
  ...{ kind, id, name, at },
  texts: [
    ["name", null, name],
    ["description", null, description],
  ],
});

const fresh = { refetchInterval: false as const, staleTime: 30_000 };
/**
 * The simpler search of services that have none: the newest page of each list that they have, and what this browser knows,
 * by name, inputs and error. @param isWanted nothing is asked otherwise
 */
export function useListSearch(q: string, kinds: readonly SearchKind[], isWanted: boolean): ListSearch {
  const api = useApi();
  const wants = (kind: SearchKind) => isWanted && kinds.includes(kind);
  const agents = useQuery({ ...agentQueries.list(api), ...fresh, enabled: wants("agent") });
  const flows = useQuery({
    ...flowQueries.list(api),
    ...fresh,
    enabled: useCan("saved_items") && wants("flow"),
  });
  const artifacts = useQuery({
    ...artifactQueries.all(api, { search_query: q }),
    ...fresh,
    enabled: useCan("artifacts") && wants("artifact"),
  });
  const runs = useQuery({ ...runQueries.list(api), ...fresh, enabled: useCan("runs") && wants("run") });
  const knownRuns = useStore(api.history.runs);
  const knownConversations = useStore(api.conversations.list);
  const reads = { agent: agents, flow: flows, artifact: artifacts, run: runs, conversation: null };

  const candidates = useMemo((): Readonly<Record<SearchKind, readonly Candidate[]>> => {
    const known = knownRuns.map((run) => rowOfHistory(run, api.who.userId));
    const rows = [...(runs.data?.data.runs ?? []).map((run) => run && rowOfService(run)), ...known];
    return {
      agent: (agents.data?.data.agents ?? []).flatMap((one) =>
        one?.id ? [described("agent", one.id, one.name, one.created_at, one.description)] : [],
      ),
      flow: (flows.data?.data.saved_items ?? []).flatMap((one) =>
        one?.saved_item_id
          ? [described("flow", one.saved_item_id, one.name, one.created_ts, one.description)]
          : [],
      ),
      artifact: readArtifacts(artifacts.data?.data).map(({ id, filename, created_at, agent_id }) => ({
        ...{ kind: "artifact", id, name: filename ?? id, at: created_at, agent_id },
        texts: [["name", null, filename ?? id]],
      })),
      run: rows.flatMap((run) =>
        run
          ? [
              {
                ...{ kind: "run", id: run.runId, name: runName(run), at: run.createdTs, state: run.state },
                texts: [
                  ["name", null, runName(run)],
                  ...Object.entries(run.inputs).map(
                    ([name, value]) => ["input", name, valueWord(value)] as const,
                  ),
                  ["error", null, run.error],
                ],
              },
            ]
          : [],
      ),
      conversation: knownConversations.flatMap(({ interactionId: id, agentId, name, asked, last }) =>
        id === null
          ? []
          : [
              {
                ...{ kind: "conversation", id, name: name ?? id, at: last?.createdTs, agent_id: agentId },
                texts: [["message", null, asked?.text ?? name]],
              },
            ],
      ),
    };
  }, [agents.data, flows.data, artifacts.data, runs.data, knownRuns, knownConversations, api]);

  const wanted = isWanted ? searchKinds.filter((kind) => kinds.includes(kind)) : [];
  return {
    found: wanted.map((kind) => {
      const read = reads[kind];
      return {
        kind,
        // What the service lists comes first: what this browser knows of the same thing may be old.
        hits: eachOnce(
          candidates[kind].flatMap((one) => hitOf(one, q) ?? []),
          idOf,
        ),
        isPending: read?.isLoading ?? false,
        error: read?.error ?? null,
        isRetrying: read?.isFetching ?? false,
        retry: () => void read?.refetch(),
        ...{ more: null, isReadingMore: false, searchedTo: null, indexedUntil: null },
      };
    }),
    reach: wanted.flatMap((kind) => {
      const { size } = new Set(candidates[kind].map(idOf));
      return size === 0 ? [] : [counted(size, kind)];
    }),
  };
}

const idOf = ({ id }: Pick<HitIn, "id">): string => id;

/** Null where nothing of it has the text. */
function hitOf({ texts, ...hit }: Candidate, q: string): HitIn | null {
  const places = texts.flatMap(([place, name, text]): readonly PlaceIn[] => {
    const at = text?.toLowerCase().indexOf(q.toLowerCase()) ?? -1;
    if (!text || at === -1) return [];
    return [
      {
        ...{ in: place, name, before: text.slice(Math.max(0, at - 80), at) },
        ...{ match: text.slice(at, at + q.length), after: text.slice(at + q.length, at + q.length + 160) },
      },
    ];
  });
  return places.length === 0 ? null : { ...hit, places, place_count: places.length };
}
