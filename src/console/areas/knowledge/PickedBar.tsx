import Trash from "lucide-react/icons/trash-2";
import { useState } from "react";
import { LazyPart } from "../../lib/LazyPart.tsx";
import { Button } from "../../ui/Button.tsx";
import { ConfirmDialog } from "../../ui/ConfirmDialog.tsx";
import { FloatingBar } from "../../ui/FloatingBar.tsx";
import { later } from "../../ui/later.ts";
import { useToast } from "../../ui/toastContext.ts";
import { creditWords, type SourceIn, sourceName } from "./sources.ts";
import type { useApprove } from "./useApprove.ts";

const DeleteSources = later(() => import("./DeleteSources.tsx"));

type Props = {
  picked: readonly SourceIn[];
  approve: ReturnType<typeof useApprove>;
  canDelete: boolean;
  onDone: () => void;
};

/**
 * Approves the drafts among the picked sources after a last look at what they cost together, or deletes all of them, and
 * says what became of each.
 */
export function PickedBar({ picked: all, approve, canDelete, onDone }: Props) {
  const [isAsking, setAsking] = useState(false);
  // As they were picked: the list lets go of each one that is deleted.
  const [doomed, setDoomed] = useState<readonly SourceIn[] | null>(null);
  const toaster = useToast();
  // Also those that were approved just now, until the person lets go.
  const picked = all.filter(
    (one) => one.status === "draft" || approve.results.some(({ id }) => id === one.id),
  );
  const each = picked.map((one) => one.estimated_credits);
  const sum = each.every((one) => typeof one === "number")
    ? each.reduce<number>((all, one) => all + (one ?? 0), 0)
    : null;
  const price = sum === null ? "" : ` for ${creditWords(sum)}`;
  const failed = approve.results.filter((one) => one.problem !== null);
  const run = async () => {
    const results = await approve.run(picked.map((one) => one.id));
    if (results.length === 0 || results.some((one) => one.problem !== null)) return;
    setAsking(false);
    onDone();
    toaster.show({
      tone: "done",
      title: results.length === 1 ? "1 source approved" : `${results.length} sources approved`,
      detail: "They are being indexed; agents find their passages as they come in.",
    });
  };
  const dialog = doomed !== null && (
    <LazyPart>
      <DeleteSources
        sources={doomed}
        onClose={() => setDoomed(null)}
        onDeleted={() => {
          setDoomed(null);
          onDone();
        }}
      />
    </LazyPart>
  );
  const bar = all.length > 0 && (
    <div className="sticky bottom-3 z-bar mx-4 mt-3">
      <FloatingBar
        label="Picked sources"
        actions={
          <>
            <Button size="small" variant="quiet" onClick={onDone}>
              Clear selection
            </Button>
            {canDelete && (
              <Button size="small" icon={<Trash />} onClick={() => setDoomed(all)}>
                Delete {all.length}…
              </Button>
            )}
            {picked.length > 0 && (
              <Button size="small" onClick={() => setAsking(true)}>
                Approve {picked.length}
                {price}…
              </Button>
            )}
          </>
        }
      >
        {all.length} picked
      </FloatingBar>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => {
          setAsking(isOpen);
          if (!isOpen) approve.reset();
        }}
        title={`Approve ${picked.length === 1 ? "1 source" : `${picked.length} sources`}${price}?`}
        consequence="Indexing starts at once and charges the credits; it cannot be undone. Files that are added later are indexed without asking again, and cost credits too."
        action={`Approve ${picked.length}`}
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
          {picked.map((source) => {
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
                        : "cost not known"}
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
