import Building from "lucide-react/icons/building-2";
import EyeOff from "lucide-react/icons/eye-off";
import { type ReactNode, useState } from "react";
import { Avatar } from "../../ui/Avatar.tsx";
import { Button } from "../../ui/Button.tsx";
import { cx } from "../../ui/cx.ts";
import { NativeSelect } from "../../ui/Field.tsx";
import { Tag } from "../../ui/Tag.tsx";
import { linkClass } from "../../ui/textClass.ts";
import {
  type Access,
  everyone,
  type Grant,
  givenRoles,
  organizationRole,
  rolesOf,
  subjectOf,
} from "./access.ts";
import { hiddenCount, type TeamName } from "./labels.tsx";
import { withSubject } from "./merge.ts";
import { type Edits, noEdits, withRole } from "./plan.ts";
import type { Refused } from "./refusal.tsx";

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
        <ul aria-label="People and teams with access" className="mt-3">
          {shown.map((row) => (
            <GrantRow
              key={row.subject}
              row={row}
              isDisabled={isDisabled}
              error={errorAt(refused, row.subject)}
              onChange={(role) => onEdit(withRole(edits, row, role))}
              onUndo={() => onEdit(withSubject(edits, noEdits, row.subject))}
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
          {hidden} hidden by your role. They keep their access.
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

/** What the service said against the change of one row. */
export function RowError({ error, className }: { error: ReactNode; className?: string }) {
  return (
    error !== null && (
      <p role="alert" className={cx("text-secondary text-state-failed-fg", className)}>
        {error}
      </p>
    )
  );
}

interface Row extends Omit<Grant, "role"> {
  readonly subject: string;
  /** The role as read; null: has no access yet. */
  readonly was: string | null;
  /** The role as wanted; null: to be taken away. */
  readonly role: string | null;
}

/** Those who have access, in the order in which they came, then those who are added. */
function rowsOf(base: Access, after: Access, teamName: TeamName): Row[] {
  const rows = new Map<string, Row>();
  const was = rolesOf(base);
  const wanted = rolesOf(after);
  for (const grant of [...base.grants, ...after.grants]) {
    if (grant.kind === "organization") continue;
    const subject = subjectOf(grant);
    const name = grant.kind === "team" ? teamName(grant.id) : grant.name;
    const role = wanted.get(subject) ?? null;
    rows.set(subject, { ...grant, subject, name, was: was.get(subject) ?? null, role });
  }
  return [...rows.values()];
}

type GrantRowProps = {
  row: Row;
  isDisabled: boolean;
  /** What the service said against this change. */
  error: ReactNode;
  /** Null takes the access away. */
  onChange: (role: string | null) => void;
  /** Takes the change of this row back. */
  onUndo: () => void;
};

/** One person or team: what they have, and what changes with it, marked where it is. The owner is only read. */
function GrantRow({ row, isDisabled, error, onChange, onUndo }: GrantRowProps) {
  const { name, about, was, role } = row;
  const isOwner = was === "owner";
  const mark =
    role === null ? "removed" : was === null ? "added" : was === role ? null : `was ${roleWord(was)}`;
  return (
    <li className="py-0.5">
      <div className="flex min-h-8 items-center gap-2.5 max-sm:min-h-11">
        <Avatar name={name} isGroup={row.kind === "team"} className="max-sm:size-6 max-sm:text-[10px]" />
        <div className="min-w-0 flex-1 sm:flex sm:items-baseline sm:gap-1.5">
          <span className="flex min-w-0 items-baseline gap-2">
            <bdi
              className={cx("truncate font-medium", role === null && "text-muted line-through")}
              title={name}
            >
              {name}
            </bdi>
            {mark !== null && <span className="shrink-0 sm:hidden">{markTag(mark)}</span>}
          </span>
          {about !== name && (
            <bdi className="block min-w-0 truncate text-muted text-secondary" title={about}>
              {about}
            </bdi>
          )}
        </div>
        {mark !== null && <span className="shrink-0 max-sm:hidden">{markTag(mark)}</span>}
        <span className="flex min-w-24 shrink-0 justify-end">
          {isOwner ? (
            <span className="pr-1.5 text-muted text-secondary">Owner</span>
          ) : role === null ? (
            <button
              type="button"
              aria-label={`Undo the removal of ${name}`}
              className={cx(linkClass, "h-control-small px-1.5 text-secondary")}
              onClick={onUndo}
            >
              Undo
            </button>
          ) : (
            <RoleSelect
              label={`Role of ${name}`}
              role={role}
              isDisabled={isDisabled}
              none={was === null ? "Don’t add" : "Remove access"}
              onChange={(next) => (next === null && was === null ? onUndo() : onChange(next))}
            />
          )}
        </span>
      </div>
      <RowError error={error} className="pl-[30px]" />
    </li>
  );
}

function markTag(mark: string) {
  const tone = mark === "added" ? "added" : mark === "removed" ? "removed" : "edited";
  return <Tag tone={tone}>{mark}</Tag>;
}

type OrganizationRowProps = {
  base: Access;
  after: Access;
  edits: Edits;
  isDisabled: boolean;
  error: ReactNode;
  onEdit: (edits: Edits) => void;
};

/** The access of everybody in the organisation. */
export function OrganizationRow({ base, after, edits, isDisabled, error, onEdit }: OrganizationRowProps) {
  const was = organizationRole(base);
  const role = organizationRole(after);
  return (
    <section aria-label="Organisation" className="mt-2 border-t py-1.5">
      <div className="flex min-h-8 items-center gap-2.5">
        <span className="flex w-5 shrink-0 justify-center text-muted max-sm:hidden">
          <Building />
        </span>
        <span className="min-w-0 flex-1">Everyone in the organisation</span>
        {was !== role && <Tag tone="edited">{was === null ? "added" : `was ${roleWord(was)}`}</Tag>}
        <RoleSelect
          label="Role of everyone in the organisation"
          role={role}
          none="No access"
          isDisabled={isDisabled}
          onChange={(next) => onEdit(withRole(edits, everyone, next))}
        />
      </div>
      <RowError error={error} />
    </section>
  );
}

type RoleSelectProps = {
  /** Whose role, for those who listen. */
  label: string;
  /** As it came; null: no access. */
  role: string | null;
  look?: "box" | "bare";
  isDisabled?: boolean;
  /** What choosing no access is called; left out: it cannot be chosen. */
  none?: string;
  /** Null: no access was chosen. */
  onChange: (role: string | null) => void;
};

const words: Readonly<Record<string, string>> = { viewer: "Viewer", editor: "Editor", owner: "Owner" };

/** A role in words; one that we do not know as it came. */
function roleWord(role: string): string {
  return Object.hasOwn(words, role) ? (words[role] ?? role) : role || "unknown role";
}

/** What somebody may do. A role that we do not know stays, shown as it came, until another one is chosen. */
export function RoleSelect({
  label,
  role,
  look = "bare",
  isDisabled = false,
  none,
  onChange,
}: RoleSelectProps) {
  const isUnknown = role !== null && !givenRoles.some((one) => one === role);
  return (
    <NativeSelect
      look={look}
      className={look === "box" ? "w-28 max-sm:flex-1" : ""}
      aria-label={label}
      aria-disabled={isDisabled || undefined}
      // As wide as its own word, not as the widest of them.
      {...(look === "bare" && { style: { fieldSizing: "content" } })}
      value={role === null ? " none" : role}
      onChange={({ target: { value } }) => onChange(value === " none" ? null : value)}
    >
      {role === null && none === undefined && <option value=" none">Unknown</option>}
      {isUnknown && <option value={role}>{roleWord(role)}</option>}
      {givenRoles.map((one) => (
        <option key={one} value={one}>
          {roleWord(one)}
        </option>
      ))}
      {none !== undefined && <option value=" none">{none}</option>}
    </NativeSelect>
  );
}
