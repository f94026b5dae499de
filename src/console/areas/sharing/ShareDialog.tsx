import { useState } from "react";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { useApi } from "../../lib/api/api-context.tsx";
import { Failure } from "../../lib/failure/Failure.tsx";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import type { Entry } from "./addresses.ts";
import { OutcomeView } from "./OutcomeView.tsx";
import { artifactAccessQueries } from "./queries.ts";
import { OutcomeFoot, ShareFoot, ShareNote } from "./ShareFoot.tsx";
import { ShareForm } from "./ShareForm.tsx";
import { useShare } from "./useShare.ts";
import { useTeams } from "./useTeams.ts";

type Props = { artifact: Received<Artifact>; artifactId: string; onClose: () => void };

/** Who may open an artifact: read when it is opened, edited here, reviewed, sent, and compared with what came back. */
export default function ShareDialog({ artifact, artifactId, onClose }: Props) {
  const read = useRead(artifactAccessQueries.one(useApi(), artifactId));
  const share = useShare(artifactId, read.data);
  const { mine: teams, nameOf } = useTeams();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [isReview, setReview] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const outcome = share?.outcome ?? null;
  const isDirty = outcome === null && share !== null && (share.plan.changes.length > 0 || entries.length > 0);
  const close = () => {
    if (share?.isSending) return;
    if (isDirty && !isLeaving) setLeaving(true);
    else onClose();
  };
  const name = shownName(artifact.filename || artifactId);
  return (
    <Dialog
      isOpen
      canClose={share?.isSending !== true}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={
        <span className="block truncate">
          {outcome === null ? "Share " : outcome.isUndo ? "Put back: " : "Shared: "}
          <bdi>{name}</bdi>
        </span>
      }
      {...(share !== null && {
        description: (
          <span className="text-secondary">
            Access read <Ago at={new Date(share.readAt).toISOString()} />
          </span>
        ),
      })}
      {...(share !== null && {
        footer:
          outcome !== null ? (
            <OutcomeFoot share={share} onClose={onClose} />
          ) : isLeaving ? (
            <>
              <Button variant="quiet" onClick={() => setLeaving(false)}>
                Go on editing
              </Button>
              <Button variant="danger" onClick={onClose}>
                Drop the changes
              </Button>
            </>
          ) : (
            <ShareFoot share={share} entries={entries} onCancel={close} />
          ),
        footerNote:
          outcome !== null || isLeaving ? (
            isLeaving && <span className="text-default">Nothing was sent yet.</span>
          ) : (
            <ShareNote share={share} isReview={isReview} onReview={() => setReview(!isReview)} />
          ),
      })}
    >
      {share === null ? (
        read.isError ? (
          <Failure
            error={read.error}
            what="Who may open it"
            onRetry={() => void read.refetch()}
            isRetrying={read.isRetrying}
          />
        ) : (
          <SkeletonRows rows={4} columns={["14px", "1fr", "80px"]} label="Reading who may open it" />
        )
      ) : outcome !== null ? (
        <OutcomeView outcome={outcome} teamName={nameOf} />
      ) : (
        <ShareForm
          artifact={artifact}
          share={share}
          teams={teams}
          teamName={nameOf}
          entries={entries}
          onEntries={setEntries}
          isReview={isReview && share.plan.changes.length > 0}
        />
      )}
    </Dialog>
  );
}
