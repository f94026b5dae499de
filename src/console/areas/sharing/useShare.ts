import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Damage } from "../../api/receive.ts";
import { useApi } from "../../lib/api.tsx";
import { type Access, readAccess } from "./access.ts";
import { type Clash, merge, undoOf, withMade, withSubject } from "./merge.ts";
import { type Change, changesBetween, type Edits, noEdits, type Plan, planOf } from "./plan.ts";
import { type AccessAnswer, type AccessBody, artifactAccessMutations } from "./queries.ts";
import { type Refused, refusalOf } from "./refusal.tsx";

/** What a sent change came to. */
export interface Outcome {
  readonly isUndo: boolean;
  /** What was sent. */
  readonly done: readonly Change[];
  /** The settings as they came back. */
  readonly after: Access;
  /** What changed on the way than it was sent. */
  readonly differences: readonly Change[];
  /** The e-mails that the service names as told. */
  readonly notified: readonly string[];
  /** The password that was set with it: shown once, and gone with the dialog. */
  readonly password: string | null;
  /** Of an undo: what it could not put back. */
  readonly cannot: readonly string[];
}

/** What somebody else changed since this person last saw the settings. */
export interface Meanwhile {
  readonly theirs: readonly Change[];
  readonly clashes: readonly Clash[];
  /** This person's edits as they were then, and by subject whose holds, as far as they chose. */
  readonly mine: Edits;
  readonly choices: Readonly<Record<string, "mine" | "theirs">>;
}

interface Draft {
  /** The settings that the edits are made on. */
  readonly base: Access;
  /** When they were read, in ms. */
  readonly readAt: number;
  readonly damage: readonly Damage[];
  readonly edits: Edits;
  readonly meanwhile: Meanwhile | null;
}

export interface Share extends Draft {
  readonly plan: Plan;
  readonly outcome: Outcome | null;
  readonly refused: Refused | null;
  readonly isSending: boolean;
  edit(edits: Edits): void;
  /** Decides a clash: takes the own edit, or drops it. */
  decide(subject: string, whose: "mine" | "theirs"): void;
  /** Reads the settings anew, and sends the plan only where nobody else changed them. */
  apply(): void;
  /** Takes the sent change back. */
  undo(): void;
  /** From the outcome back to editing. */
  editMore(): void;
}

/**
 * The state of one opened dialog: settings as read, edits on top, what was sent and what came back. The interface has no
 * version of access settings (§4.7), so they are read again right before a change, and compared again with its answer.
 * @param first the settings as first read; null is returned until they are there
 */
export function useShare(artifactId: string, first: AccessAnswer | undefined): Share | null {
  const api = useApi();
  const [kept, setDraft] = useState<Draft | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const change = useMutation(artifactAccessMutations.change(api));
  const [isSending, setSending] = useState(false);
  // Once per press: a second one can come before the first is seen to be under way (C-38).
  const isBusy = useRef(false);
  /** What was sent, and never answered: it may have been made. */
  const unanswered = useRef<readonly Change[]>([]);

  /** @param sentFrom the edits that the plan was made of; what is edited until the answer comes stays */
  const put = async (plan: Plan, sentFrom: Edits, more: Pick<Outcome, "isUndo" | "cannot" | "password">) => {
    const answer = await change.mutateAsync({ artifactId, body: plan.body });
    const after = readAccess(answer.data.access);
    unanswered.current = [];
    setDraft((now) => ({ ...draftOf(answer), edits: editedSince(now, sentFrom) }));
    setOutcome({
      ...more,
      done: plan.changes,
      after,
      differences: changesBetween(plan.after, after),
      notified: (answer.data.notified ?? []).filter((email) => typeof email === "string"),
    });
  };

  /** Runs one action with everything around it; `sent` is told what goes out, for the words of a refusal. */
  const run = async (work: (sent: (body: AccessBody) => void) => Promise<void>) => {
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(true);
    setRefused(null);
    let body: AccessBody | null = null;
    try {
      await work((sent) => {
        body = sent;
      });
    } catch (error) {
      const why = refusalOf(error, body);
      if (body !== null && !why.isUnsure) unanswered.current = [];
      setRefused(why);
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  };

  // Taken once: a later reading must not replace what a person has changed.
  if (kept === null && first !== undefined) setDraft(draftOf(first));
  const draft = kept ?? (first === undefined ? null : draftOf(first));
  if (draft === null) return null;
  const plan = planOf(draft.base, draft.edits);
  return {
    ...draft,
    plan,
    outcome,
    refused,
    isSending,
    edit: (edits) => {
      setDraft({ ...draft, edits });
      if (refused?.isLocked !== true) setRefused(null);
    },
    decide: (subject, whose) => {
      const { meanwhile } = draft;
      if (meanwhile === null) return;
      setDraft({
        ...draft,
        edits: withSubject(draft.edits, whose === "mine" ? meanwhile.mine : noEdits, subject),
        meanwhile: { ...meanwhile, choices: { ...meanwhile.choices, [subject]: whose } },
      });
    },
    apply: () =>
      void run(async (sent) => {
        const answer = await artifactAccessMutations.read(api, artifactId);
        const now = readAccess(answer.data.access);
        const { changes } = planOf(draft.base, draft.edits);
        const base = withMade(draft.base, now, unanswered.current);
        if (unanswered.current.length > 0 && planOf(now, draft.edits).changes.length === 0) {
          // The change whose answer got lost was made.
          unanswered.current = [];
          setDraft(draftOf(answer));
          setOutcome({ ...nothingSaid, done: changes, after: now });
          return;
        }
        const { theirs } = merge(base, now, draft.edits);
        if (theirs.length > 0) {
          unanswered.current = [];
          setDraft((latest) => {
            // With what was edited while the settings were read.
            const { clashes, edits } = merge(base, now, (latest ?? draft).edits);
            return { ...draftOf(answer), edits, meanwhile: { theirs, clashes, mine: edits, choices: {} } };
          });
          return;
        }
        const next = planOf(now, draft.edits);
        unanswered.current = next.changes;
        sent(next.body);
        const password = next.body.link?.password ?? null;
        await put({ ...next, changes }, draft.edits, { isUndo: false, cannot: [], password });
      }),
    undo: () =>
      void run(async (sent) => {
        if (outcome === null) return;
        const answer = await artifactAccessMutations.read(api, artifactId);
        const now = readAccess(answer.data.access);
        const { edits, cannot } = undoOf(outcome.done, outcome.after, now);
        const back = planOf(now, edits);
        if (back.changes.length === 0) {
          setDraft(draftOf(answer));
          setOutcome({ ...outcome, isUndo: true, done: [], after: now, differences: [], cannot });
          return;
        }
        sent(back.body);
        await put(back, noEdits, { isUndo: true, cannot, password: null });
      }),
    editMore: () => setOutcome(null),
  };
}

const nothingSaid = { isUndo: false, differences: [], notified: [], password: null, cannot: [] } as const;

/** What of the edits came after `sent`; a password that went out with those is not sent again. */
function editedSince(draft: Draft | null, sent: Edits): Edits {
  if (draft === null || draft.edits === sent) return noEdits;
  const { link, ...rest } = draft.edits;
  if (link === undefined || link.password !== sent.link?.password) return draft.edits;
  const { password: _, ...setting } = link;
  return { ...rest, link: setting };
}

function draftOf(answer: AccessAnswer): Draft {
  return {
    base: readAccess(answer.data.access),
    readAt: answer.receivedAt,
    damage: answer.damage,
    edits: noEdits,
    meanwhile: null,
  };
}

/**
 * Whether to offer changes. The interface has no field for it: a caller who sees no grant at all, only counts, holds a
 * role below editor ("Artifacts and access"); otherwise the service's own refusal decides, and holds from then on.
 */
export function mayManage({ base, refused }: Pick<Share, "base" | "refused">): boolean {
  if (refused?.isLocked === true || refused?.isGone === true) return false;
  return !(base.isLimited && base.grants.every(({ kind }) => kind === "organization"));
}
