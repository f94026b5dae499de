import Lock from "lucide-react/icons/lock";
import type { Artifact } from "../../../contract/artifacts.ts";
import type { Received } from "../../../contract/define.ts";
import { Damage } from "../../lib/failure/Damage.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { AddPeople } from "./AddPeople.tsx";
import type { Entry } from "./addresses.ts";
import { withPerson, withTeam } from "./edits.ts";
import { errorAt, GrantList } from "./GrantList.tsx";
import { LinkSettings } from "./LinkSettings.tsx";
import { MeanwhileNotice } from "./MeanwhileNotice.tsx";
import { withoutSubject } from "./merge.ts";
import { OrganizationRow } from "./OrganizationRow.tsx";
import { OutsideNotice } from "./OutsideNotice.tsx";
import { RefusedNotice } from "./RefusedNotice.tsx";
import { Review } from "./Review.tsx";
import { mayManage } from "./rights.ts";
import { Sentence } from "./Sentence.tsx";
import type { Share } from "./useShare.ts";
import { type TeamName, teamCaveat, whoSees } from "./words.ts";

type Props = {
  artifact: Received<Artifact>;
  share: Share;
  teams: readonly { readonly id: string; readonly name: string }[];
  teamName: TeamName;
  entries: readonly Entry[];
  onEntries: (entries: readonly Entry[]) => void;
  isReview: boolean;
};

/** The settings with the edits on top: the sentence first, then everybody by name, the organisation and the link. */
export function ShareForm({ artifact, share, teams, teamName, entries, onEntries, isReview }: Props) {
  const { base, edits, plan, refused, meanwhile, edit } = share;
  const isDisabled = !mayManage(share);
  const add = (added: readonly Entry[], role: string) =>
    edit(
      added.reduce(
        (next, { kind, id }) => (kind === "team" ? withTeam(next, id, role) : withPerson(next, id, role)),
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
        <p className="mt-0.5" aria-live="polite">
          <Sentence pieces={whoSees(plan.after, teamName)} />
        </p>
        {plan.after.homeTeamId === undefined && teams.length > 0 && (
          <p className="mt-1 text-muted text-secondary">{teamCaveat}</p>
        )}
      </section>
      {isDisabled && refused?.isLocked !== true && (
        <Notice kind="offline" look="box" className="mt-3" icon={<Lock />}>
          Your role lets you open this file, not change who else may. Ask the owner, or somebody with the role
          editor.
        </Notice>
      )}
      <OutsideNotice artifact={artifact} share={share} entries={entries} onEntries={onEntries} />
      {isReview ? (
        <Review
          changes={plan.changes}
          teamName={teamName}
          onUndo={(subject) => edit(withoutSubject(edits, subject))}
        />
      ) : (
        <>
          <AddPeople
            teams={teams}
            entries={entries}
            onEntries={onEntries}
            onAdd={add}
            isDisabled={isDisabled}
          />
          <GrantList {...parts} teamName={teamName} refused={refused} />
          <OrganizationRow {...parts} error={errorAt(refused, "organization")} />
          <LinkSettings {...parts} error={errorAt(refused, "link")} />
        </>
      )}
    </>
  );
}
