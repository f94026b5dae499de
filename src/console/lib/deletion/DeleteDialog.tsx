import type { ReactNode } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { Id } from "../../ui/Id.tsx";
import { usePreferences } from "../preferences/preferences.tsx";
import { formatMoment } from "../time/format.ts";
import { useGoneSignal } from "../useGoneSignal.ts";
import type { DeletionMutations } from "./queries.ts";
import { type Deleted, type Named, type Nouns, removeWords, useDeletion } from "./useDeletion.ts";

type Props = {
  items: readonly Named[];
  nouns: Nouns;
  mutations: DeletionMutations;
  /** What ends with it, before it is done; list items. */
  follows: ReactNode;
  onClose: () => void;
  /** All of them are deleted. */
  onDeleted: () => void;
};

/** Asks before things are deleted: what follows, for how long it can be taken back; then what became of each. */
export function DeleteDialog({ items, nouns, mutations, follows, onClose, onDeleted }: Props) {
  const { run, steps, isBusy } = useDeletion(mutations, nouns);
  const [only] = items;
  const isOne = items.length === 1;
  const failed = items.flatMap(({ id, name }) => {
    const step = steps.get(id);
    return step?.step === "failed" ? [{ id, name, problem: removeWords(step.error) }] : [];
  });
  const closed = useGoneSignal();
  const confirm = async () => {
    const left = closed();
    const gone = await run(items);
    // Whoever left the page meanwhile stays where they are.
    if (gone.length === items.length && !left.aborted) onDeleted();
  };
  return (
    <ConfirmDialog
      onClose={() => !isBusy && onClose()}
      title={isOne ? <bdi>Delete {only?.name}?</bdi> : `Delete ${items.length} ${nouns.many}?`}
      consequence={`You can restore ${isOne ? "it" : "them"} for a day; after that, ${isOne ? "it is" : "they are"} permanently deleted.`}
      action={isOne ? `Delete ${nouns.one}` : `Delete ${items.length}`}
      isPending={isBusy}
      onConfirm={() => void confirm()}
      error={
        failed.length > 0 && (
          <div role="alert" className="text-state-failed-fg">
            {isOne ? (
              failed[0]?.problem
            ) : (
              <>
                {items.length - failed.length} deleted, {failed.length} not.
                <ul className="mt-1 max-h-40 overflow-y-auto text-secondary">
                  {failed.map(({ id, name, problem }) => (
                    <li key={id}>
                      <bdi className="font-medium">{name}</bdi>: {problem}
                    </li>
                  ))}
                </ul>
              </>
            )}
          </div>
        )
      }
    >
      <ul className="grid list-disc gap-1 pl-5 text-muted marker:text-faint">{follows}</ul>
      {!isOne && (
        <ul aria-label={`The ${nouns.many}`} className="max-h-40 overflow-y-auto border-t pt-2">
          {items.map(({ id, name }) => (
            <li key={id} className="truncate py-0.5">
              <bdi>{name}</bdi>
              {steps.get(id)?.step === "done" && <span className="text-muted"> deleted</span>}
            </li>
          ))}
        </ul>
      )}
    </ConfirmDialog>
  );
}

type DeletedHereProps = {
  id: string;
  deleted: Deleted;
  nouns: Nouns;
  mutations: DeletionMutations;
  /** Where to go from here. */
  actions: ReactNode;
  /** It is there again. */
  onRestored: () => void;
  children: ReactNode;
};

/** In the place of something that the person deleted in this browser: until when it can be restored, and the button. */
export function DeletedHere({
  id,
  deleted,
  nouns,
  mutations,
  actions,
  onRestored,
  children,
}: DeletedHereProps) {
  const { zone } = usePreferences();
  const { takeBack, isRestoring } = useDeletion(mutations, nouns);
  const restore = async () => {
    if (await takeBack([{ id, name: deleted.name }])) onRestored();
  };
  return (
    <EmptyState
      title={
        <>
          You deleted <bdi>{deleted.name}</bdi>
        </>
      }
      actions={
        <>
          <Button variant="primary" loading={isRestoring} onClick={() => void restore()}>
            Restore
          </Button>
          {actions}
        </>
      }
      foot={<Id id={id} what={`${nouns.one} ID`} />}
    >
      {children} You can restore it until {formatMoment(deleted.until, { zone })}; after that, it is
      permanently deleted.
    </EmptyState>
  );
}
