import Download from "lucide-react/icons/download";
import Trash from "lucide-react/icons/trash-2";
import { useState } from "react";
import { useApi, useCan } from "../../../lib/api.tsx";
import type { Named } from "../../../lib/deletion/useDeletion.ts";
import { formatSize } from "../../../lib/files.ts";
import type { RowSelection } from "../../../lib/list/RowSelection.ts";
import { useStore } from "../../../lib/useStore.ts";
import { Button } from "../../../ui/Button.tsx";
import { FloatingBar } from "../../../ui/FloatingBar.tsx";
import { SegmentBar } from "../../../ui/SegmentBar.tsx";
import { type ArtifactFile, artifactName, sizeOf } from "../artifact-row.ts";
import { DeleteArtifacts, isDeletable } from "../deletion.tsx";
import { filesIn } from "../download-zip.ts";
import { useZipDownload } from "./useZipDownload.ts";

/** How many are selected, how big they are, one zip of them, and deleting those that are the person's. */
export function SelectionBar({
  files,
  selection,
}: {
  files: readonly ArtifactFile[];
  selection: RowSelection;
}) {
  const api = useApi();
  const { ids } = useStore(selection.state);
  const canDelete = useCan("artifact_deletion");
  // As they were selected: the list gives up each one that is deleted.
  const [toDelete, setToDelete] = useState<readonly Named[] | null>(null);
  const rows = files.flatMap(({ newest }) => (ids.has(newest.id) ? [newest] : []));
  const deletable = canDelete ? rows.filter((row) => isDeletable(row, api.who)) : [];
  const sessions = new Set(rows.map((row) => row.session_id)).size;
  const sizes = rows.map(sizeOf);
  const known = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  const isAbout = sizes.includes(null);
  const { progress, download, stop } = useZipDownload(rows, selection.clear);
  return (
    <>
      {rows.length > 0 && (
        <div className="pointer-events-none absolute inset-x-0 bottom-full flex justify-center px-4 pb-3">
          <div className="pointer-events-auto w-full max-w-[640px]">
            <FloatingBar
              label="Selected artifacts"
              actions={
                <>
                  <Button size="small" icon={<Download />} onClick={download} loading={progress !== null}>
                    Download as zip
                  </Button>
                  {deletable.length > 0 && (
                    <Button
                      size="small"
                      icon={<Trash />}
                      onClick={() =>
                        setToDelete(deletable.map((row) => ({ id: row.id, name: artifactName(row) })))
                      }
                    >
                      {deletable.length === rows.length ? "Delete…" : `Delete ${deletable.length}…`}
                    </Button>
                  )}
                  <Button variant="quiet" size="small" onClick={progress === null ? selection.clear : stop}>
                    {progress === null ? "Clear" : "Stop"}
                  </Button>
                </>
              }
            >
              {progress === null ? (
                <>
                  <span className="font-medium">{rows.length} selected</span>
                  <span className="ml-2 text-muted text-secondary">
                    {isAbout ? `at least ${formatSize(known)}` : formatSize(known)}
                    {sessions > 1 && `, ${sessions} folders, one per conversation`}
                  </span>
                </>
              ) : (
                <span className="flex items-center gap-3">
                  <SegmentBar
                    className="w-40"
                    label={`${progress.done} of ${progress.total} downloaded`}
                    total={progress.total}
                    parts={[
                      { key: "done", count: progress.done, className: "bg-accent-solid" },
                      {
                        key: "failed",
                        count: filesIn(progress.failed),
                        className: "bg-state-failed-mark",
                      },
                    ]}
                  />
                  <span className="text-muted text-secondary">
                    {progress.done} of {progress.total}
                  </span>
                </span>
              )}
            </FloatingBar>
          </div>
        </div>
      )}
      {toDelete !== null && (
        <DeleteArtifacts
          artifacts={toDelete}
          onClose={() => setToDelete(null)}
          onDeleted={() => {
            setToDelete(null);
            selection.clear();
          }}
        />
      )}
    </>
  );
}
