import { useState } from "react";
import { linkPasswordLength } from "../../../contract/access.ts";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { Field } from "../../ui/Field.tsx";
import { PasswordInput } from "../../ui/PasswordInput.tsx";
import { generatePassword } from "./generatePassword.ts";

type Props = {
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
  if (length < minimum) return `A password has at least ${minimum} characters; this one has ${length}.`;
  return length > maximum ? `A password has at most ${maximum} characters; this one has ${length}.` : null;
}

/** The password of the link. It stays in this field until it is sent, and is kept nowhere. */
export function LinkPassword({ password, hasOne, isDisabled, onChange }: Props) {
  const [isTouched, setTouched] = useState(false);
  const fault = isTouched && password !== "" ? passwordFault(password) : null;
  return (
    <div className="mt-2 flex items-start gap-2">
      <Field
        label={hasOne ? "New password" : "Password"}
        hint={
          hasOne
            ? "The link has a password, which nobody can look up. Leave this empty to keep it."
            : "Give it to people another way than the link. It is not kept here and cannot be looked up later."
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
