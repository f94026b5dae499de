import Trash from "lucide-react/icons/trash-2";
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/Dialog.tsx";
import { Field } from "../../ui/Field.tsx";
import { FloatingBar } from "../../ui/FloatingBar.tsx";
import { Input } from "../../ui/Input.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { useToast } from "../../ui/Toast.tsx";
import { DeleteSources } from "./DeleteSources.tsx";
import { creditWords, type SourceIn, sourceName, sumOf } from "./sources.ts";
import type { useApprove } from "./useApprove.ts";

type Props = {
  approve: ReturnType<typeof useApprove>;
  /** The source that the address names. */
  sourceId?: string | undefined;
};

/** Approves a source by its id, for a service that does not list them: the one act that the interface itself has (§4.12). */
export function ApproveById({ approve, sourceId = "" }: Props) {
  const [id, setId] = useState(sourceId);
  const wanted = id.trim();
  const result = approve.results.find((one) => one.id === wanted);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== "") void approve.run([wanted]);
  };
  return (
    <form onSubmit={submit} className="flex max-w-text flex-col items-start gap-3 p-5">
      <p className="text-muted">
        This service does not list knowledge sources. If you have the ID of a draft, you can approve it here.
        Indexing then starts immediately and charges credits. The cost is not shown in advance, and this can’t
        be undone.
      </p>
      <Field label="Source ID" className="w-full">
        <Input value={id} onChange={(event) => setId(event.target.value)} className="font-mono" />
      </Field>
      {result && (
        <Notice
          kind={result.problem === null ? "waits" : "failed"}
          look="box"
          title={result.problem === null ? "Approved" : "Not approved"}
        >
          {result.problem ?? "Indexing has started."}
        </Notice>
      )}
      <Button
        type="submit"
        loading={approve.open.length > 0}
        disabledReason={wanted === "" ? "Enter an ID first" : undefined}
      >
        Approve
      </Button>
    </form>
  );
}

type SelectionBarProps = {
  selection: readonly SourceIn[];
  approve: ReturnType<typeof useApprove>;
  canDelete: boolean;
  onDone: () => void;
};

/**
 * Approves the drafts among the picked sources after a last look at what they cost together, or deletes all of them, and
 * says what became of each.
 */
export function SelectionBar({ selection, approve, canDelete, onDone }: SelectionBarProps) {
  const [isAsking, setAsking] = useState(false);
  // As they were picked: the list lets go of each one that is deleted.
  const [toDelete, setToDelete] = useState<readonly SourceIn[] | null>(null);
  const toaster = useToast();
  // Also those that were approved just now, until the person lets go.
  const drafts = selection.filter(
    (one) => one.status === "draft" || approve.results.some(({ id }) => id === one.id),
  );
  const sum = sumOf(drafts.map((one) => one.estimated_credits));
  const price = sum === null ? "" : ` for ${creditWords(sum)}`;
  const failed = approve.results.filter((one) => one.problem !== null);
  const run = async () => {
    const results = await approve.run(drafts.map((one) => one.id));
    if (results.length === 0 || results.some((one) => one.problem !== null)) return;
    setAsking(false);
    onDone();
    toaster.show({
      tone: "done",
      title: results.length === 1 ? "1 source approved" : `${results.length} sources approved`,
      detail: "Indexing has started; passages become searchable as it proceeds.",
    });
  };
  const dialog = toDelete !== null && (
    <DeleteSources
      sources={toDelete}
      onClose={() => setToDelete(null)}
      onDeleted={() => {
        setToDelete(null);
        onDone();
      }}
    />
  );
  const bar = selection.length > 0 && (
    <div className="sticky bottom-3 z-bar mx-4 mt-3">
      <FloatingBar
        label="Selected sources"
        actions={
          <>
            <Button size="small" variant="quiet" onClick={onDone}>
              Clear selection
            </Button>
            {canDelete && (
              <Button size="small" icon={<Trash />} onClick={() => setToDelete(selection)}>
                Delete {selection.length}…
              </Button>
            )}
            {drafts.length > 0 && (
              <Button size="small" onClick={() => setAsking(true)}>
                Approve {drafts.length}
                {price}…
              </Button>
            )}
          </>
        }
      >
        {selection.length} selected
      </FloatingBar>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => {
          if (approve.open.length > 0) return;
          setAsking(false);
          approve.reset();
        }}
        title={`Approve ${drafts.length === 1 ? "1 source" : `${drafts.length} sources`}${price}?`}
        consequence="Indexing starts immediately and charges the credits. This can’t be undone. Files added later are indexed without another approval and also cost credits."
        action={`Approve ${drafts.length}`}
        isPending={approve.open.length > 0}
        error={
          failed.length > 0 && (
            <>
              {approve.results.length - failed.length} approved, {failed.length} not.
            </>
          )
        }
        onConfirm={() => void run()}
      >
        <ul className="max-h-60 overflow-y-auto">
          {drafts.map((source) => {
            const result = approve.results.find((one) => one.id === source.id);
            return (
              <li key={source.id} className="py-0.5">
                <span className="flex justify-between gap-3">
                  <bdi className="truncate">{sourceName(source)}</bdi>
                  <span className="shrink-0 text-muted tabular-nums">
                    {result?.problem === null
                      ? "approved"
                      : typeof source.estimated_credits === "number"
                        ? creditWords(source.estimated_credits)
                        : "unknown cost"}
                  </span>
                </span>
                {result?.problem && (
                  <span className="block text-secondary text-state-failed-fg">{result.problem}</span>
                )}
              </li>
            );
          })}
        </ul>
      </ConfirmDialog>
    </div>
  );
  return (
    <>
      {bar}
      {dialog}
    </>
  );
}
