import { hashKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { Store } from "../../api/store.ts";
import { useApi } from "../../lib/api.tsx";
import { useStore } from "../../lib/useStore.ts";
import { Corpus } from "./corpus.ts";
import { findArtifacts } from "./find-artifacts.ts";
import { SearchRun, type SearchState } from "./search-run.ts";
import type { Target } from "./targets.ts";
import type { SearchKind } from "./worker/hit.ts";
import { createSearcher } from "./worker/search-client.ts";

/** What was read for searching: kept for some minutes after the page is left, so that the way back asks nothing. */
function useCorpus(): Corpus | null {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = useMemo(() => [api.id, "corpus"], [api]);
  const { data } = useQuery({
    queryKey,
    queryFn: () => {
      const corpus = new Corpus(api, createSearcher);
      const stop = queries.getQueryCache().subscribe(({ type, query }) => {
        if (type !== "removed" || query.queryHash !== hashKey(queryKey)) return;
        corpus.close();
        stop();
      });
      return corpus;
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  return data ?? null;
}

type Options = {
  /** Trimmed; empty: nothing is searched. */
  text: string;
  regex: boolean;
  kinds: readonly SearchKind[];
  targets: readonly Target[];
};

const none = new Store<SearchState>({ looked: [], artifacts: null, end: null });

/** The search of an address. Another text begins another one; more targets are added to the one that goes on. */
export function useSearchRun({ text, regex, kinds, targets }: Options) {
  const api = useApi();
  const queries = useQueryClient();
  const corpus = useCorpus();
  const [run, setRun] = useState<SearchRun | null>(null);
  useEffect(() => {
    if (corpus === null || text === "") return;
    const query = { text, regex };
    const started = new SearchRun({
      corpus,
      query,
      kinds,
      artifacts: kinds.includes("artifacts")
        ? (signal) => findArtifacts({ api, corpus, queries }, query, signal)
        : null,
    });
    setRun(started);
    return () => {
      started.close();
      setRun(null);
    };
  }, [api, queries, corpus, text, regex, kinds]);
  useEffect(() => run?.add(targets), [run, targets]);
  useEffect(() => () => corpus?.stop(), [corpus]);
  const state = useStore(run?.state ?? none);
  return { run, state };
}
