import { useState } from "react";
import { useApi } from "../../../lib/api.tsx";
import { useDraft } from "../../../lib/drafts/useDraft.ts";
import { canonical } from "../../../lib/json/json-value.ts";
import { useOnceSettled } from "../../../lib/paging/PageSearch.tsx";
import { useRead } from "../../../lib/paging/useRead.ts";
import type { AgainSearch } from "../search.ts";
import { type AgainBody, againDrafts, askOf, nothingTyped, outputKey } from "./again-ask.ts";
import { nodesOf } from "./preview-groups.ts";
import { againQueries } from "./queries.ts";

/** Why it cannot be started like this, by the field of the request. */
export interface AgainRefusal {
  readonly param: string;
  readonly message: string;
}

/**
 * What is asked for, from the address and from what is typed, with what that would do. While somebody types the preview
 * stays that of the last text that could be sent.
 * @param given the inputs of the other run
 */
export function useAgainAsk(runId: string, search: AgainSearch, given: Readonly<Record<string, unknown>>) {
  const api = useApi();
  const kept = useDraft(`again ${runId}`, againDrafts);
  const draft = kept.draft ?? nothingTyped;
  const ask = askOf(search, draft, given);
  const [asked, setAsked] = useState<AgainBody>(ask.ok ? ask.body : {});
  const wanted = ask.ok ? canonical(ask.body) : null;
  const isAsked = wanted === canonical(asked);
  useOnceSettled(wanted, wanted === null || isAsked, () => ask.ok && setAsked(ask.body));
  const read = useRead(againQueries.preview(api, runId, asked));
  const preview = read.data?.data;
  const levels = (preview?.runs ?? []).flatMap((run) => (run ? [{ run, nodes: nodesOf(run.nodes) }] : []));
  const refusals = (preview?.refusals ?? []).flatMap((one): AgainRefusal[] =>
    one?.message ? [{ message: one.message, param: one.param ?? "" }] : [],
  );
  const isBehind = !isAsked || read.isPrevious || read.isPending;
  const change = (part: "inputs" | "outputs", key: string, text: string | undefined) =>
    kept.change((old) => {
      const before = old ?? nothingTyped;
      const { [key]: _, ...others } = before[part];
      const next = { ...before, [part]: text === undefined ? others : { ...others, [key]: text } };
      const isEmpty = [next.inputs, next.outputs].every((texts) => Object.keys(texts).length === 0);
      return isEmpty ? null : next;
    });
  return {
    draft,
    isKept: kept.draft !== null && kept.keeping === "kept",
    ask,
    read,
    levels,
    refusals,
    /** Stands for exactly what is shown; null while that is not what is asked for, and where the service did not say it. */
    preview: isBehind || read.isError ? null : (preview?.preview ?? null),
    /** What is shown is not what is asked for by now. */
    isBehind,
    body: asked,
    setInput: (name: string, text: string | undefined) => change("inputs", name, text),
    /** Undefined: the step runs. */
    setOutput: (node: string, item: number | undefined, text: string | undefined) =>
      change("outputs", outputKey(node, item), text),
    beginSend: kept.beginSend,
  };
}

export type AgainState = ReturnType<typeof useAgainAsk>;
