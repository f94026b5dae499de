import Link from "lucide-react/icons/link";
import TriangleAlert from "lucide-react/icons/triangle-alert";
import { type ReactNode, useState } from "react";
import { linkPasswordLength } from "../../../contract/access.ts";
import { useCan } from "../../lib/api.tsx";
import { counted } from "../../lib/words.ts";
import { Button } from "../../ui/Button.tsx";
import { CodeLine, CopyButton } from "../../ui/CopyButton.tsx";
import { Field, PasswordInput } from "../../ui/Field.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { Tag } from "../../ui/Tag.tsx";
import type { Access } from "./access.ts";
import { RoleSelect, RowError } from "./Grants.tsx";
import { type Edits, withLink } from "./plan.ts";

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
        <div className="min-w-0 max-sm:order-last max-sm:w-full">
          <Segmented
            label="Who can use the link"
            options={modes}
            // An unknown mode marks none of the three; it stays until one is chosen.
            value={mode as (typeof modes)[number]["value"]}
            onChange={(next) => onEdit(withLink(base, edits, { mode: next }))}
            isOff={isDisabled}
            className="max-sm:flex max-sm:h-10 max-sm:w-full"
          />
        </div>
        <span className="flex min-w-24 justify-end">
          {mode !== "none" && (
            <RoleSelect
              label="Role for people with the link"
              role={role}
              isDisabled={isDisabled}
              onChange={(next) => onEdit(withLink(base, edits, { role: next }))}
            />
          )}
        </span>
      </div>
      <RowError error={error} className="mt-1" />
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
              Passwords can’t be set here on this service. It may refuse, or use one set elsewhere.
            </Notice>
          )
        ))}
      {mode === "anyone" && base.link.mode !== "anyone" && (
        <Notice kind="waits" look="box" className="mt-2" icon={<TriangleAlert />}>
          Anyone with this link can read the file without signing in. No one can see who opened it.
        </Notice>
      )}
      {mode !== "none" && !isOpened && base.linkUrl !== null && (
        <CodeLine code={base.linkUrl} what="the link" className="mt-2" />
      )}
      {isOpened && (
        <p className="mt-1.5 text-muted text-secondary">
          {tellsAddress
            ? "You’ll get the address once you apply the change."
            : "This service does not show the link’s address."}
        </p>
      )}
      {mode === "none" && base.link.mode !== "none" && (
        <p className="mt-1.5 text-muted text-secondary">
          The current link stops working. If you turn it on later, it is a new link.
        </p>
      )}
    </section>
  );
}

type LinkPasswordProps = {
  password: string;
  /** The link has one already; then an empty field keeps it. */
  hasOne: boolean;
  isDisabled: boolean;
  onChange: (password: string) => void;
};

/** What is wrong with a password, in words; null where nothing is. Counted like the service: after NFKC. */
export function passwordFault(password: string): string | null {
  const length = [...password.normalize("NFKC")].length;
  const { minimum, maximum } = linkPasswordLength;
  if (length < minimum) return `Use at least ${counted(minimum, "character")}; this has ${length}.`;
  return length > maximum ? `Use at most ${counted(maximum, "character")}; this has ${length}.` : null;
}

/** The password of the link. It stays in this field until it is sent, and is kept nowhere. */
function LinkPassword({ password, hasOne, isDisabled, onChange }: LinkPasswordProps) {
  const [isTouched, setTouched] = useState(false);
  const fault = isTouched && password !== "" ? passwordFault(password) : null;
  return (
    <div className="mt-2 flex items-start gap-2">
      <Field
        label={hasOne ? "New password" : "Password"}
        hint={
          hasOne
            ? "The link already has a password. Leave this empty to keep it."
            : "Send it separately from the link. It can’t be looked up later."
        }
        error={fault}
        className="flex-1"
      >
        <PasswordInput
          what="password"
          autoComplete="new-password"
          value={password}
          aria-disabled={isDisabled || undefined}
          readOnly={isDisabled}
          onChange={(event) => onChange(event.target.value)}
          onBlur={() => setTouched(true)}
        />
      </Field>
      <span className="mt-6 flex items-center gap-1">
        <Button
          onClick={() => onChange(generatePassword())}
          disabledReason={isDisabled ? "Your role does not allow it" : undefined}
          reasonAs="title"
        >
          Generate
        </Button>
        {password !== "" && <CopyButton text={password} what="the password" />}
      </span>
    </div>
  );
}

/** Without what is mistaken for something else when it is read out: 0 O 1 l I. */
const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/** A password of four groups of five, some 115 bits, from the browser's own source of chance. */
export function generatePassword(): string {
  const groups: string[] = [];
  while (groups.length < 4) {
    let group = "";
    while (group.length < 5) {
      const bytes = crypto.getRandomValues(new Uint8Array(8));
      // Bytes beyond the last whole round of the letters would make the first letters likelier.
      const fair = [...bytes].filter((byte) => byte < 256 - (256 % letters.length));
      group += fair.map((byte) => letters.charAt(byte % letters.length)).join("");
    }
    groups.push(group.slice(0, 5));
  }
  return groups.join("-");
}
