import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { errorText } from "../../api/describe-error.ts";
import { ConsoleError } from "../../api/errors.ts";
import { useApi } from "../../lib/api.tsx";
import { BulkAction, type Step } from "../../lib/bulk/bulk.ts";
import { knowledgeMutations } from "./queries.ts";

/** What became of one approval. */
interface Approval {
  readonly id: string;
  /** Null: approved. */
  readonly problem: string | null;
}

/** Approves sources one after the other, each once however often it is clicked, and says what became of each. */
export function useApprove() {
  const api = useApi();
  const approve = useMutation(knowledgeMutations.approve(api));
  const isBusy = useRef(false);
  const [results, setResults] = useState<readonly Approval[]>([]);
  const [open, setOpen] = useState<readonly string[]>([]);
  const run = async (ids: readonly string[]): Promise<readonly Approval[]> => {
    if (isBusy.current) return [];
    isBusy.current = true;
    // What is tried again are those that were refused: of the others the service would say that they are no drafts.
    const approved = results.filter(({ id, problem }) => problem === null && ids.includes(id));
    const left = ids.filter((id) => !approved.some((one) => one.id === id));
    const many = new BulkAction(left, (id) => approve.mutateAsync(id), 1);
    const resultsNow = () => [...approved, ...resultsOf(many.steps.get())];
    const show = () => {
      setResults(resultsNow());
      setOpen([...many.at("waiting"), ...many.at("sending")]);
    };
    show();
    const stopListening = many.steps.subscribe(show);
    await many.start();
    stopListening();
    isBusy.current = false;
    return resultsNow();
  };
  return {
    run,
    results,
    /** Those that are still to be approved. */
    open,
    reset: () => setResults([]),
  };
}

const resultsOf = (steps: ReadonlyMap<string, Step<unknown>>): readonly Approval[] =>
  [...steps].flatMap(([id, one]): Approval[] => {
    if (one.step === "done") return [{ id, problem: null }];
    return one.step === "failed" ? [{ id, problem: refusalWords(one.error) }] : [];
  });

/** Why an approval was refused, in words (409, 403, 404 of §4.12). */
function refusalWords(error: unknown): string {
  if (error instanceof ConsoleError && error.kind === "http") {
    if (error.code === "source_not_draft" || error.status === 409)
      return "Someone already approved it. Nothing was charged twice.";
    if (error.status === 403) return "You can read it, but only its creator or team can approve it.";
    if (error.status === 404) return "It no longer exists, or you no longer have access.";
  }
  return errorText(error);
}
