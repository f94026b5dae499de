import Lock from "lucide-react/icons/lock";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { useCan } from "../../lib/api.tsx";
import { Damage } from "../../lib/failure/Damage.tsx";
import { joinNames } from "../../lib/join-names.ts";
import { ValueRows } from "../../lib/merge/ValueRows.tsx";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { StateShape } from "../../ui/State.tsx";
import { linkClass } from "../../ui/textClass.ts";
import { AddPeople } from "./AddPeople.tsx";
import { type Grantee, isOwner, subjectOf } from "./access.ts";
import { domainOf, type Entry, outsideDomains, type Team } from "./addresses.ts";
import { errorAt, GrantList, OrganizationRow } from "./Grants.tsx";
import { generatePassword, LinkSettings } from "./LinkSettings.tsx";
import { Sentence, sayChange, sayEnd, subjectName, type TeamName, teamCaveat, whoSees } from "./labels.tsx";
import { withSubject } from "./merge.ts";
import { type Change, noEdits, withLink, withRole } from "./plan.ts";
import { RefusedNotice } from "./refusal.tsx";
import { type Meanwhile, mayManage, type Share } from "./useShare.ts";

type Props = {
  artifact: Received<Artifact>;
  share: Share;
  teams: readonly Team[];
  teamName: TeamName;
  entries: readonly Entry[];
  onEntries: (entries: readonly Entry[]) => void;
  /** What is typed and not read yet. */
  text: string;
  onText: (text: string) => void;
  isReview: boolean;
  /** The dialog had opened before. */
  isLate: boolean;
};

/** The settings with the edits on top: the sentence first, then everybody by name, the organisation and the link. */
export function ShareForm({ artifact, share, teams, teamName, isReview, isLate, ...typing }: Props) {
  const { entries, onEntries } = typing;
  const { base, edits, plan, refused, meanwhile, edit } = share;
  const isDisabled = !mayManage(share);
  const add = (added: readonly Entry[], role: string) =>
    edit(
      added.reduce(
        (next, { kind, id }) => withRole(next, { kind: kind === "team" ? kind : "person", id }, role),
        edits,
      ),
    );
  const parts = { base, after: plan.after, edits, isDisabled, onEdit: edit };
  return (
    <>
      {meanwhile !== null && (
        <MeanwhileNotice meanwhile={meanwhile} teamName={teamName} onDecide={share.decide} />
      )}
      <RefusedNotice refused={refused} />
      <Damage damage={share.damage} />
      <section aria-label="Who will have access" className="rounded-control bg-surface-sunken px-3 py-2.5">
        <p className="text-muted text-secondary max-sm:hidden">
          {plan.changes.length > 0 ? "Who will have access" : "Who has access"}
        </p>
        <p className="mt-0.5 break-words" aria-live="polite">
          <Sentence pieces={whoSees(plan.after, teamName)} />
        </p>
        {plan.after.homeTeamId === undefined && teams.length > 0 && (
          <p className="mt-1 text-muted text-secondary">{teamCaveat}</p>
        )}
      </section>
      {isDisabled && refused?.isLocked !== true && (
        <Notice kind="offline" look="box" className="mt-3" icon={<Lock />}>
          You can open this file, but not change who has access. Ask the owner or an editor.
        </Notice>
      )}
      <OutsideNotice artifact={artifact} share={share} entries={entries} onEntries={onEntries} />
      {isReview ? (
        <Review
          changes={plan.changes}
          teamName={teamName}
          onUndo={(subject) => edit(withSubject(edits, noEdits, subject))}
        />
      ) : (
        <>
          <AddPeople
            teams={teams}
            {...typing}
            onAdd={add}
            isDisabled={isDisabled}
            takesFocus={isLate && plan.changes.length === 0}
          />
          <GrantList {...parts} teamName={teamName} refused={refused} />
          <OrganizationRow {...parts} error={errorAt(refused, "organization")} />
          <LinkSettings {...parts} error={errorAt(refused, "link")} />
        </>
      )}
    </>
  );
}

type OutsideNoticeProps = {
  artifact: Received<Artifact>;
  share: Share;
  entries: readonly Entry[];
  onEntries: (entries: readonly Entry[]) => void;
};

/**
 * Says, before anything is sent, which new people are outside the organisation and that they may be unable to sign in,
 * and offers a link in their place. The interface does not tell the organisation's domains, so the owner's own is what
 * counts as inside; where that is not known, nothing is said.
 */
function OutsideNotice({ artifact, share, entries, onEntries }: OutsideNoticeProps) {
  const isOurs = useCan("shared_links");
  const takesPassword = useCan("link_password");
  const { base, plan, edits } = share;
  const home = homeOf(artifact, share);
  const isOutside = (email: string) => outsideDomains([email], home).length > 0;
  const added = plan.changes.flatMap((one) => (one.kind === "person" && one.from === null ? [one.id] : []));
  const typed = entries.flatMap(({ kind, id }) => (kind === "person" ? [id] : []));
  const outside = outsideDomains([...typed, ...added], home);
  if (outside.length === 0) return null;
  const offerLink = () => {
    const isKept = ({ kind, id }: Grantee) => kind !== "person" || !added.includes(id) || !isOutside(id);
    const next = { ...edits, wishes: new Map([...edits.wishes].filter(([, wish]) => isKept(wish))) };
    const link = takesPassword
      ? { mode: "password", password: generatePassword() }
      : ({ mode: "anyone" } as const);
    share.edit(plan.after.link.mode === "none" ? withLink(base, next, link) : next);
    onEntries(entries.filter(({ kind, id }) => kind !== "person" || !isOutside(id)));
  };
  return (
    <Notice kind="waits" look="box" className="mt-2" icon={<TriangleAlert />}>
      <p>
        <bdi>
          {joinNames(outside)} {outside.length === 1 ? "is" : "are"} outside {joinNames([...home])}, the
          owner’s domain.
        </bdi>{" "}
        {isOurs
          ? "People without an account on this service can’t sign in, so they can’t open the file."
          : "They may not be able to sign in to this service."}
      </p>
      <Button size="small" className="mt-1.5" onClick={offerLink}>
        Use a link instead
      </Button>
    </Notice>
  );
}

/** The domains of the owner and the creator. */
function homeOf(artifact: Received<Artifact>, { base }: Share): ReadonlySet<string> {
  const owners = base.grants.filter(isOwner).map(({ id }) => id);
  const creator = artifact.creator?.email;
  return new Set([...owners, ...(creator ? [creator] : [])].map(domainOf));
}

type MeanwhileNoticeProps = {
  meanwhile: Meanwhile;
  teamName: TeamName;
  onDecide: (subject: string, whose: "mine" | "theirs") => void;
};

/** What somebody else changed while the dialog was open; where both changed the same, the person decides. */
function MeanwhileNotice({ meanwhile, teamName, onDecide }: MeanwhileNoticeProps) {
  const { theirs, clashes, choices } = meanwhile;
  return (
    <Notice kind="waits" look="box" className="mb-3" title="Someone else changed this in the meantime">
      <ul className="list-disc pl-4">
        {theirs.map((change) => (
          <li key={sayChange(change, teamName)}>
            <bdi>{sayChange(change, teamName)}</bdi>
          </li>
        ))}
      </ul>
      <p className="mt-1">
        Your changes are not applied yet; they are shown below on top of theirs
        {clashes.length > 0 ? ". Choose where you both changed the same thing." : ": look, then apply again."}
      </p>
      {clashes.length > 0 && (
        <ValueRows
          view={{
            choices,
            choose: (subjects, choice) => {
              for (const subject of subjects) onDecide(subject, choice === "theirs" ? choice : "mine");
            },
            baseName: "Before",
            theirsName: "now",
          }}
          label="What you both changed"
          head="Access of"
          rows={clashes.map(({ subject, mine, theirs: other }) => ({
            key: subject,
            name: subjectName(mine, teamName),
            cells: [sayEnd(mine.from), sayEnd(mine.to), sayEnd(other.to)],
            kind: "conflict",
            ids: [subject],
            result: "",
          }))}
        />
      )}
    </Notice>
  );
}

type ReviewProps = {
  changes: readonly Change[];
  teamName: TeamName;
  /** Takes one change back. */
  onUndo: (subject: string) => void;
};

/** Everything that will be sent, one line each, before it is. */
function Review({ changes, teamName, onUndo }: ReviewProps) {
  return (
    <section aria-label="Changes" className="mt-3">
      <h3 className="font-semibold">Changes</h3>
      <ul className="mt-1 divide-y divide-line">
        {changes.map((change) => (
          <li key={subjectOf(change)} className="flex min-h-8 items-center gap-2.5 py-1">
            <StateShape tone="waiting" />
            <bdi className="min-w-0 flex-1 break-words">{sayChange(change, teamName)}</bdi>
            <button
              type="button"
              aria-label={`Undo: ${sayChange(change, teamName)}`}
              className={linkClass}
              onClick={() => onUndo(subjectOf(change))}
            >
              Undo
            </button>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-muted text-secondary">All changes are applied together.</p>
    </section>
  );
}
