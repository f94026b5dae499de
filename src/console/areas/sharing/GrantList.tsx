import EyeOff from "lucide-react/icons/eye-off";
import { type ReactNode, useState } from "react";
import { shownName } from "../../lib/shownName.ts";
import { Button } from "../../ui/Button.tsx";
import { type Access, foldEmail } from "./access.ts";
import { withPerson, withTeam } from "./edits.ts";
import { GrantRow } from "./GrantRow.tsx";
import { withoutSubject } from "./merge.ts";
import type { Edits } from "./plan.ts";
import type { Refused } from "./refusal.ts";
import type { TeamName } from "./words.ts";
import { hiddenCount } from "./words.ts";

type Props = {
  base: Access;
  after: Access;
  edits: Edits;
  teamName: TeamName;
  refused: Refused | null;
  isDisabled: boolean;
  onEdit: (edits: Edits) => void;
};

/** Rows that are drawn at once; the rest comes when it is asked for. */
const firstRows = 60;

/** Everybody who has access by name, as read and as wanted, and how many the caller may not see. */
export function GrantList({ base, after, edits, teamName, refused, isDisabled, onEdit }: Props) {
  const [isWhole, setWhole] = useState(false);
  const rows = rowsOf(base, after, teamName);
  const shown = isWhole ? rows : rows.slice(0, firstRows);
  const hidden = hiddenCount(base);
  return (
    <>
      {rows.length > 0 && (
        <ul aria-label="Who has access by name" className="mt-3">
          {shown.map(({ subject, id, isGroup, name, about, was, role }) => (
            <GrantRow
              key={subject}
              name={name}
              about={about}
              isGroup={isGroup}
              was={was}
              role={role}
              isDisabled={isDisabled}
              error={errorAt(refused, subject)}
              onChange={(next) => onEdit(isGroup ? withTeam(edits, id, next) : withPerson(edits, id, next))}
              onUndo={() => onEdit(withoutSubject(edits, subject))}
            />
          ))}
        </ul>
      )}
      {shown.length < rows.length && (
        <Button size="small" variant="quiet" onClick={() => setWhole(true)}>
          Show all {rows.length}
        </Button>
      )}
      {hidden !== "" && (
        <p className="flex min-h-8 items-center gap-2.5 py-1 text-muted">
          <span className="flex w-5 shrink-0 justify-center">
            <EyeOff />
          </span>
          {hidden} that your role hides. They keep their access.
        </p>
      )}
    </>
  );
}

/** What a refusal says of one subject, for the row that is about it. */
export function errorAt(refused: Refused | null, subject: string): ReactNode {
  if (refused === null || refused.subject !== subject) return null;
  return `${refused.what} ${refused.means}`;
}

interface Row {
  readonly subject: string;
  readonly id: string;
  readonly isGroup: boolean;
  readonly name: string;
  readonly about: string;
  readonly was: string | null;
  readonly role: string | null;
}

/** Those who have access, in the order in which they came, then those who are added. */
function rowsOf(base: Access, after: Access, teamName: TeamName): Row[] {
  const people = new Map<string, Row>();
  for (const { email, name, role } of base.people) {
    const id = foldEmail(email);
    people.set(id, {
      subject: `person ${id}`,
      id,
      isGroup: false,
      name,
      about: shownName(email),
      was: role,
      role: null,
    });
  }
  for (const { email, name, role } of after.people) {
    const id = foldEmail(email);
    const row = people.get(id);
    const fresh = { subject: `person ${id}`, id, isGroup: false, name, about: shownName(email), was: null };
    people.set(id, { ...(row ?? fresh), role });
  }
  const teams = new Map<string, Row>();
  const team = (id: string) => ({
    subject: `team ${id}`,
    id,
    isGroup: true,
    name: teamName(id),
    about: "team",
  });
  for (const { teamId, role } of base.teams) teams.set(teamId, { ...team(teamId), was: role, role: null });
  for (const { teamId, role } of after.teams) {
    teams.set(teamId, { ...(teams.get(teamId) ?? { ...team(teamId), was: null }), role });
  }
  const rows = [...people.values(), ...teams.values()];
  return [...rows.filter(({ was }) => was !== null), ...rows.filter(({ was }) => was === null)];
}
