import TriangleAlert from "lucide-react/icons/triangle-alert";
import { useState } from "react";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { useApi, useCan } from "../../lib/api.tsx";
import { DiscardButtons, useDiscardQuestion } from "../../lib/DiscardQuestion.tsx";
import { NotDone, ReadFailure } from "../../lib/failure/Failure.tsx";
import { joinNames } from "../../lib/join-names.ts";
import { useRead } from "../../lib/paging/useRead.ts";
import { shownName } from "../../lib/shownName.ts";
import { Ago } from "../../lib/time/Time.tsx";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeLine } from "../../ui/CopyButton.tsx";
import { cx } from "../../ui/cx.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { SkeletonRows } from "../../ui/SkeletonRows.tsx";
import { StateShape } from "../../ui/State.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { subjectOf } from "./access.ts";
import type { Entry } from "./addresses.ts";
import { passwordFault } from "./LinkSettings.tsx";
import { Sentence, sayChange, summary, type TeamName, whoSees } from "./labels.tsx";
import { artifactAccessQueries, useTeams } from "./queries.ts";
import { ShareForm } from "./ShareForm.tsx";
import { mayManage, type Outcome, type Share, useShare } from "./useShare.ts";

type Props = { artifact: Received<Artifact>; artifactId: string; onClose: () => void };

/** Who may open an artifact: read when it is opened, edited here, reviewed, sent, and compared with what came back. */
export default function ShareDialog({ artifact, artifactId, onClose }: Props) {
  const read = useRead(artifactAccessQueries.one(useApi(), artifactId));
  const share = useShare(artifactId, read.data);
  const { mine: teams, nameOf } = useTeams();
  const [entries, setEntries] = useState<readonly Entry[]>([]);
  const [text, setText] = useState("");
  const [isReview, setReview] = useState(false);
  const [isLate] = useState(share === null);
  const outcome = share?.outcome ?? null;
  const hasAddresses = entries.length > 0 || text.trim() !== "";
  const isDirty =
    outcome === null &&
    share !== null &&
    // Also a password that is set aside while another way in is looked at.
    (share.plan.changes.length > 0 || hasAddresses || share.edits.link?.password !== undefined);
  const question = useDiscardQuestion(isDirty, onClose);
  const close = () => {
    if (share?.isSending !== true) question.close();
  };
  const name = shownName(artifact.filename || artifactId);
  return (
    <Dialog
      canClose={share?.isSending !== true}
      onClose={close}
      title={
        <span className="block truncate">
          {outcome === null ? "Share " : outcome.isUndo ? "Undone: " : "Shared: "}
          <bdi>{name}</bdi>
        </span>
      }
      {...(share !== null && {
        description: (
          <span className="text-secondary">
            Access as of <Ago at={new Date(share.readAt).toISOString()} />
          </span>
        ),
      })}
      {...(share !== null && {
        footer:
          outcome !== null ? (
            <OutcomeFoot share={share} onClose={onClose} />
          ) : question.isAsking ? (
            <DiscardButtons action="Discard changes" onKeep={question.keep} onDiscard={onClose} />
          ) : (
            <ShareFoot share={share} hasAddresses={hasAddresses} onCancel={close} />
          ),
        footerNote:
          outcome !== null ? undefined : question.isAsking ? (
            <span role="alert" className="text-default">
              Your changes are not applied yet.
            </span>
          ) : (
            <ShareNote share={share} isReview={isReview} onReview={() => setReview(!isReview)} />
          ),
      })}
    >
      {share === null ? (
        read.isError ? (
          <ReadFailure query={read} what="The access list" />
        ) : (
          <SkeletonRows rows={4} columns={["14px", "1fr", "80px"]} label="Loading who has access" />
        )
      ) : outcome !== null ? (
        <>
          {share.refused !== null && (
            <div className="mb-3">
              <NotDone
                error={share.refused.error}
                title={`The changes ${share.refused.isUnsure ? "may not have been" : "were not"} undone`}
              />
            </div>
          )}
          <OutcomeView outcome={outcome} teamName={nameOf} />
        </>
      ) : (
        <ShareForm
          artifact={artifact}
          share={share}
          teams={teams}
          teamName={nameOf}
          entries={entries}
          onEntries={setEntries}
          text={text}
          onText={setText}
          isReview={isReview && share.plan.changes.length > 0}
          isLate={isLate}
        />
      )}
    </Dialog>
  );
}

/** What the changes are, in short, and the way to look at each. */
function ShareNote({ share, isReview, onReview }: { share: Share; isReview: boolean; onReview: () => void }) {
  const { changes } = share.plan;
  if (changes.length === 0) return null;
  return (
    <>
      <span className="text-body text-default">{summary(changes).join(", ")}</span>{" "}
      <button type="button" aria-pressed={isReview} className={cx(linkClass, "px-1")} onClick={onReview}>
        {isReview ? "Edit" : "Review"}
      </button>
      <span className="block max-sm:hidden">You’ll see the result next</span>
    </>
  );
}

type ShareFootProps = {
  share: Share;
  /** Some are typed and not added yet. */
  hasAddresses: boolean;
  onCancel: () => void;
};

/** Cancel and the one action. */
function ShareFoot({ share, hasAddresses, onCancel }: ShareFootProps) {
  const takesPassword = useCan("link_password");
  const { changes } = share.plan;
  return (
    <>
      <Button variant="quiet" className="max-sm:hidden" onClick={onCancel}>
        {changes.length === 0 ? "Close" : "Cancel"}
      </Button>
      <Button
        variant="primary"
        loading={share.isSending}
        onClick={share.apply}
        disabledReason={whyNot(share, hasAddresses, takesPassword)}
        reasonAs="title"
      >
        {changes.length === 0 ? "Apply" : `Apply ${counted(changes.length, "change", "changes")}`}
      </Button>
    </>
  );
}

function whyNot(share: Share, hasAddresses: boolean, takesPassword: boolean): string | undefined {
  const { plan, meanwhile, edits, base } = share;
  if (!mayManage(share)) return "Your role does not allow it";
  if (hasAddresses) return "Add or remove the addresses above first";
  if (plan.changes.length === 0) return "No changes yet";
  if (meanwhile?.clashes.some(({ subject }) => !Object.hasOwn(meanwhile.choices, subject)))
    return "Resolve the conflict first";
  if (plan.after.link.mode === "password" && takesPassword) {
    const password = edits.link?.password;
    if (password === undefined && base.link.mode !== "password") return "Enter a password for the link first";
    if (password !== undefined && passwordFault(password) !== null)
      return "The password is too short or too long";
  }
  return undefined;
}

/** After the change: take it back, go on, or be done. */
function OutcomeFoot({ share, onClose }: { share: Share; onClose: () => void }) {
  const { outcome } = share;
  const canUndo = outcome !== null && !outcome.isUndo && outcome.done.length > 0;
  return (
    <>
      {canUndo && (
        <Button variant="quiet" loading={share.isSending} onClick={share.undo}>
          Undo
        </Button>
      )}
      <Button onClick={share.editMore}>Change more</Button>
      <Button variant="primary" onClick={onClose}>
        Done
      </Button>
    </>
  );
}

/** What a change came to: who sees it now, who was told, the link to give away, and what changed on the way. */
function OutcomeView({ outcome, teamName }: { outcome: Outcome; teamName: TeamName }) {
  const { done, after, differences, password, cannot, isUndo } = outcome;
  return (
    <div className="flex flex-col gap-3">
      <div className="rounded-control bg-surface-sunken px-3 py-2.5">
        <p className="text-muted text-secondary">Who has access now</p>
        <p className="mt-0.5 break-words">
          <Sentence pieces={whoSees(after, teamName)} />
        </p>
      </div>
      {done.length > 0 && (
        <ul aria-label="Changes">
          {done.map((change) => (
            <li key={subjectOf(change)} className="flex min-h-7 items-start gap-2 py-1">
              <StateShape tone="done" className="mt-[3px]" />
              <bdi className="min-w-0 break-words">{sayChange(change, teamName)}</bdi>
            </li>
          ))}
        </ul>
      )}
      {cannot.length > 0 && (
        <Notice kind="waits" look="box" icon={<TriangleAlert />} title="Not everything could be undone">
          {cannot.map((one) => (
            <p key={one}>{one}</p>
          ))}
        </Notice>
      )}
      {differences.length > 0 && (
        <Notice
          kind="waits"
          look="box"
          icon={<TriangleAlert />}
          title="The service applied something different"
        >
          <ul className="list-disc pl-4">
            {differences.map((change) => (
              <li key={subjectOf(change)}>
                <bdi>{sayChange(change, teamName)}</bdi>
              </li>
            ))}
          </ul>
          <p className="mt-1">The service or someone else changed it. The current access is shown above.</p>
        </Notice>
      )}
      {!isUndo && <Told notified={outcome.notified} />}
      {after.linkUrl !== null && after.link.mode !== "none" && (
        <div>
          <p className="mb-1 font-medium">Link to share</p>
          <CodeLine code={after.linkUrl} what="the link" />
        </div>
      )}
      {password !== null && (
        <div>
          <p className="mb-1 font-medium">Link password</p>
          <CodeLine code={password} what="the password" />
          <p className="mt-1 text-faint text-secondary">Shown only once. Send it separately from the link.</p>
        </div>
      )}
    </div>
  );
}

/** Who was told. Our own service sends no mail, and names the same for addresses that it knows and does not know. */
function Told({ notified }: { notified: readonly string[] }) {
  const isOurs = useCan("shared_links");
  if (notified.length === 0) return null;
  return (
    <p className="text-muted">
      {counted(notified.length, "person is", "people are")} new here: <bdi>{joinNames(notified, 8)}</bdi>.{" "}
      {isOurs
        ? "This service sends no e-mail. Send them the address of this page yourself."
        : "The service has notified them."}
    </p>
  );
}
