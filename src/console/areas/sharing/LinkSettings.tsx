import Link from "lucide-react/icons/link";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import type { ReactNode } from "react";
import { useCan } from "../../lib/api/useCan.ts";
import { CodeLine } from "../../ui/CodeLine.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Tag } from "../../ui/Tag.tsx";
import type { Access } from "./access.ts";
import { withLink } from "./edits.ts";
import { LinkPassword } from "./LinkPassword.tsx";
import type { Edits } from "./plan.ts";
import { RoleSelect } from "./RoleSelect.tsx";

type Props = {
  base: Access;
  after: Access;
  edits: Edits;
  isDisabled: boolean;
  error: ReactNode;
  onEdit: (edits: Edits) => void;
};

const modes = [
  { value: "none", label: "Off" },
  {
    value: "password",
    label: (
      <>
        <span className="max-sm:hidden">With password</span>
        <span className="sm:hidden">Password</span>
      </>
    ),
  },
  { value: "anyone", label: "Anyone" },
] as const;

/** Whether the link opens, to whom, and its address to give away. */
export function LinkSettings({ base, after, edits, isDisabled, error, onEdit }: Props) {
  const tellsAddress = useCan("shared_links");
  const takesPassword = useCan("link_password");
  const { mode, role } = after.link;
  const isKnown = modes.some(({ value }) => value === mode);
  const isOpened = mode !== "none" && base.link.mode === "none";
  return (
    <section aria-label="Link" className="border-t py-1.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5">
        <span className="flex w-5 shrink-0 justify-center text-muted max-sm:hidden">
          <Link />
        </span>
        <span className="min-w-16 flex-1">Link</span>
        {!isKnown && <Tag>{mode}</Tag>}
        <fieldset disabled={isDisabled} className="min-w-0 max-sm:order-last max-sm:w-full">
          <Segmented
            label="Whom the link opens to"
            options={modes}
            // An unknown mode marks none of the three; it stays until one is chosen.
            value={mode as (typeof modes)[number]["value"]}
            onChange={(next) => onEdit(withLink(base, edits, { mode: next }))}
            className="max-sm:flex max-sm:h-10 max-sm:w-full"
          />
        </fieldset>
        <span className="flex min-w-24 justify-end">
          {mode !== "none" && (
            <RoleSelect
              label="Role of those who open the link"
              role={role}
              isDisabled={isDisabled}
              onChange={(next) => onEdit(withLink(base, edits, { role: next }))}
            />
          )}
        </span>
      </div>
      {error !== null && (
        <p role="alert" className="mt-1 text-secondary text-state-failed-fg">
          {error}
        </p>
      )}
      {mode === "password" &&
        (takesPassword ? (
          <LinkPassword
            password={edits.link?.password ?? ""}
            hasOne={base.link.mode === "password" && base.hasPassword}
            isDisabled={isDisabled}
            onChange={(password) => onEdit(withLink(base, edits, { password }))}
          />
        ) : (
          base.link.mode !== "password" && (
            <Notice kind="waits" look="box" className="mt-2" icon={<TriangleAlert />}>
              This service takes no password from here: the interface has no field for it. It may refuse, or
              use one that was set elsewhere.
            </Notice>
          )
        ))}
      {mode === "anyone" && base.link.mode !== "anyone" && (
        <Notice kind="waits" look="box" className="mt-2" icon={<TriangleAlert />}>
          Anyone who gets this link can read the file, without signing in. Nobody can see who opened it.
        </Notice>
      )}
      {mode !== "none" && !isOpened && base.linkUrl !== null && (
        <CodeLine code={base.linkUrl} what="the link" className="mt-2" />
      )}
      {isOpened && (
        <p className="mt-1.5 text-muted text-secondary">
          {tellsAddress
            ? "You get its address once the change is made."
            : "This service does not say the link’s address here."}
        </p>
      )}
      {mode === "none" && base.link.mode !== "none" && (
        <p className="mt-1.5 text-muted text-secondary">
          The old link no longer works. A link that is switched on later is a new one.
        </p>
      )}
    </section>
  );
}
