import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errorText } from "../../api/describe-error.ts";
import { ConsoleError, isNotFound } from "../../api/errors.ts";
import { useToast } from "../../ui/Toast.tsx";
import { useApi } from "../api.tsx";
import { BulkAction, type Step } from "../bulk/bulk.ts";
import { useKeptValue } from "../drafts/useDraft.ts";
import type { Drafts } from "../history/drafts.ts";
import { usePreferences } from "../preferences/preferences.tsx";
import { useNow } from "../time/clock.tsx";
import { formatMoment } from "../time/format.ts";
import type { DeletionMutations, RestorableUntil } from "./queries.ts";

/** One thing that is deleted or restored, and what it is called. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

/** The nouns of what is deleted: "artifact", "artifacts". */
export interface Nouns {
  readonly one: string;
  readonly many: string;
}

type Steps = ReadonlyMap<string, Step<RestorableUntil>>;

/** Deletes several things, each with its own result, tells of it, and takes it back where the person wants that. */
export function useDeletion(mutations: DeletionMutations, nouns: Nouns) {
  const api = useApi();
  const toaster = useToast();
  const { zone } = usePreferences();
  const remove = useMutation(mutations.remove);
  const restore = useMutation(mutations.restore);
  const [steps, setSteps] = useState<Steps>(new Map());
  const [isBusy, setBusy] = useState(false);
  const title = (items: readonly Named[]) =>
    items.length === 1 ? (items[0]?.name ?? "") : `${items.length} ${nouns.many}`;

  const takeBack = async (items: readonly Named[]): Promise<boolean> => {
    const many = new BulkAction(
      items.map(({ id }) => id),
      (id) => restore.mutateAsync(id),
    );
    await many.start();
    for (const id of many.at("done")) forgetDeleted(api.drafts, id);
    const [failed] = many.at("failed");
    const step = failed === undefined ? undefined : many.steps.get().get(failed);
    if (step?.step === "failed") {
      const lost = items.filter(({ id }) => id === failed);
      if (failed !== undefined && isNotFound(step.error)) forgetDeleted(api.drafts, failed);
      toaster.show({
        tone: "failed",
        title: `${items.length === 1 ? title(lost) : `${many.at("failed").length} of ${items.length}`} not restored`,
        detail: restoreWords(step.error),
      });
      return false;
    }
    toaster.show({ tone: "done", title: `${title(items)} restored` });
    return true;
  };

  /** @returns those that are deleted now */
  const run = async (items: readonly Named[]): Promise<readonly Named[]> => {
    setBusy(true);
    const left = items.filter(({ id }) => steps.get(id)?.step !== "done");
    const many = new BulkAction(
      left.map(({ id }) => id),
      (id) => remove.mutateAsync(id),
    );
    const before = new Map([...steps].filter(([, { step }]) => step === "done"));
    const show = () => setSteps(new Map([...before, ...many.steps.get()]));
    const stopListening = many.steps.subscribe(show);
    await many.start();
    stopListening();
    show();
    setBusy(false);
    const all = new Map([...before, ...many.steps.get()]);
    const gone = items.filter(({ id }) => all.get(id)?.step === "done");
    const now = api.clock.now();
    const untils: number[] = [];
    for (const { id, name } of gone) {
      const step = all.get(id);
      if (step?.step !== "done" || step.result === null) continue;
      untils.push(step.result);
      rememberDeleted(api.drafts, id, { name, until: step.result }, now);
    }
    if (gone.length === items.length) {
      toaster.show({
        tone: "stopped",
        title: `${title(gone)} deleted`,
        detail:
          untils.length > 0 &&
          `You can restore ${gone.length === 1 ? "it" : "them"} until ${formatMoment(Math.min(...untils), { zone })}.`,
        action: {
          label: "Undo",
          altText: `Restore ${title(gone)}`,
          onAct: () => void takeBack(gone),
        },
      });
    }
    return gone;
  };
  return { run, takeBack, steps, isBusy, isRestoring: restore.isPending };
}

/** Why something was not deleted, in words. */
export function removeWords(error: unknown): string {
  if (isNotFound(error)) return "It was already deleted.";
  if (error instanceof ConsoleError && error.kind === "http" && error.status === 403)
    return "You can open it, but only its owner can delete it.";
  return errorText(error);
}

function restoreWords(error: unknown): string {
  if (isNotFound(error)) return "It can no longer be restored: the time is up, or it was already restored.";
  if (error instanceof ConsoleError && error.kind === "http" && error.code === "name_taken")
    return "The conversation has since written another file with this name. Delete that one first.";
  return errorText(error);
}

/** Something that this person deleted in this browser, and can restore until then (ms since 1970). */
export interface Deleted {
  readonly name: string;
  readonly until: number;
}

const place = "deleted";
/** Nobody looks for more. */
const most = 200;

/** Keeps what was deleted for as long as it can be restored, so that its own page can offer that. */
function rememberDeleted(drafts: Drafts, id: string, deleted: Deleted, now: number): void {
  void drafts.change(place, (kept) => {
    const others = Object.entries(read(kept)).filter(([other, { until }]) => other !== id && until > now);
    return Object.fromEntries([...others.slice(1 - most), [id, deleted]]);
  });
}

/** It was restored, or can be no more. */
function forgetDeleted(drafts: Drafts, id: string): void {
  void drafts.change(place, (kept) => {
    const { [id]: _, ...rest } = read(kept);
    return rest;
  });
}

/** Whether the person deleted it here and can restore it still; null where not. */
export function useDeleted(id: string): Deleted | null {
  const now = useNow(true, 60_000);
  const found = useKeptValue(place, read)[id];
  return found !== undefined && found.until > now ? found : null;
}

function read(kept: unknown): Readonly<Record<string, Deleted>> {
  if (typeof kept !== "object" || kept === null) return {};
  return Object.fromEntries(
    Object.entries(kept).filter(([, one]) => typeof one?.name === "string" && typeof one?.until === "number"),
  );
}
