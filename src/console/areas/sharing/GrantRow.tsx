import type { ReactNode } from "react";
import { Avatar } from "../../ui/Avatar.tsx";
import { cx } from "../../ui/cx.ts";
import { linkClass } from "../../ui/linkClass.ts";
import { Tag } from "../../ui/Tag.tsx";
import { RoleSelect, roleWord } from "./RoleSelect.tsx";

type Props = {
  name: string;
  /** Support for the name: the e-mail, "team". */
  about: string;
  isGroup?: boolean;
  /** The role as read; null: has no access yet. */
  was: string | null;
  /** The role as wanted; null: to be taken away. */
  role: string | null;
  isDisabled: boolean;
  /** What the service said against this change. */
  error: ReactNode;
  /** Null takes the access away. */
  onChange: (role: string | null) => void;
  /** Takes the change of this row back. */
  onUndo: () => void;
};

/** One person or team: what they have, and what changes with it, marked where it is. The owner is only read. */
export function GrantRow({
  name,
  about,
  isGroup = false,
  was,
  role,
  isDisabled,
  error,
  onChange,
  onUndo,
}: Props) {
  const isOwner = was === "owner";
  const mark =
    role === null ? "removed" : was === null ? "added" : was === role ? null : `was ${roleWord(was)}`;
  return (
    <li className="py-0.5">
      <div className="flex min-h-8 items-center gap-2.5 max-sm:min-h-11">
        <Avatar name={name} isGroup={isGroup} className="max-sm:size-6 max-sm:text-[10px]" />
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
              none={was === null ? "Do not add" : "Remove access"}
              onChange={onChange}
              onNone={() => (was === null ? onUndo() : onChange(null))}
            />
          )}
        </span>
      </div>
      {error !== null && (
        <p role="alert" className="pl-[30px] text-secondary text-state-failed-fg">
          {error}
        </p>
      )}
    </li>
  );
}

function markTag(mark: string) {
  const tone = mark === "added" ? "added" : mark === "removed" ? "removed" : "edited";
  return <Tag tone={tone}>{mark}</Tag>;
}
