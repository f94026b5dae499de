import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { listArtifacts } from "../../../../contract/artifacts.ts";
import { keyOf } from "../../../api/read.ts";
import { useApi } from "../../../lib/api.tsx";
import { mostTogether } from "../../../lib/bulk/bulk.ts";
import { ConcurrencyLimit } from "../../../lib/bulk/concurrency-limit.ts";
import {
  type Access,
  artifactAccessMutations,
  type Change,
  type Edits,
  type Grantee,
  isOwner,
  noEdits,
  planOf,
  readAccess,
  undoOf,
  withRole,
} from "../../sharing/index.ts";

/** What is taken away: the links alone, or everything but the owner. */
export type Extent = "links" | "everything";

export interface RevokeItem {
  readonly id: string;
  readonly name: string;
}

/** How far one artifact is. Each has its own result: one that fails takes none of the others with it. */
export type Progress =
  | { readonly step: "reading" }
  | { readonly step: "ready"; readonly access: Access }
  | { readonly step: "sending" }
  | { readonly step: "done"; readonly done: readonly Change[]; readonly after: Access }
  | { readonly step: "undone"; readonly cannot: readonly string[] }
  | {
      readonly step: "failed";
      readonly error: unknown;
      readonly during: "reading" | "revoking" | "undoing";
      readonly before?: Progress;
    };

/** The edits that take away as much as wanted. */
export function revokeEdits(access: Access, extent: Extent): Edits {
  const link = access.link.mode === "none" ? undefined : { mode: "none", role: null };
  const taken: readonly Grantee[] =
    extent === "links" ? [] : access.grants.filter((grant) => !isOwner(grant));
  return { ...taken.reduce((edits, grant) => withRole(edits, grant, null), noEdits), link };
}

/** Reads what many artifacts share, takes it away, and puts it back, each with its own result. */
export function useRevoke(items: readonly RevokeItem[]) {
  const api = useApi();
  const queries = useQueryClient();
  const change = useMutation(artifactAccessMutations.change(api));
  const [progress, setProgress] = useState<ReadonlyMap<string, Progress>>(
    () => new Map(items.map(({ id }) => [id, { step: "reading" }])),
  );
  const [isBusy, setBusy] = useState(false);
  const set = (id: string, next: Progress) => setProgress((old) => new Map(old).set(id, next));

  /** Does one thing for each of some, a few at a time; what fails is that one's result. */
  const each = async (
    ids: readonly string[],
    during: Extract<Progress, { step: "failed" }>["during"],
    work: (id: string) => Promise<Progress>,
  ) => {
    setBusy(true);
    const limit = new ConcurrencyLimit(mostTogether);
    const one = async (id: string) => {
      const held = progress.get(id);
      const before = held?.step === "failed" ? held.before : held;
      set(id, { step: during === "reading" ? "reading" : "sending" });
      try {
        set(id, await work(id));
      } catch (error) {
        set(id, { step: "failed", error, during, ...(before && { before }) });
      }
    };
    await Promise.all(ids.map((id) => limit.take(() => one(id))));
    setBusy(false);
    if (during !== "reading") await queries.invalidateQueries({ queryKey: keyOf(api, listArtifacts) });
  };
  const readNow = async (id: string) => readAccess((await artifactAccessMutations.read(api, id)).data.access);
  const read = (ids: readonly string[]) =>
    void each(ids, "reading", async (id) => ({ step: "ready", access: await readNow(id) }));

  const isStarted = useRef(false);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    read(items.map(({ id }) => id));
  });

  const idsAt = (fits: (one: Progress) => boolean) =>
    [...progress].filter(([, one]) => fits(one)).map(([id]) => id);
  return {
    progress,
    isBusy,
    /** Reads again what could not be read. */
    readAgain: () => read(idsAt((one) => one.step === "failed" && one.during === "reading")),
    /** Takes away, on the settings as they are right then. */
    revoke: (extent: Extent) =>
      void each(
        idsAt((one) => one.step === "ready" || (one.step === "failed" && one.during === "revoking")),
        "revoking",
        async (id) => {
          const now = await readNow(id);
          const plan = planOf(now, revokeEdits(now, extent));
          if (plan.changes.length === 0) return { step: "done", done: [], after: now };
          const { data } = await change.mutateAsync({ artifactId: id, body: plan.body });
          return { step: "done", done: plan.changes, after: readAccess(data.access) };
        },
      ),
    /** Puts back what was taken away, and nothing that somebody else changed since. */
    undo: () =>
      void each(
        idsAt(
          (one) =>
            (one.step === "done" && one.done.length > 0) ||
            (one.step === "failed" && one.during === "undoing"),
        ),
        "undoing",
        async (id) => {
          const held = progress.get(id);
          const last = held?.step === "failed" ? held.before : held;
          if (last?.step !== "done") return { step: "undone", cannot: [] };
          const now = await readNow(id);
          const { edits, cannot } = undoOf(last.done, last.after, now);
          const plan = planOf(now, edits);
          if (plan.changes.length > 0) await change.mutateAsync({ artifactId: id, body: plan.body });
          return { step: "undone", cannot };
        },
      ),
  };
}
